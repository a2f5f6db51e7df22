/* Rows of a comparison as elements: memsite/site/templates/pages/_diff.html, in the browser. Text is text, never HTML. */
(function () {
  "use strict";

  const compare = (window.memsiteCompare ??= {});
  const NAMES = { strong: "strong", em: "em", s: "s", code: "code" };
  const SIGNS = { insert: ["+", "added"], delete: ["−", "removed"], change: ["~", "changed"], moved: ["↕", "moved"] };

  function element(name, className, ...children) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  const marked = (text, marks) => marks.reduceRight((inner, mark) => (
    NAMES[mark] ? element(NAMES[mark], "", inner) : element("span", "memsite-diff-link", inner)), text);

  const words = (items) => items.map(({ op, text, marks }) => {
    if (op === compare.EQUAL) return marked(text, marks);
    return element(op === compare.INSERT ? "ins" : "del", "", marked(text, marks));
  });

  function sourceMark([text, href, missing]) {
    if (href !== null) {
      const link = element("a", "memsite-source", text);
      link.setAttribute("href", href);
      if (missing) {
        link.classList.add("memsite-source-missing");
        link.title = "The note has no such line";
      }
      return link;
    }
    const mark = element("span", missing ? "memsite-source memsite-source-missing" : "memsite-source", text);
    if (missing) mark.title = "It does not exist";
    return mark;
  }

  function noteMark(note, before) {
    const mark = element("span", "memsite-diff-note", note);
    if (note === "sources changed" && before.length) mark.title = `before: ${before.map(([text]) => text).join("; ")}`;
    return mark;
  }

  function aside(sources, notes, before) {
    if (!sources.length && !notes.length) return [];
    const marks = [...sources.map(sourceMark), ...notes.map((note) => noteMark(note, before))];
    return [" ", element("span", "memsite-sources", ...marks)];
  }

  function block(row, items, sources, notes, before) {
    if (row.type === "rule") return [element("hr")];
    const beside = aside(sources, notes, before);
    if (row.type === "code") return [element("pre", "memsite-diff-code", ...words(items)), ...beside];
    const prefix = row.prefix ? [element("span", "memsite-diff-prefix", row.prefix), " "] : [];
    return [element("p", `memsite-diff-${row.type} memsite-diff-level-${row.level}`,
      ...prefix, ...words(items), ...beside)];
  }

  function sign(row) {
    if (row.kind === compare.EQUAL) return [];
    const [mark, word] = SIGNS[row.kind];
    const shown = element("span", "", mark);
    shown.setAttribute("aria-hidden", "true");
    const made = element("span", "memsite-diff-sign", shown, element("span", "memsite-hidden", `${word}:`));
    made.title = word;
    return [made];
  }

  const inline = (rows) => rows.map((row) => element("div", `memsite-diff-row memsite-diff-is-${row.kind}`,
    ...sign(row), ...block(row, row.words, row.inNew ? row.sources : row.oldSources, row.notes, row.oldSources)));

  const beside = (rows) => rows.map((row) => element("div", `memsite-diff-pair memsite-diff-is-${row.kind}`,
    element("div", "", ...(row.inNew ? [] : sign(row)),
      ...(row.oldShape ? block(row.oldShape, row.before, row.oldSources, [], []) : [])),
    element("div", "", ...(row.inNew ? [...sign(row), ...block(row, row.after, row.sources, row.notes, row.oldSources)] : []))));

  const heads = (older, newer) => (
    element("div", "memsite-diff-pair memsite-diff-heads", element("div", "", older), element("div", "", newer)));

  function fold(rows, drawn) {
    const count = rows.length.toLocaleString("en");
    const summary = element("summary", "", `${count} unchanged block${rows.length === 1 ? "" : "s"}`);
    return element("details", "memsite-fold", summary, ...drawn);
  }

  const stretches = (found, draw) => found.stretches.flatMap(({ rows, folded }) => (
    folded ? [fold(rows, draw(rows))] : draw(rows)));

  Object.assign(compare, { element, inline, beside, heads, stretches });
})();
