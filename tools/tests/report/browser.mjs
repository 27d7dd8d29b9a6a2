// Opens pages in Chromium and watches them: every complaint of a page and every request to the network fails the check.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export async function launch({ modules, chromium: program, pages, screenshots }) {
  const { chromium } = createRequire(join(modules, "here.js"))("playwright-core");
  const chrome = await chromium.launch({ executablePath: program, timeout: 0, args: ["--no-sandbox", "--disable-gpu"] });
  let opened = [];

  /** Opens a page of the test's profiles; the options are { dark, width, height, motion }. */
  async function open(name, { dark = false, width = 1200, height = 900, motion = false } = {}) {
    const file = pathToFileURL(join(pages, `${name}.html`)).href;
    const context = await chrome.newContext({
      viewport: { width, height },
      colorScheme: dark ? "dark" : "light",
      reducedMotion: motion ? "no-preference" : "reduce",
    });
    const page = await context.newPage();
    // ctest ends a page that hangs; a page that is slow because the machine is busy is no fault.
    page.setDefaultTimeout(0);
    const complaints = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error.stack ?? error)));
    page.on("request", (request) => request.url().split("#")[0] !== file && complaints.push(`asked for ${request.url().slice(0, 200)}`));
    page.on("dialog", (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
    opened.push({ name, context, complaints });
    await page.goto(file);
    await page.waitForSelector("main section");
    await settled(page);
    return page;
  }

  /** Closes the opened pages, and fails with the complaints of the pages. */
  async function closePages() {
    const closing = opened;
    opened = [];
    for (const { context } of closing) await context.close();
    for (const { name, complaints } of closing) assert.deepEqual(complaints, [], `${name} complained`);
  }

  /** Returns the data of a page. */
  function data(name) {
    const html = readFileSync(join(pages, `${name}.html`), "utf8");
    return JSON.parse(/<script id="data" type="application\/json">(.*?)<\/script>/s.exec(html)[1]);
  }

  /** Takes a picture from the top of the first element to the end of the last, with a margin below. */
  async function pictureOf(page, name, first, last = first) {
    await page.evaluate(() => scrollTo(0, 0));
    const above = await page.locator(first).boundingBox();
    const below = await page.locator(last).boundingBox();
    const clip = { x: 0, y: above.y, width: page.viewportSize().width, height: below.y + below.height - above.y + 24 };
    await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true, clip });
  }

  return { open, closePages, data, pictureOf, close: () => chrome.close() };
}

/** Waits until the parts that depend on the page's width are drawn. */
export async function settled(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 20)))));
}

/** The command writes "command", of a profile of its own tests. */
export const everyPage = ["quickhull", "fib", "costly", "empty", "serial", "hostile", "large", "races", "race-free", "timeline", "command", "job"];
