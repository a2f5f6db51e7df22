/* From file:// an address that ends in "/" shows a folder: there, links lead to the page inside it. */
(function () {
  "use strict";

  if (location.protocol !== "file:") return;

  function lead(link) {
    const href = link.getAttribute("href");
    /* Links of drawings have no parts of an address by themselves. */
    if (!URL.canParse(href, location.href)) return;
    const url = new URL(href, location.href);
    if (url.protocol !== "file:" || !url.pathname.endsWith("/")) return;
    url.pathname += "index.html";
    link.setAttribute("href", url.href);
  }

  function leadAll(root) {
    for (const link of root.querySelectorAll("a[href]")) lead(link);
  }

  leadAll(document);
  /* Links that a script adds later. */
  document.addEventListener("focusin", (event) => event.target.matches("a[href]") && lead(event.target));
  document.addEventListener("pointerover", (event) => {
    const link = event.target.closest?.("a[href]");
    if (link) lead(link);
  });
})();
