// Opens the built site of the documentation from files in Chromium: pages render, and the search leads to the
// reference.
//
//   node site.mjs --modules NODE_MODULES --chromium PROGRAM --site FOLDER

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { pathToFileURL } from "node:url";

const text = { type: "string" };
const { values: options } = parseArgs({ options: { modules: text, chromium: text, site: text } });
for (const folder of ["modules", "site"]) options[folder] = resolve(options[folder]);

const { chromium } = createRequire(join(options.modules, "here.js"))("playwright-core");
const chrome = await chromium.launch({ executablePath: options.chromium, timeout: 0, args: ["--no-sandbox", "--disable-gpu"] });
const page = await chrome.newPage({ viewport: { width: 1200, height: 900 }, reducedMotion: "reduce" });
page.setDefaultTimeout(60_000);
const complaints = [];
// Chromium keeps the frame of the results apart from its page in files. The frame then cannot close itself, and the
// links work.
const isFrameOfFiles = (error) => error.name === "SecurityError" && error.message.includes("searchBox");
page.on("pageerror", (error) => isFrameOfFiles(error) || complaints.push(`${error.name}: ${error.message}`));
page.on("requestfailed", (request) => complaints.push(`could not get ${request.url()}`));
page.on("request", (request) => request.url().startsWith("file:") || complaints.push(`asked for ${request.url().slice(0, 200)}`));

const open = (name) => page.goto(pathToFileURL(join(options.site, name)).href);
const contents = () => page.locator("div.contents, div.textblock").first().innerText();

const checks = {
  async "the first page has the README and its chart, and that of the features has a picture"() {
    for (const [name, text] of [["index.html", /fork-join library for C\+\+20/], ["page_docs_features.html", /tine::par/]]) {
      await open(name);
      assert.match(await contents(), text);
      const sizes = await page.locator("div.contents img").evaluateAll((all) => all.map((image) => image.naturalWidth));
      assert.ok(sizes.length >= 1 && sizes.every((width) => width > 0), `${name}: widths of the pictures: ${sizes}`);
    }
  },
  async "a page of the guide has its headings and its code"() {
    await open("page_docs_guide_loops.html");
    assert.equal(await page.locator(".title").first().innerText(), "Loops");
    assert.match(await page.locator("div.fragment").first().innerText(), /#include <tine\/tine\.hpp>[^]*tine::par_for/);
    assert.doesNotMatch(await contents(), /```|<!--/);
  },
  async "the search finds par_reduce, and its result leads to the documentation"() {
    await open("index.html");
    await page.locator("#MSearchField").click();
    await page.keyboard.type("par_reduce");
    // Doxygen 1.9.4 shows results in a frame.
    const result = page.frameLocator("#MSearchResults").locator("a.SRScope:visible, a.SRSymbol:visible");
    await result.first().waitFor();
    assert.match(await result.first().innerText(), /par_reduce/);
    // A name with several overloads opens a list of them. The page draws the results again a moment after the last key,
    // which closes the list.
    const overload = page.frameLocator("#MSearchResults").locator(".SRChildren a:visible");
    const leads = () => /#a[0-9a-f]+$/.test(page.url());
    for (let tries = 0; tries < 100 && !leads(); ++tries) {
      const next = (await overload.count()) > 0 ? overload : result;
      await next.first().click({ timeout: 5000 }).catch(() => {});
      await page.waitForTimeout(100);
    }
    assert.ok(leads(), page.url());
    await page.waitForLoadState();
    assert.match(await contents(), /associative[^]*neutral on the left/);
  },
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  complaints.length = 0;
  try {
    await check();
    assert.deepEqual(complaints, []);
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n        ${String(error.stack ?? error).replaceAll("\n", "\n        ")}`);
  }
}
await chrome.close();
console.log(`${Object.keys(checks).length - failed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
