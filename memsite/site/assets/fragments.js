/* A place within what is folded is shown: not every browser unfolds for an address by itself. */
(function () {
  "use strict";

  function unfold() {
    let id;
    try {
      id = decodeURIComponent(location.hash.slice(1));
    } catch {
      return;
    }
    const place = id && document.getElementById(id);
    if (!place) return;
    let folded = false;
    for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      folded ||= !fold.open;
      fold.open = true;
    }
    if (folded) place.scrollIntoView();
  }

  unfold();
  addEventListener("hashchange", unfold);
})();
