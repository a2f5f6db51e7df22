/* Which words of one text are not in another: memsite/prose/tokens.py, spans.py and code.py, in the browser. */
(function () {
  "use strict";

  const compare = (window.memsiteCompare ??= {});
  const EQUAL = "equal";
  const INSERT = "insert";
  const DELETE = "delete";

  const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
  const HAN_AND_KANA =
    "\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u3029\\u3031-\\u3035\\u3038-\\u303b\\u3041-\\u3096\\u309d-\\u30fa" +
    "\\u30fc-\\u312f\\u31a0-\\u31bf\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9d" +
    "\\u{1b000}-\\u{1b16f}\\u{20000}-\\u{3ffff}";
  const SIGNS =
    "!-\\/:-@\\[-\\^`\\{-~\\xa1-\\xa9\\xab-\\xb1\\xb4\\xb6-\\xb8\\xbb\\xbf\\xd7\\xf7\\u2010-\\u2027\\u2030-\\u205e" +
    "\\u2190-\\u23ff\\u2500-\\u25ff\\u3001-\\u3004\\u3008-\\u3020\\u3030\\u303d\\u30fb\\uff01-\\uff0f\\uff1a-\\uff20" +
    "\\uff3b-\\uff40\\uff5b-\\uff65";
  const WORD = `[^${SPACE}${SIGNS}${HAN_AND_KANA}]`;
  const TOKEN = new RegExp(
    `${WORD}+(?:[.'’\\-]${WORD}+|(?<=[0-9]),(?=[0-9])${WORD}+)*[${SPACE}]*|[${HAN_AND_KANA}][${SPACE}]*` +
    `|([${SIGNS}])\\1*[${SPACE}]*|[${SPACE}]+`, "gu");
  const WIDE_CHARACTER = `[${HAN_AND_KANA}\\u3001-\\u3003\\u3008-\\u3011\\u3014-\\u301f\\u30fb\\uff01-\\uff65]`;
  const EITHER = "[\\u201c\\u201d\\u2018\\u2019\\u2026\\u2014\\xb7*_~]{0,8}";
  const WIDE = new RegExp(`^${WIDE_CHARACTER}`, "u");
  const BEHIND_WIDE = new RegExp(`${WIDE_CHARACTER}${EITHER}$`, "u");
  const BEFORE_WIDE = new RegExp(`^${EITHER}${WIDE_CHARACTER}`, "u");
  const JOINER = /^[\u200d\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}\uff9e\uff9f]/u;
  const MARK = /^[\u0300-\u{10ffff}]/u;
  const LETTER = /[\p{L}\p{N}]/u;
  const SPACE_AT_END = new RegExp(`[${SPACE}]+$`, "u");
  const SPACE_AT_START = new RegExp(`^[${SPACE}]+`, "u");
  const ALL_SPACE = new RegExp(`[${SPACE}]+`, "gu");
  const ONLY_SPACE = new RegExp(`^[${SPACE}]+$`, "u");
  const ONE_SPACE = new RegExp(`^[${SPACE}]$`, "u");
  const SENTENCE_END = new RegExp(`[.!?…](?=[${SPACE}]|$)|[。！？．｡]`, "u");

  /* Code units on each side of white space that say whether it is loose. */
  const AROUND = 10;
  const CROWDED = 3;
  const SMALL = 2;
  const PARTICLES = new Set("はがをにのでともへやか了在和是的与或");
  /* Steps that one comparison may take: some seconds of a slow machine. */
  const MOST_STEPS = 4e8;

  class TooLong extends Error {}

  let taken = 0;
  const begin = () => { taken = 0; };
  function take(steps) {
    taken += steps;
    if (taken > MOST_STEPS) throw new TooLong("too many words");
  }

  const isWide = (character) => WIDE.test(character);
  const isWord = (text) => LETTER.test(text);
  const trimEnd = (text) => text.replace(SPACE_AT_END, "");
  const trim = (text) => trimEnd(text).replace(SPACE_AT_START, "");

  const withoutSpace = (text) => text.replace(ALL_SPACE, "");

  function tokenize(text) {
    const tokens = [];
    for (const [token] of text.matchAll(TOKEN)) {
      const last = tokens.length - 1;
      const joins = last >= 0 && (tokens[last].endsWith("\u200d") || continues(token));
      if (joins) tokens[last] += token;
      else tokens.push(token);
    }
    return tokens;
  }

  const continues = (token) => MARK.test(token) && (JOINER.test(token) || /^\p{M}/u.test(token));
  const countWords = (text) => tokenize(text).filter(isWord).length;

  /* Pairs of indices of the items (texts) that are in both, in order: those that Python finds, too. */
  function commonPairs(old, recent) {
    let head = 0;
    const shorter = Math.min(old.length, recent.length);
    while (head < shorter && old[head] === recent[head]) head += 1;
    let tail = 0;
    while (tail < shorter - head && old.at(-1 - tail) === recent.at(-1 - tail)) tail += 1;
    const pairs = Array.from({ length: head }, (_, index) => [index, index]);
    for (const [i, j] of longestChain(old.slice(head, old.length - tail), recent.slice(head, recent.length - tail))) {
      pairs.push([i + head, j + head]);
    }
    for (let back = tail; back > 0; back -= 1) pairs.push([old.length - back, recent.length - back]);
    return pairs;
  }

  /* The library is given the new text first: of several longest chains, rapidfuzz finds the one that it then finds. */
  function longestChain(old, recent) {
    if (!old.length || !recent.length) return [];
    take(old.length * recent.length);
    const numbers = new Map();
    const numbered = (items) => items.map((item) => {
      if (!numbers.has(item)) numbers.set(item, numbers.size);
      return numbers.get(item);
    });
    const pairs = [];
    for (let at = Diff3.LCS(numbered(recent), numbered(old)); at.chain; at = at.chain) {
      pairs.push([at.buffer2index, at.buffer1index]);
    }
    return pairs.reverse();
  }

  /* A piece: text that stayed, then the change behind it; and how many words are in each. */
  const piece = (equal = "") => ({ equal, deleted: "", inserted: "", stayed: 0, went: 0, came: 0 });

  function diffSpans(old, recent) {
    if (old === recent) return recent ? [{ op: EQUAL, text: recent }] : [];
    if (compareTexts(old, recent) > 0) return mirrored(diffSpans(recent, old));
    return asSpans(calmed(settled(pieces(tokenize(old), tokenize(recent)))));
  }

  /* As Python orders texts: by code points. */
  function compareTexts(one, other) {
    const ones = Array.from(one, (character) => character.codePointAt(0));
    const others = Array.from(other, (character) => character.codePointAt(0));
    const at = ones.findIndex((code, index) => code !== others[index]);
    if (at < 0) return ones.length - others.length;
    return at < others.length ? ones[at] - others[at] : 1;
  }

  function mirrored(spans) {
    const turned = { [EQUAL]: EQUAL, [INSERT]: DELETE, [DELETE]: INSERT };
    return joinSpans(spans.map((span) => ({ op: turned[span.op], text: span.text })));
  }

  function joinSpans(spans) {
    const found = [piece()];
    for (const { op, text } of spans) {
      if (op === EQUAL && text) found.push(piece(text));
      else if (op === DELETE) found.at(-1).deleted += text;
      else if (op === INSERT) found.at(-1).inserted += text;
    }
    return asSpans(found);
  }

  function pieces(old, recent) {
    const found = [piece()];
    let [i, j] = [0, 0];
    const change = (toOld, toNew) => {
      const last = found.at(-1);
      for (; i < toOld; i += 1) { last.deleted += old[i]; last.went += isWord(old[i]); }
      for (; j < toNew; j += 1) { last.inserted += recent[j]; last.came += isWord(recent[j]); }
    };
    for (const [k, m] of commonPairs(old.map(trimEnd), recent.map(trimEnd))) {
      change(k, m);
      appendEqual(found, old[i], recent[j]);
      [i, j] = [i + 1, j + 1];
    }
    change(old.length, recent.length);
    return found;
  }

  function appendEqual(found, one, other) {
    const word = trimEnd(one);
    const same = one === other ? one : word;
    if (!found.at(-1).deleted && !found.at(-1).inserted) found.at(-1).equal += same;
    else found.push(piece(same));
    const last = found.at(-1);
    last.stayed += isWord(word);
    if (one !== other) {
      last.deleted += one.slice(word.length);
      last.inserted += other.slice(word.length);
    }
  }

  function settled(found) {
    let carried = "";
    for (const one of found) {
      const front = commonSpace(one.deleted, one.inserted, (text, at) => text[at]);
      one.equal = carried + one.equal + one.deleted.slice(0, front);
      one.deleted = one.deleted.slice(front);
      one.inserted = one.inserted.slice(front);
      const back = commonSpace(one.deleted, one.inserted, (text, at) => text.at(-1 - at));
      carried = one.deleted.slice(one.deleted.length - back);
      one.deleted = one.deleted.slice(0, one.deleted.length - back);
      one.inserted = one.inserted.slice(0, one.inserted.length - back);
    }
    return [...found, piece(carried)];
  }

  function commonSpace(one, other, get) {
    const shorter = Math.min(one.length, other.length);
    let length = 0;
    while (length < shorter && get(one, length) === get(other, length) && ONE_SPACE.test(get(one, length))) length += 1;
    return length;
  }

  function calmed(found) {
    const calm = [found[0]];
    for (const one of found.slice(1)) {
      const last = calm.at(-1);
      if (one.equal && (isChance(last, one) || isWithinWord(last, one))) {
        last.deleted += one.equal + one.deleted;
        last.inserted += one.equal + one.inserted;
        last.went += one.stayed + one.went;
        last.came += one.stayed + one.came;
      } else if (!one.equal || (!last.deleted && !last.inserted)) {
        for (const part of Object.keys(last)) last[part] += one[part];
      } else {
        calm.push(one);
      }
    }
    return calm;
  }

  function isChance(before, after) {
    const around = Math.min(before.went, before.came, after.went, after.came);
    return after.stayed <= 1 && around >= CROWDED && !SENTENCE_END.test(after.equal);
  }

  function isWithinWord(before, after) {
    const [only, more] = Array.from(after.equal);
    if (!only || more || !isWide(only) || !isWord(only) || PARTICLES.has(only)) return false;
    const around = [before.deleted, before.inserted, after.deleted, after.inserted].map((text) => Array.from(text));
    return around.every((text) => text.length <= SMALL && text.every(isWide))
      && around.some((text) => !text.length)
      && Boolean(before.deleted + before.inserted) && Boolean(after.deleted + after.inserted);
  }

  function asSpans(found) {
    const spans = [];
    for (const one of found) {
      for (const [op, text] of [[EQUAL, one.equal], [DELETE, one.deleted], [INSERT, one.inserted]]) {
        if (text && spans.at(-1)?.op === op) spans.at(-1).text += text;
        else if (text) spans.push({ op, text });
      }
    }
    return spans;
  }

  /* White space beside Chinese or Japanese that came or went, alone in its place, is no change. */
  function markLoose(spans, old, recent) {
    let [before, after] = [0, 0];
    return spans.map((span, number) => {
      const [text, at] = span.op === DELETE ? [old, before] : [recent, after];
      const end = at + span.text.length;
      const alone = spans.slice(Math.max(number - 1, 0), number + 2).every((one) => one.op === EQUAL || isSpace(one));
      const loose = alone && isSpace(span)
        && (BEHIND_WIDE.test(text.slice(Math.max(at - AROUND, 0), at)) || BEFORE_WIDE.test(text.slice(end, end + AROUND)));
      before += span.op === INSERT ? 0 : span.text.length;
      after += span.op === DELETE ? 0 : span.text.length;
      return loose ? { ...span, loose } : span;
    });
  }

  const isSpace = (span) => span.op !== EQUAL && ONLY_SPACE.test(span.text);
  const isSame = (spans) => spans.every((span) => span.op === EQUAL || span.loose);

  /* Code: line by line first, then word by word within the lines that were edited. */
  function diffCode(old, recent) {
    if (!(old + recent).includes("\n") || !old || !recent) return diffSpans(old, recent);
    const [olds, news] = [old, recent].map((text) => text.split("\n").map((line) => "\n" + line));
    const spans = [];
    let [i, j] = [0, 0];
    for (const [k, m] of [...keptLines(olds, news), [olds.length, news.length]]) {
      spans.push({ op: DELETE, text: olds.slice(i, k).join("") }, { op: INSERT, text: news.slice(j, m).join("") });
      if (k < olds.length) spans.push(...diffSpans(olds[k], news[m]));
      [i, j] = [k + 1, m + 1];
    }
    return withoutFirst(joinSpans(spans));
  }

  function keptLines(olds, news) {
    const blocks = (lines) => lines.map((line) => compare.codeLine(trim(line)));
    if (compareLists(olds, news, compareTexts) <= 0) return compare.alignBlocks(blocks(olds), blocks(news)).kept;
    return compare.alignBlocks(blocks(news), blocks(olds)).kept.map(([j, i]) => [i, j]);
  }

  function compareLists(ones, others, order) {
    for (let at = 0; at < Math.min(ones.length, others.length); at += 1) {
      const found = order(ones[at], others[at]);
      if (found) return found;
    }
    return ones.length - others.length;
  }

  function withoutFirst(spans) {
    let leading = spans.findIndex((span) => span.op === EQUAL);
    if (leading < 0) leading = spans.length;
    const texts = spans.map((span) => span.text);
    for (let at = 0; at < Math.max(leading, 1); at += 1) texts[at] = texts[at].slice(1);
    if (leading === 1) {
      texts[0] += "\n";
      texts[1] = texts[1].slice(1);
    }
    return joinSpans(spans.map((span, at) => ({ op: span.op, text: texts[at] })));
  }

  Object.assign(compare, {
    EQUAL, INSERT, DELETE, TooLong, begin, take, isWide, isWord, tokenize, countWords, trimEnd, withoutSpace,
    commonPairs, compareTexts, compareLists, diffSpans, diffCode, markLoose, isSame, isSpace,
  });
})();
