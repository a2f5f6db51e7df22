/* The search dialog, made when it is first opened. The index, what reads it and what marks a page are loaded when they
   are first needed. */
(function () {
  "use strict";

  const BASE = new URL("../../", document.currentScript.src);
  const CODE = new Set(["text", "engine", "marks"]);
  const TOPIC = "topic";
  const FIRST_SHOWN = 10;
  const FAR_BETTER = 2;
  const TEXTS = {
    en: {
      search: "Search", placeholder: "Search the memory", close: "Close", results: "Results", more: "More results",
      kind: "Kind", all: "All kinds", time: "Time",
      times: { "": "Any time", 7: "Last 7 days", 30: "Last 30 days", 365: "Last year" },
      one: "1 page", many: "{n} pages", none: "No page has this",
      partial: "No page has all of this; {n} have some of it", failed: "The search index cannot be loaded",
      keys: "↑ ↓ to choose, Enter to open, Esc to close; “…” for an exact phrase",
      kinds: {
        topic: "Topics", generation: "Generations", day: "Days", "session-day": "Sessions", note: "Notes",
        compare: "Comparisons", "history-day": "History", history: "History overview", index: "Index", home: "Home",
        topics: "Topic lists", days: "Calendars", sessions: "Session lists", notes: "Note lists", search: "Search",
      },
    },
    zh: {
      search: "搜索", placeholder: "搜索记忆", close: "关闭", results: "结果", more: "更多结果",
      kind: "类型", all: "全部类型", time: "时间",
      times: { "": "任何时间", 7: "最近 7 天", 30: "最近 30 天", 365: "最近一年" },
      one: "1 个页面", many: "{n} 个页面", none: "没有找到",
      partial: "没有页面包含全部内容；{n} 个页面包含其中一部分", failed: "无法加载搜索索引",
      keys: "↑ ↓ 选择，Enter 打开，Esc 关闭；“…” 精确短语",
      kinds: {
        topic: "主题", generation: "整合版本", day: "每日笔记", "session-day": "会话", note: "笔记",
        compare: "对比", "history-day": "历史", history: "历史总览", index: "索引", home: "首页",
        topics: "主题列表", days: "日历", sessions: "会话列表", notes: "笔记列表", search: "搜索",
      },
    },
  };
  const CLOSE = "M6.4 5 5 6.4l5.6 5.6L5 17.6 6.4 19l5.6-5.6 5.6 5.6 1.4-1.4-5.6-5.6L19 6.4 17.6 5 12 10.6z";
  const waiting = new Map();
  let version = "";

  /* What every script of the index calls. */
  window.memsiteSearch = function receive(name, data) {
    if (name === "manifest") version = data.version;
    waiting.get(name)?.resolve(data);
  };

  /* A script of the index: what it hands over; rejected when it cannot be had. */
  function load(name) {
    if (waiting.has(name)) return waiting.get(name).promise;
    const entry = {};
    entry.promise = new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }));
    waiting.set(name, entry);
    const script = document.createElement("script");
    script.charset = "utf-8";
    const path = CODE.has(name) ? `assets/memsite/search-${name}.js` : `search/${name}.js`;
    script.src = new URL(path, BASE).href + (version && BASE.protocol !== "file:" ? `?${version}` : "");
    script.onload = () => entry.reject(new Error(`${name} is empty`));
    script.onerror = () => {
      waiting.delete(name);
      entry.reject(new Error(`${name} cannot be loaded`));
    };
    document.head.append(script);
    return entry.promise.finally(() => script.remove());
  }

  const missing = { text: null };
  async function loadText() {
    missing.text ??= await load("text");
    return missing.text;
  }

  function element(name, className, ...children) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  function withAttributes(made, attributes) {
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }

  function addressOf(uri, query) {
    const path = uri.split("/").map(encodeURIComponent).join("/");
    const target = new URL(path || "./", BASE);
    if (target.protocol === "file:" && target.pathname.endsWith("/")) target.pathname += "index.html";
    target.searchParams.set("h", query);
    return target.href;
  }

  const dateOf = (ordinal) => new Date((ordinal - 719163) * 86400000);

  function timeElement(ordinal) {
    const time = element("time", "memsite-search__day",
      dateOf(ordinal).toLocaleDateString(undefined, { dateStyle: "medium", timeZone: "UTC" }));
    time.dateTime = dateOf(ordinal).toISOString().slice(0, 10);
    return time;
  }

  function withMarks(text, ranges) {
    const parts = [];
    let at = 0;
    for (const { start, end } of ranges) {
      parts.push(text.slice(at, start), element("mark", "", text.slice(start, end)));
      at = end;
    }
    return [...parts, text.slice(at)];
  }

  /* Results as elements. */

  function option(result, units, number, query) {
    const [uri, title, text] = result.read;
    const part = missing.text.excerpt(text, units);
    const head = element("span", "memsite-search__title", ...withMarks(title || uri, missing.text.ranges(title || uri, units)));
    const line = element("span", "memsite-search__excerpt",
      part.cut[0] ? "… " : "", ...withMarks(part.text, part.ranges), part.cut[1] ? " …" : "");
    const link = element("a", "memsite-search__result", head, line);
    if (result.day) link.insertBefore(timeElement(result.day), line);
    link.href = addressOf(uri, query);
    link.id = `__memsite-search-result-${number}`;
    link.tabIndex = -1;
    link.setAttribute("role", "option");
    link.setAttribute("aria-selected", "false");
    return link;
  }

  function groupBox(group, label, options) {
    const heading = element("div", "memsite-search__kind", label, " ",
      element("span", "memsite-search__count", group.count.toLocaleString()));
    heading.id = `__memsite-search-kind-${group.kind}`;
    heading.setAttribute("role", "presentation");
    const box = element("div", "memsite-search__group", heading, ...options);
    box.setAttribute("role", "group");
    box.setAttribute("aria-labelledby", heading.id);
    return box;
  }

  /* Groups by kind in the order of their best result, but topics first unless others fit far better. Few of each, until
     more are asked for. */
  function choose(ranked, rounds) {
    const groups = new Map();
    for (const result of ranked) groups.set(result.kind, [...(groups.get(result.kind) ?? []), result]);
    const leads = (kind) => kind === TOPIC && groups.get(kind)[0].score * FAR_BETTER >= ranked[0].score;
    const kinds = Array.from(groups.keys()).sort((one, other) => leads(other) - leads(one));
    let room = FIRST_SHOWN + rounds * 3 * FIRST_SHOWN;
    return kinds.map((value) => {
      const all = groups.get(value);
      const most = kinds.length === 1 ? FIRST_SHOWN : value === TOPIC ? 2 : 4;
      const shown = all.slice(0, Math.max(0, Math.min(room, most + rounds * FIRST_SHOWN)));
      room -= shown.length;
      return { kind: value, count: all.length, results: shown };
    }).filter((group) => group.results.length);
  }

  function announce(words, count, partial) {
    if (!count) return words.none;
    return (partial ? words.partial : count === 1 ? words.one : words.many).replace("{n}", count.toLocaleString());
  }

  /* The filters of the dialog. */

  function offerFilters({ kind, time }, tree) {
    const labelled = new Set(Array.from(kind.options, (each) => each.value));
    for (const value of tree.kinds) if (!labelled.has(value)) kind.append(new Option(value, value));
    for (const each of Array.from(kind.options)) {
      if (each.value && !tree.kinds.includes(each.value)) each.remove();
    }
    const years = new Set(Array.from(tree.documents.values(), ({ day }) => day && dateOf(day).getUTCFullYear()));
    years.delete(0);
    const newest = Array.from(years).sort((one, other) => other - one);
    if (time.dataset.filled) return;
    time.dataset.filled = "true";
    time.append(...newest.map((year) => new Option(String(year), `year ${year}`)));
  }

  /* Which results pass the filter. "Last days" count from the newest day of the memory, as the whole site does. */
  function timeFilter({ time }, tree) {
    if (!time.value) return () => true;
    if (!time.value.startsWith("year ")) return ({ day }) => day > tree.newest - Number(time.value);
    return ({ day }) => day && dateOf(day).getUTCFullYear() === Number(time.value.slice(5));
  }

  /* The dialog: `parts` are its elements by name and its words, `state` what it remembers between two keys. */

  function icon(path) {
    const make = (name) => document.createElementNS("http://www.w3.org/2000/svg", name);
    const svg = withAttributes(make("svg"), { viewBox: "0 0 24 24", "aria-hidden": "true" });
    svg.append(withAttributes(make("path"), { d: path }));
    return svg;
  }

  function button(className, attributes, ...children) {
    return withAttributes(element("button", className, ...children), { type: "button", ...attributes });
  }

  function choice(label, options) {
    const select = withAttributes(element("select", ""), { "aria-label": label });
    select.append(...options.map(([value, text]) => new Option(text, value)));
    return select;
  }

  function makeParts(words) {
    const parts = {
      words,
      input: withAttributes(element("input", "memsite-search__input"), {
        type: "search", role: "combobox", "aria-expanded": "false", "aria-controls": "__memsite-search-results",
        "aria-autocomplete": "list", "aria-label": words.placeholder, placeholder: words.placeholder, autocomplete: "off",
        autocapitalize: "off", autocorrect: "off", spellcheck: "false", enterkeyhint: "go", maxlength: "300",
      }),
      close: button("memsite-search__close", { "aria-label": words.close, title: `${words.close} (Esc)` }, icon(CLOSE)),
      kind: choice(words.kind, [["", words.all], ...Object.entries(words.kinds)]),
      time: choice(words.time, ["", "7", "30", "365"].map((value) => [value, words.times[value]])),
      status: withAttributes(element("p", "memsite-search__status"), { role: "status" }),
      results: withAttributes(element("div", "memsite-search__results"), {
        id: "__memsite-search-results", role: "listbox", "aria-label": words.results, hidden: "",
      }),
      more: button("memsite-search__more", { hidden: "" }, words.more),
    };
    for (const [name, part] of Object.entries(parts)) if (part !== words) part.dataset.memsiteSearch = name;
    return parts;
  }

  function makeDialog(words) {
    const parts = makeParts(words);
    const { input, close, kind, time, status, results, more } = parts;
    parts.dialog = withAttributes(element("dialog", "memsite-search",
      withAttributes(element("div", "memsite-search__bar", input, close), { role: "search" }),
      element("div", "memsite-search__filters", kind, time),
      status, results, more, element("p", "memsite-search__keys", words.keys)), { "aria-label": words.search });
    document.body.append(parts.dialog);
    return parts;
  }

  async function loadEngine(parts, state) {
    const [text, createEngine] = await Promise.all([loadText(), load("engine")]);
    if (state.engine) return;
    const made = createEngine(text, load);
    offerFilters(parts, await made.open());
    state.engine = made;
  }

  /* What the dialog shows for a query; null when another one has been typed meanwhile: its texts need not be loaded. */
  async function find(parts, state, query, isCurrent) {
    await loadEngine(parts, state);
    const tree = await state.engine.open();
    const found = await state.engine.search(query);
    const inTime = found.results.filter(timeFilter(parts, tree));
    const chosen = inTime.filter((result) => !parts.kind.value || result.kind === parts.kind.value);
    if (!isCurrent()) return null;
    const groups = choose(chosen, state.rounds);
    const shown = groups.flatMap((group) => group.results);
    const texts = await state.engine.read(shown.map((result) => result.id));
    shown.forEach((result, index) => { result.read = texts[index] ?? ["", "", ""]; });
    return { groups, message: announce(parts.words, chosen.length, found.partial), hasMore: chosen.length > shown.length,
      units: missing.text.parse(query).flatMap(({ units }) => units) };
  }

  async function search(parts, state) {
    const mine = (state.turn += 1);
    const query = parts.input.value;
    if (!query.trim()) return show(parts, { groups: [], message: "" });
    parts.dialog.setAttribute("aria-busy", "true");
    let found = null;
    try {
      found = await find(parts, state, query, () => mine === state.turn);
    } catch (error) {
      found = { groups: [], message: parts.words.failed };
    }
    return mine === state.turn ? show(parts, found) : undefined;
  }

  function show(parts, { groups, message, units = [], hasMore = false }) {
    const { dialog, input, kind, results, more, status } = parts;
    dialog.setAttribute("aria-busy", "false");
    let number = 0;
    results.replaceChildren(...groups.map((group) => {
      const label = Array.from(kind.options).find((each) => each.value === group.kind)?.text ?? group.kind;
      return groupBox(group, label, group.results.map((result) => option(result, units, (number += 1), input.value.trim())));
    }));
    results.hidden = !groups.length;
    more.hidden = !hasMore;
    input.setAttribute("aria-expanded", String(!results.hidden));
    status.textContent = message;
    activate(parts, null);
  }

  const optionsOf = ({ results }) => Array.from(results.querySelectorAll('[role="option"]'));
  const activeOf = ({ results }) => results.querySelector('[aria-selected="true"]');

  function activate(parts, link) {
    activeOf(parts)?.setAttribute("aria-selected", "false");
    if (!link) return parts.input.removeAttribute("aria-activedescendant");
    link.setAttribute("aria-selected", "true");
    link.scrollIntoView({ block: "nearest" });
    return parts.input.setAttribute("aria-activedescendant", link.id);
  }

  function onInputKey(event, parts) {
    if (event.isComposing) return;
    const all = optionsOf(parts);
    const at = all.indexOf(activeOf(parts));
    const steps = { ArrowDown: at + 1, ArrowUp: at < 0 ? all.length - 1 : at - 1 };
    if (event.key in steps && all.length) {
      event.preventDefault();
      activate(parts, all[(steps[event.key] + all.length) % all.length]);
    } else if (event.key === "Enter" && all.length) {
      event.preventDefault();
      (activeOf(parts) ?? all[0]).click();
    } else if (event.key === "Escape") {
      event.preventDefault();
      parts.dialog.close();
    }
  }

  function openDialog(parts, state) {
    if (!parts.dialog.open) parts.dialog.showModal();
    parts.input.focus();
    parts.input.select();
    activate(parts, null);
    loadEngine(parts, state).catch(() => {});
  }

  function listen(parts, state) {
    const { dialog, input, kind, time, results, more, close } = parts;
    const restart = () => {
      state.rounds = 0;
      search(parts, state);
    };
    input.addEventListener("input", restart);
    input.addEventListener("keydown", (event) => onInputKey(event, parts));
    for (const filter of [kind, time]) filter.addEventListener("change", restart);
    more.addEventListener("click", () => {
      state.rounds += 1;
      search(parts, state).then(() => input.focus());
    });
    close.addEventListener("click", () => dialog.close());
    results.addEventListener("click", (event) => {
      if (event.target.closest("a") && !event.ctrlKey && !event.metaKey && !event.shiftKey) dialog.close();
    });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  }

  /* What opens the dialog. */
  function setUp(words) {
    const state = { engine: null, turn: 0, rounds: 0 };
    let parts = null;
    return () => {
      if (!parts) {
        parts = makeDialog(words);
        listen(parts, state);
      }
      openDialog(parts, state);
    };
  }

  function onPageKey(event, open) {
    const combined = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k";
    const plain = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
    const typing = event.target instanceof Element && event.target.closest("input,textarea,select,[contenteditable]");
    if (combined || (plain && !typing && !document.querySelector(".memsite-search[open]"))) {
      event.preventDefault();
      open();
    }
  }

  async function markPage() {
    const query = new URLSearchParams(location.search).get("h");
    const root = document.querySelector("article") ?? document.querySelector("main");
    if (!query || !root) return;
    const [text, marks] = await Promise.all([loadText(), load("marks")]);
    marks.mark(text, root, query);
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !document.querySelector("dialog[open]")) marks.unmark(root);
    });
  }

  function start() {
    markPage().catch(() => {}); // a page without marks is still the page
    const buttons = document.querySelectorAll('[data-memsite-search="open"]');
    if (!buttons.length) return;
    const words = TEXTS[document.documentElement.lang.slice(0, 2).toLowerCase()] ?? TEXTS.en;
    const open = setUp(words);
    for (const one of buttons) {
      withAttributes(one, { "aria-label": words.search, title: `${words.search} (/)` });
      one.hidden = false;
      one.addEventListener("click", open);
    }
    document.addEventListener("keydown", (event) => onPageKey(event, open));
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
