// The table of call sites.

import assert from "node:assert/strict";

const rows = (page) => page.locator(".sites tbody tr").evaluateAll((list) => list.map((row) => Number(row.dataset.site)));
const sorted = (page, key) => page.getAttribute(`.sites th[data-key="${key}"]`, "aria-sort");

const by = (data, key, sign) =>
  data.sites.map((_, i) => i).sort((a, b) => sign * (data.sites[b][key] - data.sites[a][key]) || a - b);

export const checks = {
  async "a row for each site, the most work first; headings sort"(browser) {
    const page = await browser.open("quickhull");
    const data = browser.data("quickhull");
    assert.deepEqual(await rows(page), by(data, "work", 1));
    assert.equal(await sorted(page, "work"), "descending");
    await page.getByRole("button", { name: "Forks", exact: true }).click();
    assert.deepEqual(await rows(page), by(data, "forks", 1));
    assert.equal(await sorted(page, "work"), "none");
    await page.getByRole("button", { name: "Forks", exact: true }).press("Enter");
    assert.deepEqual(await rows(page), by(data, "forks", -1));
    assert.equal(await sorted(page, "forks"), "ascending");
  },
  async "a filter leaves what has all its words"(browser) {
    const page = await browser.open("quickhull");
    await page.fill("#filter", "LOOP split");
    assert.deepEqual(await rows(page), [1]);
    assert.equal(await page.textContent("#sites [role=status]"), "1 of 4 sites");
    await page.fill("#filter", "no such thing");
    assert.deepEqual(await rows(page), []);
    await page.fill("#filter", "");
    assert.equal((await rows(page)).length, 4);
  },
  async "a row opens into its inlined frames, by keyboard"(browser) {
    const page = await browser.open("quickhull");
    const frames = page.locator('.sites tr[data-site="0"] .frames');
    assert.equal(await frames.isVisible(), false);
    await page.locator('.sites tr[data-site="0"] summary').press("Enter");
    assert.equal(await frames.isVisible(), true);
    assert.match(await frames.textContent(), /tine::par<.*par\.hpp:61.*inlined into, at .*quickhull\.cpp:84/s);
  },
};
