/* node lookup.cjs ASSETS SITE < asked.json > told.json */
const fs = require("fs");
const path = require("path");
require("./lookup.js");

const [assets, site] = process.argv.slice(2);
const read = (name) => fs.readFileSync(name.startsWith("search/") ? path.join(site, name) : path.join(assets, name), "utf8");

globalThis.lookUp(JSON.parse(fs.readFileSync(0, "utf8")), read).then((told) => process.stdout.write(JSON.stringify(told)));
