// Opens the report's pages in Chromium and checks what is shown. Each file in checks/ exports a list of [name, check];
// a check gets a `browser` (browser.mjs) and throws if it finds something wrong. Ends with "N passed, N failed".
//
//   node run.mjs --modules NODE_MODULES --chromium PROGRAM --pages FOLDER --screenshots FOLDER [--only WORD]

import { mkdirSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { launch } from "./browser.mjs";

const text = { type: "string" };
const { values: options } = parseArgs({ options: { modules: text, chromium: text, pages: text, screenshots: text, only: text } });
for (const folder of ["modules", "pages", "screenshots"]) options[folder] = resolve(options[folder]);
mkdirSync(options.screenshots, { recursive: true });

const folder = new URL("checks/", import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith(".mjs")).sort();
const browser = await launch(options);
let passed = 0;
let failed = 0;
for (const file of files) {
  const { checks } = await import(new URL(file, folder));
  for (const [name, check] of checks) {
    const title = `${file.replace(".mjs", "")}: ${name}`;
    if (options.only && !title.includes(options.only)) continue;
    try {
      await check(browser);
      await browser.closePages();
      passed += 1;
      console.log(`ok      ${title}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${title}\n        ${String(error.stack ?? error).replaceAll("\n", "\n        ")}`);
      await browser.closePages().catch(() => {});
    }
  }
}
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed || !passed ? 1 : 0;
