// An analysis of the table of analyses has its section, without code of its own. The page is that of the guide's
// analysis (tools/tests/guide).

import assert from "node:assert/strict";

export const checks = [
  [
    "a section lists the figures of an analysis that has no picture",
    async (browser) => {
      const page = await browser.open("guide");
      assert.match(await page.textContent("#nesting"), /How many forks and loops are open/);
      assert.equal(await page.textContent('[data-figure="nesting-deepest"]'), "6");
      assert.equal(await page.locator('nav a[href="#nesting"]').count(), 1);
      assert.match(await page.textContent("#space .absent"), /Space was not measured.*TINE_PROFILE=work,span,space/);
    },
  ],
];
