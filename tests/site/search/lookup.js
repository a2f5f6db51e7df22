/* Asks the browser's own search code, in node (lookup.cjs) or in Chromium (chromium.py).
   `asked` is {"queries": [...]}, {"tokens": [...]}, {"ranges": [[text, query], ...]}, {"excerpts": ...};
   `read(name)` gives the source of a script of the site by its path. */
globalThis.lookUp = async function lookUp(asked, read) {
  const received = new Map();
  let loaded = [];
  globalThis.memsiteSearch = (name, data) => received.set(name, data);
  const run = async (name) => {
    const source = await read(name);
    (0, eval)(source);
    return source;
  };

  async function load(name) {
    if (!received.has(name)) {
      const source = await run(`search/${name}.js`);
      loaded.push([name, new TextEncoder().encode(source).length]);
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

  await run("search-text.js");
  await run("search-engine.js");
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
    let engine = null;
    for (const query of asked.queries) {
      loaded = [];
      if (asked.cold) for (const name of Array.from(received.keys())) if (!["text", "engine"].includes(name)) received.delete(name);
      if (asked.cold || !engine) engine = received.get("engine")(text, load);
      told.answers.push({ ...(await answer(engine, query)), loaded });
    }
  }
  return told;
};
