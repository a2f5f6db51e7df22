{#-
  What of the theme's frame is the same on every page, which it would write on every page: its inline scripts, its
  settings, the switch between light and dark. Made once for a site. It is loaded in the head, before anything is shown.
-#}
{% import "partials/language.html" as lang with context %}
{% set switch %}{% include "partials/palette.html" %}{% endset %}
(function () {
  "use strict";

  const SITE = new URL("../../", document.currentScript.src);

  /* What a reader has chosen, by names that the theme's own script asks by. */
  window.__md_scope = new URL("/", location);
  window.__md_hash = (text) => [...text].reduce((hash, sign) => (hash << 5) - hash + sign.charCodeAt(0), 0);
  window.__md_get = (key, storage = localStorage, scope = __md_scope) => JSON.parse(storage.getItem(`${scope.pathname}.${key}`));
  window.__md_set = (key, value, storage = localStorage, scope = __md_scope) => {
    try {
      storage.setItem(`${scope.pathname}.${key}`, JSON.stringify(value));
    } catch {
      /* Where nothing may be stored, nothing is remembered. */
    }
  };
{% if "search" not in config.plugins and "material/search" not in config.plugins %}

  const settings = document.createElement("script");
  settings.id = "__config";
  settings.type = "application/json";
  settings.textContent = JSON.stringify({
    base: SITE.href,
    ...{{ {
      "features": config.theme.features or [],
      "translations": {
        "clipboard.copy": lang.t("clipboard.copy"),
        "clipboard.copied": lang.t("clipboard.copied"),
        "select.version": lang.t("select.version")
      },
      "search": "",
      "version": config.extra.version or none
    } | tojson }},
  });
  document.head.append(settings);
{% endif %}
{% if config.theme.palette and config.theme.palette is not mapping %}

  const SWITCH = {{ switch | tojson }};

  /* What was chosen is shown from the start: this runs while the header is read. */
  function showChosen(options) {
    let color = __md_get("__palette")?.color;
    if (!color) return;
    if (color.media === "(prefers-color-scheme)") {
      const scheme = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
      const option = options.querySelector(`[data-md-color-media="(prefers-color-scheme: ${scheme})"]`);
      if (!option) return;
      const names = ["media", "scheme", "primary", "accent"];
      color = Object.fromEntries(names.map((name) => [name, option.getAttribute(`data-md-color-${name}`)]));
    }
    for (const [name, value] of Object.entries(color)) document.body.setAttribute(`data-md-color-${name}`, value);
  }

  class Palette extends HTMLElement {
    connectedCallback() {
      if (this.firstChild) return;
      this.innerHTML = SWITCH;
      showChosen(this);
    }
  }

  customElements.define("memsite-palette", Palette);
{% endif %}
})();
