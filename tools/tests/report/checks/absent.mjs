// The page says what was not measured or is not there.

import assert from "node:assert/strict";
import { everyPage } from "../browser.mjs";

export const checks = {
  async "a profile of nothing"(browser) {
    const page = await browser.open("empty");
    assert.equal(await page.textContent(".verdict"), "Nothing ran in parallel");
    assert.match(await page.textContent("#sites"), /neither forked nor looped/);
    assert.match(await page.textContent("#speedup"), /no work to predict from/);
    assert.equal(await page.locator("canvas, .sites").count(), 0);
  },
  async "a root without a fork, of a program that threw"(browser) {
    const page = await browser.open("serial");
    assert.equal(await page.textContent(".verdict"), "The program never forked");
    assert.match(await page.textContent(".facts"), /ended by an exception/);
    assert.equal(await page.textContent('[data-figure="parallelism"]'), "1×");
    assert.match(await page.textContent(".figures"), /1 threw/);
    for (const [id, analyses] of [["grain", "work,span,grain"], ["dag", "work,span,trace"], ["space", "work,span,space"]]) {
      const text = await page.textContent(`#${id} .absent`);
      assert.ok(text.includes(`TINE_PROFILE=${analyses}`), text);
    }
  },
  async "no page shows what a program would say instead of a number"(browser) {
    for (const name of everyPage) {
      const page = await browser.open(name);
      const text = (await page.evaluate(() => document.body.innerText)).replaceAll("w".repeat(20), "");
      assert.doesNotMatch(text, /NaN|undefined|Infinity|\[object|(^|\s)null(\s|$)/, name);
    }
  },
};
