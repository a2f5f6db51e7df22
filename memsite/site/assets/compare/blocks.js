/* Which block of one text became which of another: memsite/prose/likeness.py, align.py and diff.py, in the browser. */
(function () {
  "use strict";

  const compare = (window.memsiteCompare ??= {});
  const { isWide, isWord, tokenize, trimEnd, commonPairs, compareTexts, compareLists } = compare;

  const REWORDED = 50;
  const MOVED = 75;
  const SAME = 100;
  const LONG_ENOUGH = 20;
  const WHOLE = 6;
  const SENTENCES = 8;
  const COMMON = 12;
  const FEW = 64;
  const STOPS = /[.。!！ ]+$/u;
  const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/;
  const KEY = /^["']?([A-Za-z0-9_.-]{2,40})["']? ?[:=](?!=)/u;

  /* A block: its type, its structure (`prefix`), its text as written, its name where it has one;
     `key` where blocks are the same that are not written the same. */
  const codeLine = (text) => ({ type: "code", prefix: "", text, name: text.match(KEY)?.[1] ?? "" });
  const keyOf = (block) => [block.type, block.prefix, block.key ?? block.text];
  const codePoints = new WeakMap();

  function codes(block) {
    if (!codePoints.has(block)) codePoints.set(block, Array.from(block.text));
    return codePoints.get(block);
  }

  /* Likeness, in percent. */

  function ratio(one, other) {
    const [ones, others] = [codes(one), codes(other)];
    const whole = ones.length + others.length;
    if (one.text === other.text) return SAME;
    if (4 * Math.min(ones.length, others.length) < whole) return 0;
    const apart = whole - 2 * commonLength(ones, others);
    const alike = 1 - apart / whole;
    return alike >= REWORDED / 100 ? alike * 100 : 0;
  }

  /* How many characters are in both, in order; 32 of the first text are looked at in one step. */
  function commonLength(ones, others) {
    const width = Math.ceil(ones.length / 32);
    compare.take(width * others.length);
    const places = new Map();
    ones.forEach((character, at) => {
      if (!places.has(character)) places.set(character, new Uint32Array(width));
      places.get(character)[at >>> 5] |= 1 << (at & 31);
    });
    const row = new Uint32Array(width).fill(0xffffffff);
    for (const character of others) {
      const here = places.get(character);
      if (!here) continue;
      let carry = 0;
      for (let word = 0; word < width; word += 1) {
        const both = (row[word] & here[word]) >>> 0;
        const sum = row[word] + both + carry;
        carry = sum > 0xffffffff ? 1 : 0;
        row[word] = (sum >>> 0) | (row[word] & ~here[word]);
      }
    }
    let length = 0;
    for (let at = 0; at < ones.length; at += 1) length += (row[at >>> 5] >>> (at & 31)) & 1 ? 0 : 1;
    return length;
  }

  function likeness(one, other) {
    if ((one.type === "code") !== (other.type === "code")) return 0;
    if ((!one.text && one.type !== other.type) || areOfTwoDays(one, other)) return 0;
    const alike = ratio(one, other);
    const score = alike >= MOVED || sharesWords(one, other) ? alike : 0;
    return Math.max(score, grown(one, other, score > 0));
  }

  function sharesWords(one, other) {
    const [ones, others] = [wordCounts(one), wordCounts(other)];
    const sum = (counts) => counts.reduce((total, count) => total + count, 0);
    const total = sum([...ones.values(), ...others.values()]);
    const shared = sum(Array.from(ones, ([word, count]) => Math.min(count, others.get(word) ?? 0)));
    return total < SENTENCES || 8 * shared >= total;
  }

  const counts = new WeakMap();

  function wordCounts(block) {
    if (!counts.has(block)) {
      const found = new Map();
      for (const word of tokenize(block.text).filter(isWord).map(trimEnd)) found.set(word, (found.get(word) ?? 0) + 1);
      counts.set(block, found);
    }
    return counts.get(block);
  }

  function areOfTwoDays(one, other) {
    const [first, second] = [one, other].map((block) => block.name?.match(DATE)?.[0]);
    return first !== undefined && second !== undefined && first !== second;
  }

  function grown(one, other, alike) {
    const [shorter, longer] = codes(one).length <= codes(other).length ? [one, other] : [other, one];
    const short = shorter.text.replace(STOPS, "");
    const length = Array.from(short).length;
    if (length < WHOLE || !longer.text.includes(short)) return 0;
    return alike && length >= LONG_ENOUGH ? MOVED : REWORDED;
  }

  function findNames(blocks) {
    const found = new Map();
    blocks.forEach((block, number) => {
      const name = JSON.stringify([block.type, block.name]);
      if (block.name) found.set(name, found.has(name) ? -1 : number);
    });
    return found;
  }

  /* Alignment. */

  /* Scores of pairs of blocks, by one number for both indices. */
  class Scores extends Map {
    constructor(width) { super(); this.width = width; }
    put(i, j, score) { this.set(i * this.width + j, score); }
    of(i, j) { return this.get(i * this.width + j) ?? 0; }
    pairs() { return Array.from(this.keys(), (key) => [Math.floor(key / this.width), key % this.width]); }
  }

  function alignBlocks(old, recent) {
    const keys = (blocks) => blocks.map((block) => JSON.stringify(keyOf(block)));
    const anchors = commonPairs(keys(old), keys(recent));
    const scores = similarities(old, recent, anchors);
    for (const [i, j] of anchors) scores.put(i, j, SAME);
    const kept = heaviestChain(scores.pairs().sort((one, other) => one[0] - other[0] || other[1] - one[1]), scores);
    const moved = movedPairs(old, recent, kept, scores).sort((one, other) => one[1] - other[1]);
    return { kept, moved };
  }

  function similarities(old, recent, anchors) {
    const [sameOld, sameNew] = [new Set(anchors.map(([i]) => i)), new Set(anchors.map(([, j]) => j))];
    const rest = (blocks, same) => Array.from(blocks.keys()).filter((index) => !same.has(index));
    const [olds, news] = [rest(old, sameOld), rest(recent, sameNew)];
    const scores = new Scores(recent.length);
    for (const [i, j] of namesakes(old, recent)) {
      if (!sameOld.has(i) && !sameNew.has(j)) scores.put(i, j, MOVED);
    }
    const seen = new Set();
    for (const [i, j] of [...scores.pairs(), ...candidates(old, recent, olds, news), ...opposite(olds, news, anchors)]) {
      const key = i * recent.length + j;
      if (seen.has(key)) continue;
      seen.add(key);
      const score = Math.max(likeness(old[i], recent[j]), scores.of(i, j));
      if (score) scores.put(i, j, score);
    }
    return scores;
  }

  function namesakes(old, recent) {
    const others = findNames(recent);
    return Array.from(findNames(old), ([name, i]) => [i, others.get(name) ?? -1]).filter(([i, j]) => i >= 0 && j >= 0);
  }

  function candidates(old, recent, olds, news) {
    if (olds.length * news.length <= FEW) return olds.flatMap((i) => news.map((j) => [i, j]));
    const holders = new Map();
    for (const i of olds) {
      for (const feature of features(old[i])) {
        if (!holders.has(feature)) holders.set(feature, []);
        holders.get(feature).push(i);
      }
    }
    return news.flatMap((j) => nearest(features(recent[j]), holders).map((i) => [i, j]));
  }

  function nearest(wanted, holders) {
    const shared = new Map();
    for (const feature of wanted) {
      const having = holders.get(feature) ?? [];
      if (having.length <= COMMON) for (const i of having) shared.set(i, (shared.get(i) ?? 0) + 1);
    }
    const sorted = Array.from(shared).sort((one, other) => other[1] - one[1] || one[0] - other[0]);
    return sorted.slice(0, COMMON).map(([i]) => i);
  }

  function features(block) {
    const tokens = tokenize(block.text).map(trimEnd);
    const found = new Set(tokens.filter((token) => Array.from(token).length > 1));
    tokens.slice(1).forEach((token, at) => {
      if (isWide(tokens[at])) found.add(tokens[at] + token);
    });
    return found.add("\n" + block.text);
  }

  function opposite(olds, news, anchors) {
    const gaps = new Map();
    const place = (indices, side) => {
      let before = 0;
      for (const index of indices) {
        while (before < anchors.length && anchors[before][side] <= index) before += 1;
        if (!gaps.has(before)) gaps.set(before, [[], []]);
        gaps.get(before)[side].push(index);
      }
    };
    place(olds, 0);
    place(news, 1);
    const pairs = [];
    for (const [ones, others] of gaps.values()) {
      for (let at = 0; at < Math.min(ones.length, others.length); at += 1) {
        pairs.push([ones[at], others[at]], [ones.at(-1 - at), others.at(-1 - at)]);
      }
    }
    return pairs;
  }

  const heavier = (one, other) => (other[0] > one[0] || (other[0] === one[0] && other[1] > one[1]) ? other : one);

  function heaviestChain(pairs, scores) {
    const columns = new Map(
      Array.from(new Set(pairs.map(([, j]) => j))).sort((one, other) => one - other).map((j, at) => [j, at + 1]));
    const tree = Array.from({ length: columns.size + 1 }, () => [0, 1]);
    const previous = [];
    let best = [0, 1];
    pairs.forEach(([i, j], number) => {
      let found = [0, 1];
      for (let place = columns.get(j) - 1; place > 0; place -= place & -place) found = heavier(found, tree[place]);
      previous.push(-found[1]);
      const entry = [found[0] + scores.of(i, j) ** 2, -number];
      best = heavier(best, entry);
      for (let place = columns.get(j); place < tree.length; place += place & -place) {
        tree[place] = heavier(tree[place], entry);
      }
    });
    const chain = [];
    for (let at = -best[1]; at >= 0; at = previous[at]) chain.push(pairs[at]);
    return chain.reverse();
  }

  function movedPairs(old, recent, kept, scores) {
    const [takenOld, takenNew] = [new Set(kept.map(([i]) => i)), new Set(kept.map(([, j]) => j))];
    const texts = new Map();
    for (const [blocks, taken] of [[old, takenOld], [recent, takenNew]]) {
      blocks.forEach((block, at) => taken.has(at) || texts.set(block.text, (texts.get(block.text) ?? 0) + 1));
    }
    const away = ([i, j]) => Math.abs(i - j);
    const order = (one, other) => scores.of(...other) - scores.of(...one) || away(one) - away(other)
      || one[0] - other[0] || one[1] - other[1];
    const moved = [];
    for (const [i, j] of scores.pairs().sort(order)) {
      if (takenOld.has(i) || takenNew.has(j) || scores.of(i, j) < MOVED) continue;
      const once = old[i].text === recent[j].text && texts.get(old[i].text) === 2;
      if (once || Math.min(codes(old[i]).length, codes(recent[j]).length) >= LONG_ENOUGH) {
        moved.push([i, j]);
        takenOld.add(i);
        takenNew.add(j);
      }
    }
    return moved;
  }

  /* What became of each block, as [kind, index in the old text, index in the new one], null where it is not there. */
  function pairBlocks(olds, news) {
    const byParts = (one, other) => compareLists(keyOf(one), keyOf(other), compareTexts);
    if (compareLists(olds, news, byParts) <= 0) return laidOut(olds, news, alignBlocks(olds, news));
    const back = alignBlocks(news, olds);
    const turned = (pairs) => pairs.map(([j, i]) => [i, j]);
    const moved = turned(back.moved).sort((one, other) => one[1] - other[1]);
    return laidOut(olds, news, { kept: turned(back.kept), moved });
  }

  function laidOut(olds, news, { kept, moved }) {
    const sources = new Map(moved.map(([i, j]) => [j, i]));
    const gone = new Set(sources.values());
    const steps = [];
    let [at, to] = [0, 0];
    for (const [i, j] of [...kept, [olds.length, news.length]]) {
      for (; at < i; at += 1) if (!gone.has(at)) steps.push(["delete", at, null]);
      for (; to < j; to += 1) steps.push(sources.has(to) ? ["moved", sources.get(to), to] : ["insert", null, to]);
      if (j < news.length) {
        const same = JSON.stringify(keyOf(olds[i])) === JSON.stringify(keyOf(news[j]));
        steps.push([same ? "equal" : "change", i, j]);
      }
      [at, to] = [i + 1, j + 1];
    }
    return steps;
  }

  Object.assign(compare, { codeLine, alignBlocks, pairBlocks });
})();
