// Makes the page's text: bundles the TypeScript, puts it and the style into page.html, and writes what stands before
// and after the data as C++ literals. Called by CMake:  node build.mjs NODE_MODULES SCHEMA.ts OUTPUT.inc
//
// The script's hash goes into the page's content security policy, so that nothing else can run there.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, schema, output] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const esbuild = createRequire(join(modules, "here.js"))("esbuild");

async function bundled(entry) {
  const options = { bundle: true, minify: true, write: false, legalComments: "none", target: "es2022", charset: "utf8" };
  const result = await esbuild.build({ ...options, entryPoints: [join(here, entry)], format: "iife", nodePaths: [modules], alias: { "profile-schema": resolve(schema) } });
  const text = result.outputFiles[0].text.trim();
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${entry}: its text would end the element it stands in`);
  return text;
}

// The dark colours are written once and used twice: when the reader asks for them, and when the system does.
function withSystemDark(css) {
  const dark = /:root\[data-theme="?dark"?\]\{([^}]*)\}/.exec(css);
  if (!dark) throw new Error("style.css: there are no dark colours");
  const bySystem = `@media (prefers-color-scheme:dark){:root:not([data-theme="light"]){${dark[1]}}}`;
  return css.replace(dark[0], dark[0] + bySystem);
}

// Compilers need not accept string literals of more than 64 KiB, so the text comes in pieces.
function literal(name, text) {
  const pieces = [];
  for (let begin = 0; begin < text.length; ) {
    let end = Math.min(text.length, begin + 16000);
    if (/[\ud800-\udbff]/.test(text[end - 1])) end -= 1; // not between the halves of one character
    pieces.push(`    R"page~(${text.slice(begin, end)})page~"sv,\n`);
    begin = end;
  }
  if (text.includes(')page~"')) throw new Error("the text ends its own literal");
  return `constexpr std::string_view ${name}_pieces[] = {\n${pieces.join("")}};\n`;
}

const script = await bundled("main.ts");
const style = withSystemDark(await bundled("style.css"));
const hash = `sha256-${createHash("sha256").update(script).digest("base64")}`;
const parts = { script, style, hash, data: "{{data}}" };
const page = readFileSync(join(here, "page.html"), "utf8").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
const [before, after] = page.split("{{data}}");

writeFileSync(output, `// Made by build.mjs; not to be edited.\n${literal("before", before)}\n${literal("after", after)}`);
console.log(`the report's page: ${Math.ceil(script.length / 1024)} KiB of script, ${Math.ceil(style.length / 1024)} KiB of style`);
