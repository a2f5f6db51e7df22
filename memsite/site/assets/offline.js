/* From file:// an address that ends in "/" shows a folder: there, links lead to the page inside it. */
(function () {
  "use strict";

  if (location.protocol !== "file:") return;

  function lead(link) {
    if (link.protocol === "file:" && link.pathname.endsWith("/")) link.pathname += "index.html";
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
