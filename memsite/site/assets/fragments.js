/* What an address names is shown: unfolded where it is folded, which not every browser does by itself, and switched on
   where it is a switch. */
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
    if (place.matches(".memsite-said-switch")) place.checked = true;
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
