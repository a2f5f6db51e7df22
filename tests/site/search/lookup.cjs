/* Runs queries with the browser's own code: node lookup.cjs ASSETS SITE < queries.json > answers.json
   Also {"tokens": [...]} and {"ranges": [[text, query], ...]}, {"excerpts": ...} for the text part alone. */
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [assets, site] = process.argv.slice(2);
const received = new Map();
let loaded = [];
globalThis.memsiteSearch = (name, data) => received.set(name, data);
const run = (file) => vm.runInThisContext(fs.readFileSync(file, "utf8"), { filename: file });

async function load(name) {
  if (!received.has(name)) {
    const file = path.join(site, "search", `${name}.js`);
    loaded.push([name, fs.statSync(file).size]);
    run(file);
  }
  return received.get(name);
}

async function answer(engine, query) {
  const { results, partial } = await engine.search(query);
  const best = results.slice(0, 12);
  const texts = await engine.read(best.map((result) => result.id));
  return { count: results.length, partial, ids: results.map((result) => result.id), kinds: best.map((result) => result.kind),
    days: best.map((result) => result.day), best: texts.map(([uri]) => uri), scores: best.map((result) => result.score) };
}

async function main() {
  const asked = JSON.parse(fs.readFileSync(0, "utf8"));
  run(path.join(assets, "search-text.js"));
  run(path.join(assets, "search-engine.js"));
  const text = received.get("text");
  const told = {};
  if (asked.ranges_of_code) told.ranges_of_code = [text.RUN_RANGES, text.SEPARATOR_RANGES];
  if (asked.tokens) told.tokens = asked.tokens.map((each) => text.tokens(text.fold(each)).map((unit) => [unit.run, unit.text, unit.at]));
  const units = (query) => text.parse(query).flatMap((group) => group.units);
  if (asked.ranges) told.ranges = asked.ranges.map(([each, query]) =>
    text.ranges(each, units(query)).map(({ start, end }) => each.slice(start, end)));
  if (asked.excerpts) told.excerpts = asked.excerpts.map(([each, query]) => {
    const part = text.excerpt(each, units(query));
    return [part.text, part.ranges.map(({ start, end }) => part.text.slice(start, end))];
  });
  if (asked.queries) {
    told.answers = [];
    for (const query of asked.queries) {
      loaded = [];
      if (asked.cold) for (const name of Array.from(received.keys())) if (!["text", "engine"].includes(name)) received.delete(name);
      const engine = asked.cold || !told.engine ? received.get("engine")(text, load) : told.engine;
      if (!asked.cold) Object.defineProperty(told, "engine", { value: engine, enumerable: false, configurable: true });
      const told_one = await answer(engine, query);
      told.answers.push({ ...told_one, loaded });
    }
  }
  process.stdout.write(JSON.stringify(told));
}

main();
