/* A comparison as rows of a page: memsite/site/passages.py and pages/differences.py, in the browser. */
(function () {
  "use strict";

  const compare = (window.memsiteCompare ??= {});
  const { EQUAL, INSERT, DELETE, TooLong, countWords, diffSpans, diffCode, markLoose, isSame, isSpace, withoutSpace, pairBlocks } = compare;

  const NOW = {
    heading: "now a heading", paragraph: "now a paragraph", item: "now a list item", code: "now code",
    row: "now a table row", rule: "now a rule",
  };
  const CONTEXT = 1;
  const MIN_FOLD = 3;
  const UNPRINTABLE = /[\x00-\x08\x0b-\x1f\x7f-\x9f]|\p{Surrogate}/gu;
  const TOO_LONG = { summary: "too long to be compared here", changed: true, stretches: [], tooLong: true };

  /* What changed from one part of a generation (as memsite/site/pages/compare_any.py writes it) to that of another. */
  function compareParts(old, recent, mostCharacters) {
    if (old.length + recent.length > mostCharacters) return TOO_LONG;
    try {
      compare.begin();
      const rows = pairBlocks(old.blocks, recent.blocks).map(([kind, i, j]) => (
        rowOf(kind, i === null ? null : old.blocks[i], j === null ? null : recent.blocks[j])));
      return { summary: summaryOf(rows), changed: rows.some(isChanged), stretches: stretchesOf(rows), tooLong: false };
    } catch (error) {
      if (error instanceof TooLong) return TOO_LONG;
      throw error;
    }
  }

  const isChanged = (row) => row.kind !== EQUAL || row.notes.length > 0;
  const runsOf = (block) => (block ? block.runs ?? (block.text ? [[block.text, []]] : []) : []);
  const textOf = (runs) => runs.map(([text]) => text).join("");
  const alike = (one, other) => JSON.stringify(one ?? []) === JSON.stringify(other ?? []);

  function rowOf(kind, old, recent) {
    const [before, after] = [runsOf(old), runsOf(recent)];
    const spans = spansOf(old, textOf(before), recent, textOf(after));
    const judged = old && recent && kind !== EQUAL ? judge(kind, spans, old, recent) : { kind, notes: [] };
    return {
      ...judged,
      ...shapeOf(recent ?? old),
      oldShape: old && shapeOf(old),
      words: bothTexts(spans, before, after),
      before: oneText(spans, before, INSERT),
      after: oneText(spans, after, DELETE),
      inNew: recent !== null,
      oldSources: old?.sources ?? [],
      sources: recent?.sources ?? [],
      added: wordsOf(spans, INSERT),
      removed: wordsOf(spans, DELETE),
    };
  }

  const shapeOf = (block) => ({ type: block.type, prefix: block.shown ?? "", level: block.level ?? 0 });

  const wordsOf = (spans, op) => (
    spans.reduce((sum, span) => sum + (span.op === op ? countWords(span.text) : 0), 0));

  function spansOf(old, before, recent, after) {
    if (!old || !recent) return before + after ? [{ op: recent ? INSERT : DELETE, text: before + after }] : [];
    if (old.type === "code" && recent.type === "code") return diffCode(before, after);
    return markLoose(diffSpans(before, after), before, after);
  }

  function judge(kind, spans, old, recent) {
    const sameWords = isSame(spans);
    const marks = sameWords && !alike(marksOf(old), marksOf(recent));
    const notes = [];
    if (!alike(old.refs, recent.refs)) notes.push("sources changed");
    if (!alike(old.targets, recent.targets)) notes.push("link changed");
    const after = strikesOf(recent);
    const strikes = sameWords ? strikesOf(old).map((struck, at) => [struck, after[at]]) : [];
    if (strikes.some(([was, is]) => !was && is)) notes.push("struck out");
    else if (strikes.some(([was, is]) => was && !is)) notes.push("no longer struck out");
    if (marks) notes.push("emphasis changed");
    else if (sameWords && !alike(codeOf(old), codeOf(recent))) notes.push("spaces in code changed");
    const structure = structureNotes(old, recent, spans);
    const same = sameWords && !structure.length && kind === "change";
    return { kind: same ? EQUAL : kind, notes: [...notes, ...structure] };
  }

  /* memsite/prose/structure.py. */
  function structureNotes(old, recent, spans) {
    const [[before, outer], [after, inner]] = [unquoted(old.prefix), unquoted(recent.prefix)];
    const notes = [];
    if (old.type !== recent.type) notes.push(NOW[recent.type]);
    else if (before !== after) notes.push(structureNote(recent.type, before, after));
    if (outer !== inner) notes.push(outer && inner ? "quote depth changed" : inner ? "now quoted" : "no longer quoted");
    const changes = spans.filter((span) => span.op !== EQUAL);
    if (changes.length && old.type === "code" && recent.type === "code" && changes.every(isSpace)) {
      notes.push("white space changed");
    }
    return notes;
  }

  function structureNote(type, before, after) {
    if (type === "heading") return "heading level changed";
    if (type !== "code") return "nesting changed";
    const [was, is] = [before, after].map((prefix) => prefix.startsWith("```"));
    return was && is ? "code language changed" : is ? NOW.code : "now front matter";
  }

  function unquoted(prefix) {
    let depth = 0;
    while (prefix.startsWith("> ", 2 * depth)) depth += 1;
    return [prefix.slice(2 * depth), depth];
  }

  const marksOf = (block) => (
    runsOf(block).flatMap(([text, marks]) => Array.from(withoutSpace(text), (character) => (
      [character, marks.filter((mark) => mark !== "s")]))));
  const strikesOf = (block) => (
    runsOf(block).flatMap(([text, marks]) => Array.from(withoutSpace(text), () => marks.includes("s"))));
  const codeOf = (block) => runsOf(block).filter(([, marks]) => marks.includes("code")).map(([text]) => text);

  function bothTexts(spans, old, recent) {
    let [before, after] = [0, 0];
    return spans.flatMap(({ op, text, loose }) => {
      const shown = loose ? EQUAL : op;
      const words = op !== DELETE ? part(shown, recent, after, text.length)
        : loose ? [] : part(op, old, before, text.length);
      before += op === INSERT ? 0 : text.length;
      after += op === DELETE ? 0 : text.length;
      return words;
    });
  }

  function oneText(spans, runs, without) {
    let at = 0;
    return spans.filter((span) => span.op !== without).flatMap(({ op, text, loose }) => {
      at += text.length;
      return part(loose ? EQUAL : op, runs, at - text.length, text.length);
    });
  }

  /* Some characters of runs, as words of one kind. */
  function part(op, runs, start, length) {
    const words = [];
    let at = 0;
    for (const [text, marks] of runs) {
      const inside = text.slice(Math.max(start - at, 0), Math.max(start + length - at, 0));
      if (inside) words.push({ op, text: inside.replace(UNPRINTABLE, "\ufffd"), marks });
      at += text.length;
    }
    return words;
  }

  function summaryOf(rows) {
    const sum = (count) => rows.reduce((total, row) => total + Number(count(row)), 0);
    const [added, removed] = [sum((row) => row.added), sum((row) => row.removed)];
    const moved = sum((row) => row.kind === "moved");
    const changed = sum((row) => row.kind !== "moved" && row.kind !== EQUAL);
    const notes = Array.from(new Set(rows.flatMap((row) => row.notes)));
    const told = rows.every((row) => row.kind === EQUAL || row.notes.length);
    if (!added && !removed && !moved && told && notes.length) return notes.join(", ");
    return describe(added, removed, changed, moved);
  }

  const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

  function describe(added, removed, changed, moved) {
    const words = `${counted(added, "word")} added, ${removed.toLocaleString("en")} removed`;
    const parts = [];
    if (changed) parts.push(`${words}, in ${counted(changed, "block")}`);
    else if (added || removed) parts.push(words);
    if (moved) parts.push(`${counted(moved, "block")} moved`);
    return parts.join("; ") || "no change";
  }

  function describeChange(text, references) {
    if (text.changed) return text.summary;
    return references.changed ? "only the source references changed" : "no change that a reader would see";
  }

  /* Changed rows with their surroundings, and between them what is folded. */
  function stretchesOf(rows) {
    const near = nearChanges(rows);
    const stretches = [];
    let pending = [];
    for (let at = 0, end; at < rows.length; at = end) {
      end = at + 1;
      while (end < rows.length && near.has(end) === near.has(at)) end += 1;
      if (near.has(at) || end - at < MIN_FOLD) {
        pending.push(...rows.slice(at, end));
        continue;
      }
      if (pending.length) stretches.push({ rows: pending, folded: false });
      pending = [];
      stretches.push({ rows: rows.slice(at, end), folded: true });
    }
    if (pending.length) stretches.push({ rows: pending, folded: false });
    return stretches;
  }

  function nearChanges(rows) {
    const near = new Set();
    let heading = null;
    rows.forEach((row, number) => {
      if (row.type === "heading") heading = number;
      if (isChanged(row)) {
        near.add(number);
        if (heading !== null) near.add(heading);
      }
      if (row.kind === EQUAL) return;
      for (let at = Math.max(number - CONTEXT, 0); at <= Math.min(number + CONTEXT, rows.length - 1); at += 1) near.add(at);
    });
    return near;
  }

  Object.assign(compare, { compareParts, describeChange });
})();
