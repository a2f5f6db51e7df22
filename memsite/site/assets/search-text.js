/* Text to words and runs, exactly as memsite/site/search/tokenize.py does it; where a query stands in a text. */
(function () {
  "use strict";

  const RUN_RANGES =
    "e01-eff 1000-109f 1100-11ff 1780-17d3 2600-27bf 3005-3007 3021-302f 3031-3035 3038-303c 3041-309a 309d-309f " +
    "30a1-30fa 30fc-318f 31a0-31ff 3400-4dbf 4e00-9fff a960-a97f ac00-d7ff f900-faff 1b000-1b16f 1f000-1faff " +
    "20000-3ffff";
  const SEPARATOR_RANGES =
    "0-2f 3a-40 5b-60 7b-bf d7 f7 2c2-2c5 2d2-2eb 2ed 2ef-2ff 375 37e 387 3f6 482 55a-55f 589-58f 5be 5c0 5c3 5c6 " +
    "5f3-60f 61b-61f 66a-66d 6d4 6dd-6de 6e9 6fd-6fe 700-70f 7f6-7f9 7fe-7ff 830-83e 85e 964-965 970 9f2-9f3 " +
    "9fa-9fb 9fd a76 af0-af1 b70 bf3-bfa c77 c7f c84 d4f d79 df4 f01-f17 f1a-f1f f34 f36 f38 f3a-f3d f85 fbe-fc5 " +
    "fc7-fda 10fb 1360-1368 1390-1399 1400 166d-166e 1680 169b-169c 16eb-16ed 1735-1736 17d4-17d6 17d8-17db " +
    "1800-180a 180e 1940-1945 19de-19ff 1a1e-1a1f 1b5a-1b6a 1c3b-1c3f 1c7e-1c7f 2000-20cf 2104-212e 213a-214d 214f " +
    "218a-25ff 27c0-2bff 2cf9-2cff 2d70 2e00-3004 3008-3020 3030 3036-3037 303d-3040 309b-309c 30a0 30fb 3190-319f " +
    "3200-33ff 4dc0-4dff a490-a4cf a4fe-a4ff a60d-a60f a673 a67e a6f2-a716 a720-a721 a789-a78a a828-a82b a836-a839 " +
    "a874-a877 a8ce-a8cf a8f8-a8fa a92e-a92f a95f a9c1-a9cd aa5c-aa5f aade-aadf abeb d800-f8ff fd3e-fd4f fdfc-fe1f " +
    "fe30-fe6f feff ff00-ff0f fff0-ffff 1d000-1d3ff 1fb00-1fbff e0000-e01ff";
  const FOLDED = { "ß": "ss", "ς": "σ" };
  const MAX_WORD = 30;

  const characterClass = (ranges) =>
    ranges.split(" ").map((range) => range.split("-").map((code) => `\\u{${code}}`).join("-")).join("");
  const RUNS = characterClass(RUN_RANGES);
  const TOKEN = new RegExp(`([${RUNS}]+)|([^${RUNS}${characterClass(SEPARATOR_RANGES)}]+)`, "gu");
  const ASCII = /^[\0-\x7f]*$/;
  /* A letter with all that NFKC may join to it: marks, half-width voice marks, Hangul vowels and finals. */
  const CLUSTER = /[^][\p{M}\uff9e\uff9f\u1160-\u11ff\uffa0-\uffdc]*/gu;

  function fold(text) {
    const lower = (ASCII.test(text) ? text : text.normalize("NFKC")).toLowerCase();
    return lower.replace(/[ßς]/g, (letter) => FOLDED[letter]);
  }

  /* The units of folded text: {text, run, at, start, end}; `at` is the position that the index counts. */
  function tokens(folded) {
    let at = 0;
    return Array.from(folded.matchAll(TOKEN), (found) => {
      const run = found[1] !== undefined;
      const size = run ? Array.from(found[0]).length : 1;
      const token = { text: found[0], run, at, size, start: found.index, end: found.index + found[0].length };
      at += run ? size + 1 : 1;
      return token;
    });
  }

  /* A query to groups of units. Words between quotation marks form one group that must stand as it is. The unit at the
     very end is open: it may be typed on. */
  function parse(query) {
    const groups = [];
    for (const [, quoted, free] of query.matchAll(/["“”]([^"“”]*)["“”]|([^"“”]+)/g)) {
      const folded = fold(quoted ?? free);
      const units = tokens(folded);
      for (const unit of units) unit.open = unit.end === folded.length;
      for (const unit of units) if (!unit.run) unit.text = Array.from(unit.text).slice(0, MAX_WORD).join("");
      if (quoted !== undefined && units.length) groups.push({ exact: true, units });
      else for (const unit of units) groups.push({ exact: false, units: [unit] });
    }
    return groups;
  }

  /* Folded text with, for each of its UTF-16 units, where it came from: [folded, starts, ends]. */
  function foldWithOrigins(text) {
    if (ASCII.test(text)) return [text.toLowerCase(), null, null];
    let folded = "";
    const starts = [];
    const ends = [];
    for (const found of text.matchAll(CLUSTER)) {
      const part = fold(found[0]);
      folded += part;
      for (let index = 0; index < part.length; index += 1) {
        starts.push(found.index);
        ends.push(found.index + found[0].length);
      }
    }
    return [folded, starts, ends];
  }

  function* foundIn(token, units) {
    for (const unit of units) {
      if (unit.run !== token.run) continue;
      if (!unit.run) {
        if (token.text.startsWith(unit.text)) yield [token.start, token.start + unit.text.length, unit];
        continue;
      }
      for (let at = token.text.indexOf(unit.text); at >= 0; at = token.text.indexOf(unit.text, at + 1)) {
        yield [token.start + at, token.start + at + unit.text.length, unit];
      }
    }
  }

  /* Where the units stand in the text, ascending, not overlapping: {start, end, unit}. */
  function ranges(text, units, limit = 1000) {
    const [folded, starts, ends] = foldWithOrigins(text);
    const all = [];
    for (const token of tokens(folded)) {
      for (const [start, end, unit] of foundIn(token, units)) {
        all.push({ start: starts ? starts[start] : start, end: ends ? ends[end - 1] : end, unit });
      }
      if (all.length >= limit) break;
    }
    all.sort((one, other) => one.start - other.start || other.end - one.end);
    const kept = [];
    for (const range of all) if (!kept.length || range.start >= kept[kept.length - 1].end) kept.push(range);
    return kept;
  }

  /* The stretch of about `width` characters that shows most of the units: {text, ranges, cut: [before, after]}. */
  function excerpt(text, units, width = 160) {
    const found = ranges(text, units);
    let best = 0;
    let bestCount = 0;
    found.forEach((first, index) => {
      const seen = new Set();
      for (let other = index; other < found.length && found[other].end - first.start <= width * 0.7; other += 1) {
        seen.add(found[other].unit.text);
      }
      if (seen.size > bestCount) [best, bestCount] = [index, seen.size];
    });
    const middle = found.length ? found[best].start : 0;
    const before = Math.min(middle - Math.floor(width * 0.3), text.length - width);
    const start = middle < width * 0.5 ? 0 : startOfWord(text, Math.max(0, before), middle);
    const end = endOfWord(text, Math.min(text.length, start + width));
    const inside = found.filter((range) => range.start >= start && range.end <= end);
    return {
      text: text.slice(start, end).replace(/\s/g, " "),
      ranges: inside.map((range) => ({ ...range, start: range.start - start, end: range.end - start })),
      cut: [start > 0, end < text.length],
    };
  }

  function startOfWord(text, from, before) {
    if (from === 0) return 0;
    const space = text.slice(from, before).search(/\s/);
    const start = space >= 0 && space < 20 ? from + space + 1 : from;
    return /[\udc00-\udfff]/.test(text[start] ?? "") ? start - 1 : start;
  }

  function endOfWord(text, from) {
    if (from >= text.length) return text.length;
    const space = text.slice(from, from + 20).search(/\s/);
    const end = space >= 0 ? from + space : from;
    return /[\udc00-\udfff]/.test(text[end] ?? "") ? end + 1 : end;
  }

  memsiteSearch("text", { fold, tokens, parse, ranges, excerpt, RUN_RANGES, SEPARATOR_RANGES });
})();
