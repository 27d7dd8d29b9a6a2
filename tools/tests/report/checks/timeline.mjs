// The timeline of workers: a canvas with zoom, a legend, and a table.

import assert from "node:assert/strict";
import { settled } from "../browser.mjs";

const canvas = "#timeline canvas";

async function view(page) {
  const shown = await page.locator(canvas).evaluate((element) => ({ ...element.dataset }));
  return { from: Number(shown.from), to: Number(shown.to), flows: Number(shown.flows) };
}

/** Returns the colours of the workers' rows at these times, as the canvas shows them. */
async function pixels(page, places) {
  return page.locator(canvas).evaluate((element, wanted) => {
    const scale = devicePixelRatio;
    const left = 116;
    const width = element.width / scale - left;
    const { from, to } = element.dataset;
    const all = element.getContext("2d").getImageData(0, 0, element.width, element.height);
    return wanted.map(([row, at]) => {
      const x = Math.floor((left + ((at - from) / (to - from)) * width) * scale);
      const y = Math.floor((22 + row * 30 + 4) * scale);
      return [...all.data.slice((y * all.width + x) * 4).slice(0, 3)].join(" ");
    });
  }, places);
}

async function named(page, name) {
  return page.evaluate((variable) => {
    const probe = document.createElement("canvas").getContext("2d");
    probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--${variable}`).trim();
    probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data.slice(0, 3)].join(" ");
  }, name);
}

export const checks = {
  async "each state has its colour at its time"(browser) {
    const page = await browser.open("timeline");
    const expected = [
      [0, 200_000, "box-deep"], // runs
      [0, 700_000, "group-3"], // waits for its strand
      [0, 975_000, "group-4"], // in the kernel
      [1, 30_000, "rule"], // no work
      [1, 105_000, "critical"], // a task is queued
      [1, 200_000, "box-deep"],
      [1, 330_000, "group-2"], // work without a token
      [1, 900_000, "rule"],
    ];
    const seen = await pixels(page, expected);
    for (const [i, [worker, time, colour]] of expected.entries()) assert.equal(seen[i], await named(page, colour), `worker ${worker} at ${time}`);
  },
  async "zoom by keyboard and by wheel, and move by dragging"(browser) {
    const page = await browser.open("timeline");
    assert.deepEqual(await view(page), { from: 0, to: 1_000_000, flows: 2 });
    await page.focus(canvas);
    await page.keyboard.press("+");
    assert.deepEqual(await view(page), { from: 250_000, to: 750_000, flows: 1 });
    await page.keyboard.press("ArrowLeft");
    assert.equal((await view(page)).from, 125_000);
    await page.keyboard.press("Home");
    assert.equal((await view(page)).to, 1_000_000);
    const box = await page.locator(canvas).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 40);
    await page.mouse.wheel(0, -100);
    await settled(page);
    const near = await view(page);
    assert.ok(near.from > 0 && near.to < 1_000_000);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 100, box.y + 40, { steps: 4 });
    await page.mouse.up();
    const moved = await view(page);
    assert.ok(moved.from < near.from);
    assert.ok(Math.abs(moved.to - moved.from - (near.to - near.from)) < 1);
  },
  async "a period is told, and the table adds up"(browser) {
    const page = await browser.open("timeline", { dark: true });
    await page.locator(canvas).hover({ position: { x: 116 + 0.5 * 900, y: 22 + 30 + 10 } });
    assert.match(await page.textContent("#timeline .tip"), /worker 1: right \(sort\.cpp:13\)440\sµs from 360\sµs on/u);
    const rows = await page.locator("#timeline tbody tr").allTextContents();
    assert.equal(rows.length, 2);
    const legend = await page.textContent("#timeline .legend");
    for (const state of ["running", "in the kernel", "getting work", "no token", "waiting", "no work"]) assert.ok(legend.includes(state), state);
    const { timeline_workers, timeline } = browser.data("timeline");
    for (const { times } of timeline_workers) assert.equal(times.reduce((sum, time) => sum + time, 0), timeline.end - timeline.begin);
  },
  async "a profile without a timeline says how to record one"(browser) {
    const page = await browser.open("quickhull");
    assert.match(await page.textContent("#timeline .absent"), /Timeline was not measured/);
  },
};
