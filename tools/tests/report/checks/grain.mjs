// The granularity scatter.

import assert from "node:assert/strict";

const marks = (page) => page.locator('.scatter .plot [aria-label="dot"] > *').count();

export const checks = {
  async "a mark for each point, and the line below which forking is dear"(browser) {
    for (const name of ["quickhull", "fib"]) {
      const page = await browser.open(name);
      assert.equal(await marks(page), browser.data(name).points.work.length);
      assert.equal(await page.locator(".scatter .guide").count(), 1);
    }
  },
  async "the zone counts the points with less work per fork"(browser) {
    const { points, run } = browser.data("fib");
    const dear = points.work.filter((work, i) => work / points.forks[i] < run.fork_cost / 0.05).length;
    const page = await browser.open("fib");
    assert.ok(dear > 0);
    assert.match(await page.textContent(".scatter"), new RegExp(`^${dear} of ${points.work.length} points spend more than 5\\s%`, "u"));
  },
  async "thousands of points share marks"(browser) {
    const page = await browser.open("large");
    const points = browser.data("large").points.work.length;
    const drawn = await marks(page);
    assert.ok(points > 4000 && drawn > 100 && drawn < points, `${drawn} marks for ${points} points`);
  },
  async "colours by phase or by site, each named in the legend"(browser) {
    const page = await browser.open("quickhull");
    const legend = () => page.locator(".scatter .legend li").allInnerTexts();
    const phases = await legend();
    assert.deepEqual(phases.map((text) => text.replace(/ \(.*/, "")).sort(), ["recurse", "split"]);
    await page.locator(".scatter").getByText("call site", { exact: true }).click();
    const sites = await legend();
    assert.equal(sites.length, 4);
    const sum = sites.reduce((all, text) => all + Number(/\((\d+)\)$/.exec(text)[1]), 0);
    assert.equal(sum, browser.data("quickhull").points.work.length);
  },
  async "arrow keys walk from mark to mark, which are shown and said"(browser) {
    const page = await browser.open("quickhull");
    await page.focus(".scatter .plot svg");
    await page.keyboard.press("ArrowRight");
    const first = await page.textContent(".scatter [role=status]");
    await page.keyboard.press("End");
    const last = await page.textContent(".scatter [role=status]");
    assert.match(first, /of work, .* per fork/);
    assert.notEqual(first, last);
    const data = browser.data("quickhull");
    const most = Math.max(...data.points.work);
    assert.ok(last.includes(`${(most / 1e6).toPrecision(3)}\u202fms of work`), last);
    await page.waitForFunction(() => document.querySelector('.scatter [aria-label="tip"] text')?.textContent.includes("of work"));
  },
};
