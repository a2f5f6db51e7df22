/* The page that compares any two generations: which two, its address says (`#2..5`), and two pickers change it. */
(function () {
  "use strict";

  const compare = (window.memsiteCompare ??= {});
  const page = document.querySelector("[data-memsite-compare=page]");
  if (!page) return;
  const part = (name) => page.querySelector(`[data-memsite-compare=${name}]`);
  const lead = part("lead");
  const [older, newer] = ["older", "newer"].map((name) => document.getElementById(`__memsite-${name}`));
  const steps = new Map(Array.from(page.querySelectorAll("[data-script]"), (step) => [step.dataset.name, step]));
  const names = Array.from(steps.keys()).reverse();
  const waiting = new Map();
  const BUSY = "Comparing …";
  const siteTitle = document.title.slice(document.title.lastIndexOf(" - "));
  let shown = 0;

  /* What the script of each generation calls. */
  compare.receive = (name, data) => waiting.get(name)?.resolve(data);

  function load(name) {
    if (waiting.has(name)) return waiting.get(name).promise;
    const entry = {};
    entry.promise = new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }));
    waiting.set(name, entry);
    const script = document.createElement("script");
    const { script: address, version } = steps.get(name).dataset;
    script.charset = "utf-8";
    script.src = address + (location.protocol === "file:" ? "" : `?${version}`);
    script.onload = () => entry.resolve(null);
    script.onerror = () => {
      waiting.delete(name);
      entry.reject(new Error(`generation ${name} cannot be loaded`));
    };
    document.head.append(script);
    return entry.promise.finally(() => script.remove());
  }

  /* The two names in the address, or what to say of it. */
  function read() {
    let anchor = location.hash.slice(1);
    try {
      anchor = decodeURIComponent(anchor);
    } catch { /* It is shown as it is. */ }
    if (!anchor.includes("..")) return { pair: [names[0], names.at(-1)] };
    const pair = anchor.split("..");
    if (pair.length === 2) pair[1] ||= names.at(-1);
    const unknown = pair.find((name) => !steps.has(name));
    if (pair.length === 2 && unknown === undefined) return { pair };
    return { problem: `There is no generation ${unknown ?? anchor} of ${page.dataset.slug}` };
  }

  async function show() {
    const turn = shown += 1;
    const { pair, problem } = read();
    clear();
    if (problem) return say(problem);
    [older.value, newer.value] = pair;
    say(BUSY);
    try {
      const both = await Promise.all(pair.map(load));
      if (turn === shown) draw(pair, both);
    } catch (error) {
      if (turn === shown) say(sentence(error.message));
    }
    return undefined;
  }

  const say = (text) => {
    lead.textContent = text;
    if (text !== BUSY) page.dataset.drawn = "";
  };
  const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

  function clear() {
    for (const name of ["text", "references"]) part(name).hidden = true;
    part("facts").replaceChildren();
    part("pair").textContent = "compare";
  }

  function draw(pair, both) {
    const unreadable = pair.find((_, side) => both[side] === null);
    if (unreadable !== undefined) return say(`Generation ${unreadable} cannot be read`);
    const [old, recent] = both;
    const most = Number(page.dataset.most);
    const text = compare.compareParts(old.text, recent.text, most);
    const references = compare.compareParts(old.references, recent.references, most);
    head(pair, old, recent);
    drawText(pair, text);
    drawReferences(references);
    return say(pair[0] === pair[1] ? "Both are the same generation" : text.tooLong
      ? `These generations are too long to be compared here; \`memsite diff ${page.dataset.slug} ${pair.join(" ")}\` compares them`
      : sentence(compare.describeChange(text, references)));
  }

  function head(pair, old, recent) {
    const arrow = compare.element("span", "", "→");
    arrow.setAttribute("aria-label", "to");
    part("pair").replaceChildren(`${pair[0]} `, arrow, ` ${pair[1]}`);
    document.title = `${page.dataset.slug}, generations ${pair[0]} and ${pair[1]} compared${siteTitle}`;
    const facts = pair.map((name) => Array.from(steps.get(name).querySelector(".memsite-step-side").childNodes,
      (node) => node.cloneNode(true)));
    facts.push([fine(`${apart(...pair.map((name) => steps.get(name).dataset.day))} apart`)]);
    if (old.bare !== recent.bare) facts.push(retitled(old.title, recent.title));
    const step = stepBetween(...pair);
    if (step) facts.push([step]);
    part("facts").replaceChildren(...facts.map((children) => compare.element("li", "", ...children)));
  }

  const fine = (text) => compare.element("span", "memsite-fine", text);
  const retitled = (before, after) => (
    [fine("title"), " ", compare.element("del", "", before), " ", compare.element("ins", "", after)]);

  /* The page of two consecutive generations. */
  function stepBetween(one, other) {
    if (names.indexOf(other) !== names.indexOf(one) + 1) return null;
    const link = steps.get(other).querySelector(".memsite-step-link").cloneNode(true);
    link.textContent = "this step as a page";
    return link;
  }

  /* How far apart two days are, roughly, as the pages of consecutive generations say it. */
  function apart(one, other) {
    const days = Math.abs(Date.parse(other) - Date.parse(one)) / 86400000;
    const [length, unit] = days < 60 ? [1, "day"] : days < 730 ? [30.44, "month"] : [365.25, "year"];
    const count = Math.round(days / length);
    return `${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"}`;
  }

  function drawText(pair, found) {
    const box = part("text");
    box.querySelector(".memsite-diff-inline").replaceChildren(...compare.stretches(found, compare.inline));
    box.querySelector(".memsite-diff-beside").replaceChildren(
      compare.heads(...pair.map((name) => `Generation ${steps.get(name).dataset.number}`)),
      ...compare.stretches(found, compare.beside));
    box.hidden = !found.stretches.length;
  }

  function drawReferences(found) {
    const box = part("references");
    box.open = false;
    box.querySelector("summary").textContent = `Source references${found.changed ? `: ${found.summary}` : ", unchanged"}`;
    box.querySelector(".memsite-diff").replaceChildren(...compare.stretches(found, compare.inline));
    box.hidden = !found.changed && !found.stretches.length;
  }

  /* Not by location.hash: going to an anchor would take the focus from the picker. */
  function pick() {
    history.pushState(null, "", `#${older.value}..${newer.value}`);
    show();
  }

  part("pickers").hidden = false;
  part("pickers").addEventListener("submit", (event) => event.preventDefault());
  for (const select of [older, newer]) select.addEventListener("change", pick);
  part("swap").addEventListener("click", () => {
    [older.value, newer.value] = [newer.value, older.value];
    pick();
  });
  window.addEventListener("hashchange", show);
  show();
})();
