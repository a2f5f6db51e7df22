/* Looks terms up in the shards that memsite/site/search/shards.py planned, and ranks the documents. No page is touched. */
memsiteSearch("engine", function createEngine(text, load) {
  "use strict";

  const TITLE = ">";
  const ALPHABET = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join("").replace(/["\\]/g, "");
  const DAY_ZERO = 600000;
  const K1 = 1.2;
  const B = 0.6;
  const B_TOPIC = 0.15; // the page of a topic is long because much is known of it
  const KIND_WEIGHTS = {
    topic: 1.6, generation: 1.25, note: 1.1, day: 1, "session-day": 0.95, "history-day": 0.5, compare: 0.5,
  };
  const OTHER_KIND = 0.6;
  const SUPERSEDED = 0.5;
  const TITLED = 3;
  const tables = new Map();

  const digits = (packed) => Array.from(packed).reduce((sum, digit) => sum * 92 + ALPHABET.indexOf(digit), 0);
  const idNumber = (id) => (id.charCodeAt(0) - 95) * 92 ** 3 + digits(id.slice(1));
  const hex = (term) => Array.from(new TextEncoder().encode(term), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const poolOf = (character, pools) => (Math.imul(character.codePointAt(0) ?? 0, 2654435761) >>> 12) % pools;

  /* The manifest, read once: documents by id, the tree of terms. */
  let opened = null;
  function open() {
    opened ??= load("manifest").then(readManifest);
    opened.catch(() => { opened = null; });
    return opened;
  }

  function readManifest(manifest) {
    const documents = new Map();
    let total = 0;
    for (let at = 0; at < manifest.documents.length; at += 10) {
      const record = manifest.documents.slice(at, at + 10);
      const day = digits(record.slice(5, 8));
      const kind = digits(record[4]);
      const length = 2 ** (digits(record[8]) / 8) - 1;
      total += length;
      documents.set(record.slice(0, 4), {
        kind: manifest.kinds[kind >> 1], superseded: Boolean(kind & 1), day: day && day + DAY_ZERO, length,
        titleLength: digits(record[9]) || 1,
      });
    }
    return {
      documents, ids: Array.from(documents.keys()), order: manifest.order, newest: manifest.newest, average: total / documents.size || 1, kinds: manifest.kinds, texts: manifest.texts,
      nodes: new Map(Object.entries(manifest.nodes)), heavy: new Map(Object.entries(manifest.heavy)), summaries: new Set(manifest.summaries),
    };
  }

  const poolName = (node, pool) => (node ? `t-${hex(node)}-${pool.toString(16)}` : `t-${pool.toString(16)}`);

  /* The deepest node on the way to a term, and the character that follows there. */
  function walk(tree, term) {
    let node = "";
    for (const character of term) {
      if (!tree.nodes.has(node + character)) return [node, character];
      node += character;
    }
    return [node, ""];
  }

  function fileOf(tree, term) {
    if (tree.heavy.has(term)) return `x-${hex(term)}`;
    const [node, next] = walk(tree, term);
    return poolName(node, poolOf(next || "\0", tree.nodes.get(node)));
  }

  /* Every file that may hold a term with this prefix; for a large one the summary and the file of the word itself. */
  function filesBelow(tree, prefix) {
    if (tree.summaries.has(prefix)) return [`s-${hex(prefix)}`, fileOf(tree, prefix)];
    const names = new Set(Array.from(tree.heavy.keys()).filter((term) => term.startsWith(prefix)).map((term) => `x-${hex(term)}`));
    const [node, next] = walk(tree, prefix);
    if (next) names.add(poolName(node, poolOf(next, tree.nodes.get(node))));
    for (const [below, pools] of next ? [] : tree.nodes) {
      if (!below.startsWith(prefix)) continue;
      for (let pool = 0; pool < pools; pool += 1) names.add(poolName(below, pool));
    }
    return Array.from(names);
  }

  /* Calls visit(id, numbers) for each document of packed postings. */
  function unpack(packed, visit) {
    let at = 0;
    while (at < packed.length) {
      const id = packed.slice(at, at + 4);
      const numbers = [];
      let number = 0;
      for (at += 4; at < packed.length && packed.charCodeAt(at) < 95; at += 1) {
        const code = packed.charCodeAt(at);
        if (code >= 64) number = number * 30 + code - 64 - (code > 92 ? 1 : 0);
        else {
          numbers.push(number * 30 + code - 33 - (code > 34 ? 1 : 0));
          number = 0;
        }
      }
      visit(id, numbers);
    }
  }

  /* Calls visit(id, count) for each document of a file of counts: "!".."?" are 1 to 30, "_".."~" pass over 1 to 32. */
  function uncount(tree, packed, visit) {
    if (!packed.startsWith(tree.order)) throw new Error("the index was built anew");
    let document = 0;
    for (let at = tree.order.length; at < packed.length; at += 1) {
      const code = packed.charCodeAt(at);
      if (code >= 95) document += code - 94;
      else {
        visit(tree.ids[document], code - 32 - (code > 34 ? 1 : 0));
        document += 1;
      }
    }
  }

  async function table(name) {
    const data = await load(name);
    if (data === null || typeof data === "string") return data;
    if (!tables.has(name)) tables.set(name, new Map(Object.entries(data)));
    return tables.get(name);
  }

  /* Documents with a term, or with any term that begins with it: id -> {exact, other, at}. Of a heavy term it is told how
     often a document has it, and where only when `locate` is asked. */
  async function lookup(tree, term, prefix) {
    const found = new Map();
    const entry = (id) => found.get(id) ?? found.set(id, { exact: 0, other: 0, at: [] }).get(id);
    const add = (whole) => (id, at) => {
      const hit = entry(id);
      hit[whole ? "exact" : "other"] += at.length;
      for (const position of at) hit.at.push(position);
    };
    const count = (whole) => (id, times) => { entry(id)[whole ? "exact" : "other"] += times; };
    const names = prefix ? filesBelow(tree, term) : [fileOf(tree, term)];
    const alone = !prefix || tree.summaries.has(term);
    const own = fileOf(tree, term);
    for (const [index, data] of (await Promise.all(names.map(table))).entries()) {
      if (typeof data === "string") uncount(tree, data, count(names[index] === own));
      else if (data && alone) unpack(data.get(term) ?? "", add(true));
      else if (data) {
        for (const [other, packed] of data) if (other.startsWith(term)) unpack(packed, add(other === term));
      }
    }
    return found;
  }

  /* Fills in where documents have a heavy term, from the files in which these documents stand. */
  async function locate(tree, term, found, ids) {
    const files = tree.heavy.get(term);
    const wanted = new Set(ids.filter((id) => found.has(id)));
    if (!files || !wanted.size) return;
    const numbers = new Set(Array.from(wanted, (id) => idNumber(id) % files));
    const parts = await Promise.all(Array.from(numbers, (number) => table(`p-${hex(term)}-${number.toString(16)}`)));
    for (const part of parts) {
      unpack(part, (id, at) => { if (wanted.has(id)) found.get(id).at = at; });
    }
  }

  /* Documents that have a whole run: its pairs must stand one behind the other. Every second pair is enough. */
  async function lookupRun(tree, run, mark) {
    const characters = Array.from(run);
    if (characters.length === 1) return lookup(tree, mark + run, true);
    const offsets = [];
    for (let offset = 0; offset < characters.length - 1; offset += 2) offsets.push(offset);
    if (characters.length % 2) offsets.push(characters.length - 2);
    const terms = offsets.map((offset) => mark + characters.slice(offset, offset + 2).join(""));
    const pairs = await Promise.all(terms.map((term) => lookup(tree, term, false)));
    if (pairs.length === 1) return pairs[0];
    const ids = inAll(pairs);
    await Promise.all(pairs.map((pair, index) => locate(tree, terms[index], pair, ids)));
    const found = new Map();
    for (const id of ids) {
      const others = pairs.slice(1).map((pair) => new Set(pair.get(id).at));
      const at = pairs[0].get(id).at.filter((start) => others.every((set, index) => set.has(start + offsets[index + 1])));
      if (at.length) found.set(id, { exact: at.length, other: 0, at });
    }
    return found;
  }

  /* The ids that every one of these has, maps or sets. */
  function inAll(found) {
    const [fewest, ...rest] = found.slice().sort((one, other) => one.size - other.size);
    return Array.from(fewest.keys()).filter((id) => rest.every((each) => each.has(id)));
  }

  /* A word is found by its beginning, but a heavy one that is complete ("to ", not "to") means itself. */
  async function lookupUnit(tree, unit, exact) {
    const prefix = !exact && (unit.open || !tree.heavy.has(unit.text));
    const one = (mark) => (unit.run ? lookupRun(tree, unit.text, mark) : lookup(tree, mark + unit.text, prefix));
    const [body, title] = await Promise.all([one(""), one(TITLE)]);
    return { unit, body, title, ids: new Set([...body.keys(), ...title.keys()]) };
  }

  /* Whether the units stand one behind the other in the given field of a document. */
  function adjacent(hits, id, field) {
    const first = hits[0][field].get(id);
    const rest = hits.slice(1).map((hit) => new Set(hit[field].get(id)?.at));
    return Boolean(first?.at.some((start) =>
      rest.every((set, index) => set.has(start + hits[index + 1].unit.at - hits[0].unit.at))));
  }

  const asWritten = (hits, id) => adjacent(hits, id, "body") || adjacent(hits, id, "title");

  /* Whether the query is the whole title: who types a name or a day wants that page. */
  function isTitle(hits, id, document) {
    const size = hits.reduce((sum, { unit }) => sum + unit.size + (unit.run ? 1 : 0), 0);
    return size >= document.titleLength && hits.every((hit) => hit.title.has(id)) && (hits.length < 2 || adjacent(hits, id, "title"));
  }

  /* Those whose positions are known without loading more: a phrase is judged by its rarer words. */
  const light = (tree, hits) => hits.filter(({ unit }) => !tree.heavy.has(unit.text));

  /* Of the documents those that have the units of a quotation as they stand there. */
  async function quoting(tree, hits, ids) {
    if (hits.length < 2) return ids;
    await Promise.all(hits.flatMap((hit) => [
      locate(tree, hit.unit.text, hit.body, ids), locate(tree, TITLE + hit.unit.text, hit.title, ids),
    ]));
    return ids.filter((id) => asWritten(hits, id));
  }

  function scoreUnit(tree, hit, id, weight) {
    const document = tree.documents.get(id);
    const body = hit.body.get(id);
    const title = hit.title.get(id);
    const count = body ? body.exact + 0.5 * Math.min(body.other, 6) : 0;
    const b = document.kind === "topic" ? B_TOPIC : B;
    const shorter = K1 * (1 - b + (b * document.length) / tree.average);
    const inTitle = title ? (title.exact ? 1 : 0.6) * (0.8 + 1.6 * Math.min(1, hit.unit.size / document.titleLength)) : 0;
    return weight * ((count * (K1 + 1)) / (count + shorter) + inTitle);
  }

  function rarity(tree, hit) {
    return Math.log(1 + (tree.documents.size - hit.ids.size + 0.5) / (hit.ids.size + 0.5)) * Math.sqrt(hit.unit.size);
  }

  function scoreDocument(tree, hits, weights, phrase, id) {
    const document = tree.documents.get(id);
    const words = hits.reduce((sum, hit, index) => sum + (hit.ids.has(id) ? scoreUnit(tree, hit, id, weights[index]) : 0), 0);
    const close = phrase.length > 1 && asWritten(phrase, id) ? 1.5 : 1;
    const recent = document.day ? 1 + 0.25 * 2 ** (Math.min(0, document.day - tree.newest) / 365) : 1;
    const named = isTitle(hits, id, document) ? TITLED : 1;
    const standing = document.superseded ? SUPERSEDED : 1;
    return words * close * named * recent * standing * (KIND_WEIGHTS[document.kind] ?? OTHER_KIND);
  }

  function rank(tree, hits, ids) {
    const weights = hits.map((hit) => rarity(tree, hit));
    const phrase = light(tree, hits);
    return ids
      .map((id) => ({ id, score: scoreDocument(tree, hits, weights, phrase, id), ...tree.documents.get(id) }))
      .sort((one, other) => other.score - one.score || other.day - one.day || (one.id < other.id ? -1 : 1));
  }

  /* When no document has everything: words and pairs by themselves, and documents that have at least half of them. */
  async function searchPartly(tree, groups) {
    const units = groups.flatMap((group) => group.units).flatMap((unit) => {
      const characters = Array.from(unit.text);
      if (!unit.run || characters.length < 3) return [unit];
      return characters.slice(1).map((last, index) => ({ ...unit, text: characters[index] + last, size: 2, at: unit.at + index }));
    });
    if (units.length < 2) return [];
    const hits = await Promise.all(units.map((unit) => lookupUnit(tree, unit, false)));
    const counts = new Map();
    for (const hit of hits) for (const id of hit.ids) counts.set(id, (counts.get(id) ?? 0) + 1);
    return rank(tree, hits, Array.from(counts.keys()).filter((id) => counts.get(id) * 2 >= units.length));
  }

  /* {results: best first, partial: whether no document has all of the query}. A filter is {kind, from, to}, days as ordinals. */
  async function search(query) {
    const tree = await open();
    const groups = text.parse(query);
    if (!groups.length) return { results: [], partial: false };
    const grouped = await Promise.all(
      groups.map((group) => Promise.all(group.units.map((unit) => lookupUnit(tree, unit, group.exact)))));
    let ids = inAll(grouped.flat().map((hit) => hit.ids));
    for (const [index, group] of groups.entries()) if (group.exact) ids = await quoting(tree, grouped[index], ids);
    if (ids.length) return { results: rank(tree, grouped.flat(), ids), partial: false };
    return { results: await searchPartly(tree, groups), partial: true };
  }

  /* [uri, title, text] of documents. */
  async function read(ids) {
    const tree = await open();
    return Promise.all(ids.map(async (id) => (await load(`d-${(idNumber(id) % tree.texts).toString(16)}`))?.[id]));
  }

  return { open, search, read };
});
