{#-
  What of the theme's frame is the same on every page, which it would write on every page: its inline scripts, its
  settings, the switch between light and dark. Made once for a site. It is loaded in the head, before anything is shown.
-#}
{% import "partials/language.html" as lang with context %}
{% set options = [] if config.theme.palette is mapping else config.theme.palette or [] %}
{% set switch %}{% include "partials/palette.html" %}{% endset %}
(function () {
  "use strict";

  const SITE = new URL("../../", document.currentScript.src);

  const COUNT = {{ options | length }};

  /* A choice of colours is the number of an option that there is. */
  const isReadable = (key, value) => key !== "__palette" || [...Array(COUNT).keys()].includes(value?.index);

  /* What a reader has chosen, by names that the theme's own script asks by. What cannot be read was never chosen. */
  window.__md_scope = new URL("/", location);
  window.__md_hash = (text) => [...text].reduce((hash, sign) => (hash << 5) - hash + sign.charCodeAt(0), 0);
  window.__md_get = (key, storage, scope = __md_scope) => {
    try {
      const value = JSON.parse((storage ?? localStorage).getItem(`${scope.pathname}.${key}`));
      return isReadable(key, value) ? value : null;
    } catch {
      return null;
    }
  };
  window.__md_set = (key, value, storage, scope = __md_scope) => {
    try {
      (storage ?? localStorage).setItem(`${scope.pathname}.${key}`, JSON.stringify(value));
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
{% if options %}

  const SWITCH = {{ switch | tojson }};

  /* What was chosen, else what the system asks for, is shown from the start: this runs while the header is read. The
     option is the one that the theme's script takes: by its number, whatever colours were stored with it. */
  function showChosen(element) {
    const all = [...element.querySelectorAll("input")];
    const media = (option) => option.getAttribute("data-md-color-media");
    const number = __md_get("__palette")?.index ?? all.findIndex((option) => matchMedia(media(option)).matches);
    let option = all[Math.max(0, number)];
    if (media(option) === "(prefers-color-scheme)") {
      const scheme = matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
      option = all.find((other) => media(other) === `(prefers-color-scheme: ${scheme})`) ?? option;
    }
    for (const name of ["media", "scheme", "primary", "accent"].map((part) => `data-md-color-${part}`)) {
      document.body.setAttribute(name, option.getAttribute(name));
    }
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
