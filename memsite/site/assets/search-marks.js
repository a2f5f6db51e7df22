/* The words of a query, marked on the page that a result led to. */
(function () {
  "use strict";

  const MARKED = "memsite-mark";
  const MOST = 300;
  const BLOCKS =
    "p,li,td,th,h1,h2,h3,h4,h5,h6,pre,dt,dd,blockquote,figcaption,summary,div,section,article,main";

  function blockOf(node) {
    return node.parentElement.closest(BLOCKS);
  }

  /* The text nodes of the page's article, those of one block together. */
  function* textBlocks(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
      node.parentElement.closest("script,style,svg,button,select,textarea,.headerlink")
        ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    let nodes = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (nodes.length && blockOf(nodes[0]) !== blockOf(node)) {
        yield nodes;
        nodes = [];
      }
      nodes.push(node);
    }
    if (nodes.length) yield nodes;
  }

  /* Wraps a stretch of the joined text of nodes; from the end to the start, so that offsets stay true. */
  function wrap(nodes, start, end) {
    let offset = nodes.reduce((sum, node) => sum + node.data.length, 0);
    for (const node of nodes.slice().reverse()) {
      offset -= node.data.length;
      const from = Math.max(0, start - offset);
      const to = Math.min(node.data.length, end - offset);
      if (from >= to) continue;
      const middle = node.splitText(from);
      middle.splitText(to - from);
      const made = document.createElement("mark");
      made.className = MARKED;
      middle.replaceWith(made);
      made.append(middle);
    }
  }

  function reveal(first) {
    for (let fold = first?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    first?.scrollIntoView({ block: "center" });
  }

  function mark(text, root, query) {
    const units = text.parse(query).flatMap((group) => group.units);
    for (const nodes of Array.from(textBlocks(root))) {
      const joined = nodes.map((node) => node.data).join("");
      for (const { start, end } of text.ranges(joined, units, MOST).reverse()) wrap(nodes, start, end);
    }
    if (!location.hash) reveal(root.querySelector(`.${MARKED}`));
  }

  function unmark(root) {
    for (const made of root.querySelectorAll(`.${MARKED}`)) {
      const parent = made.parentNode;
      made.replaceWith(...made.childNodes);
      parent.normalize();
    }
  }

  memsiteSearch("marks", { mark, unmark });
})();
