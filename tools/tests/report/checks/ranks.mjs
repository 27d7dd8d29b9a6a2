// The ranks of a job: a table and a timeline.

import assert from "node:assert/strict";

export const checks = {
  async "a job of two ranks, and two without a profile"(browser) {
    const page = await browser.open("job");
    const { job } = browser.data("job");
    assert.equal(job.by_rank.length, 2);
    assert.match(await page.textContent(".facts"), /^2 ranks · 4 workers/);
    assert.match(await page.textContent("#ranks .absent"), /2 ranks of 4 left no profile here: 2, 3\./);
    const cells = await page.locator('#ranks tr[data-rank="1"] td').allTextContents();
    assert.deepEqual(cells.slice(1), ["50\u202f%", "800\u202fµs", "200\u202fµs (25\u202f%)", "10", "12", "7", "100", "2\u202fKiB"]);
    assert.equal(await page.locator("#ranks .in-roots rect").count(), job.by_rank.flatMap((rank) => rank.roots).length);
    assert.equal(await page.locator("#ranks .idle rect").count(), 1);
    assert.match(await page.textContent(".figures"), /on all ranks/);
    assert.match(await page.textContent(".reasons"), /The ranks have no work for 13\u202f% of their time/);
  },
  async "a page of one profile has no ranks"(browser) {
    const page = await browser.open("quickhull");
    assert.equal(await page.locator("#ranks").count(), 0);
  },
};
