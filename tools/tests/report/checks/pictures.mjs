// The two pictures made of boxes: the computation and the fork paths.

import assert from "node:assert/strict";
import { settled } from "../browser.mjs";

const canvas = (id) => `#${id} canvas`;
const zoomed = (page, id) => page.locator(canvas(id)).getAttribute("data-zoomed");
const boxes = async (page, id) => Number(await page.locator(canvas(id)).getAttribute("data-boxes"));
const said = (page, id) => page.textContent(`#${id} .boxes [role=status]`);
const way = (page, id) => page.locator(`#${id} .way button`).allTextContents();

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await settled(page);
}

export const checks = {
  async "zoom by keyboard, in and out"(browser) {
    const page = await browser.open("quickhull");
    await page.focus(canvas("dag"));
    assert.match(await said(page, "dag"), /\d pieces in series/);
    await press(page, "ArrowDown", "ArrowRight");
    assert.match(await said(page, "dag"), /2 branches in parallel/);
    await press(page, "Enter");
    assert.equal((await way(page, "dag")).length, 2);
    const inside = await zoomed(page, "dag");
    await press(page, "ArrowDown", "Enter");
    assert.equal((await way(page, "dag")).length, 3);
    await press(page, "Escape");
    assert.equal(await zoomed(page, "dag"), inside);
    await press(page, "Home");
    assert.equal((await way(page, "dag")).length, 1);
  },
  async "zoom by pointer, and back by the way"(browser) {
    const page = await browser.open("quickhull", { motion: true });
    const box = await page.locator(canvas("paths")).boundingBox();
    await page.locator(canvas("paths")).click({ position: { x: 20, y: 33 } });
    await page.waitForTimeout(400); // the picture grows
    const names = await way(page, "paths");
    assert.equal(names.length, 2);
    assert.match(names[1], /upper · quickhull.cpp:84/);
    await page.mouse.move(box.x + 40, box.y + 10);
    await page.locator("#paths .way button").first().click();
    await page.waitForTimeout(400);
    assert.equal((await way(page, "paths")).length, 1);
  },
  async "what the pointer is on is told"(browser) {
    const page = await browser.open("quickhull");
    await page.locator(canvas("dag")).hover({ position: { x: 60, y: 200 } });
    const tip = await page.textContent("#dag .tip");
    assert.match(tip, /one piece.*work 300\sµs.*on the critical path/su);
  },
  async "the critical path is drawn in its colour, from the left to the right"(browser) {
    const page = await browser.open("quickhull");
    const missing = await page.evaluate(() => {
      const picture = document.querySelector("#dag canvas");
      const copy = Object.assign(document.createElement("canvas"), { width: picture.width, height: picture.height });
      const context = copy.getContext("2d", { willReadFrequently: true });
      context.drawImage(picture, 0, 0);
      const colour = getComputedStyle(document.documentElement).getPropertyValue("--critical").trim();
      const wanted = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
      let without = 0;
      for (let x = 0; x < picture.width; x += 1) {
        const { data } = context.getImageData(x, 0, 1, picture.height);
        let found = false;
        for (let i = 0; i < data.length && !found; i += 4) found = wanted.every((c, k) => Math.abs(data[i + k] - c) < 40);
        without += found ? 0 : 1;
      }
      return without / picture.width;
    });
    assert.ok(missing < 0.1, `${missing} of the columns are without it`); // gaps, and what is thinner than a pixel
  },
  async "twenty thousand nodes and a nest of 1,500 forks"(browser) {
    const page = await browser.open("large");
    assert.ok(browser.data("large").nodes.is.length >= 20000);
    assert.ok((await boxes(page, "dag")) > 500);
    assert.ok((await boxes(page, "dag")) <= 40000);
    await page.focus(canvas("dag"));
    await press(page, "ArrowDown", "ArrowRight", "ArrowRight", "Enter"); // into the nest
    for (let i = 0; i < 30; i += 1) await press(page, "ArrowDown", "Enter");
    assert.ok((await boxes(page, "dag")) > 10, "boxes deep in the nest");
    assert.match((await page.textContent("#dag .way")) ?? "", /… \d+ …/);
    await page.focus(canvas("paths"));
    await press(page, "ArrowDown", "Enter");
    assert.equal((await way(page, "paths")).length, 2);
  },
  async "work of a path is that of everything below it"(browser) {
    const { work } = browser.data("fib").paths;
    const all = work.reduce((sum, one) => sum + one, 0);
    const page = await browser.open("fib");
    assert.ok((await said(page, "paths")).includes(`work ${Math.round(all / 1e3)}\u202fµs, 100\u202f% of all`), await said(page, "paths"));
  },
};
