/* j and k lead to what comes after and before: from day to day, generation to generation, revision to revision. */
(function () {
  "use strict";

  const WAYS = { j: "next", k: "prev" };
  const TYPED_INTO = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

  function shownRevision() {
    try {
      return document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest(".memsite-past-head");
    } catch {
      return null; // no address of ours
    }
  }

  /* Where a revision is shown, its file's other revisions; else the page's neighbours; from a page without any, back to
     the newest revision of its file. */
  function findWay(rel) {
    const revision = shownRevision();
    if (revision) return revision.querySelector(`a[rel="${rel}"]`);
    if (document.querySelector(".memsite-neighbours")) return document.querySelector(`.memsite-neighbours a[rel="${rel}"]`);
    return rel === "prev" ? document.querySelector('.memsite-revisions .memsite-log a[href*="#"]') : null;
  }

  document.addEventListener("keydown", (event) => {
    const combined = event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented;
    if (combined || !Object.hasOwn(WAYS, event.key) || event.target.closest?.(TYPED_INTO)) return;
    if (!document.querySelector("dialog[open]")) findWay(WAYS[event.key])?.click();
  });
})();
