// What a payload would do in a page, provoked and caught. Runs in every frame before anything else does.
(() => {
  const tell = (what) => {
    try { window.top.memsiteTrapped?.(window.name, what); } catch { /* a frame of elsewhere */ }
  };
  for (const name of ["alert", "prompt", "confirm", "print", "open"]) {
    window[name] = () => { tell(name); return null; };
  }
  const events = (element) => [...element.attributes].map((one) => one.name).filter((name) => /^on/i.test(name));
  // Everything that waits for a reader's hand: each handler gets its event, each address that is a script counts.
  window.memsiteProvoke = () => {
    for (const element of document.querySelectorAll("*")) {
      for (const name of events(element)) {
        try { element.dispatchEvent(new Event(name.slice(2).toLowerCase())); } catch { /* not every name is one */ }
      }
      for (const name of ["href", "xlink:href", "action", "formaction"]) {
        const address = (element.getAttribute(name) ?? "").replace(/[\t\n\r]|^[\0-\x20]+/g, "");
        if (/^javascript:/i.test(address)) tell(`${name} is a script`);
      }
      if (element.hasAttribute("srcdoc")) tell("srcdoc");
    }
  };
})();
