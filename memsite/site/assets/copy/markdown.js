/* Copies a page's Markdown. It comes as a script, because a page from file:// can fetch nothing. */
(function () {
  "use strict";

  const button = document.querySelector("[data-memsite-markdown]");
  if (!button) return;
  const said = button.parentElement.querySelector("[role=status]");
  let loading;

  function load() {
    loading ||= new Promise((resolve, reject) => {
      window.memsiteMarkdown = { receive: resolve };
      const script = document.createElement("script");
      script.src = button.dataset.memsiteMarkdown;
      script.onerror = () => {
        loading = undefined;
        script.remove();
        reject(new Error("not loaded"));
      };
      document.head.append(script);
    });
    return loading;
  }

  /* Where the browser has no clipboard for scripts, as over plain http: what is selected can be copied. */
  function copySelected(text) {
    const area = document.createElement("textarea");
    area.value = text;
    area.readOnly = true;
    area.className = "memsite-markdown__text";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    button.focus();
    if (!done) throw new Error("not copied");
  }

  async function copy() {
    const text = await load();
    if (navigator.clipboard) await navigator.clipboard.writeText(text).catch(() => copySelected(text));
    else copySelected(text);
  }

  function say(text) {
    said.textContent = text;
    setTimeout(() => said.textContent === text && (said.textContent = ""), 4000);
  }

  /* Loaded before the click, it can be copied within it. */
  for (const event of ["pointerenter", "focus"]) button.addEventListener(event, () => load().catch(() => {}));
  button.addEventListener("click", () =>
    copy().then(
      () => say(button.dataset.done),
      () => say(button.dataset.failed),
    ),
  );
  button.hidden = false;
})();
