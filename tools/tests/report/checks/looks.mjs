// Light and dark, wide and narrow, with a pointer or without.

import assert from "node:assert/strict";
import { everyPage } from "../browser.mjs";

/** Runs in the page. Returns every visible piece of text with too little contrast, as [text, ratio]. */
function faint() {
  const parse = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0.99) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility?.()) continue;
    const style = getComputedStyle(element);
    const front = parse(element instanceof SVGElement ? style.fill : style.color);
    if (front.length < 3) continue;
    const [a, b] = [light(front), light(behind(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) found.push([node.data.slice(0, 60), ratio.toFixed(2)]);
  }
  return found;
}

export const checks = {
  async "text has a contrast of at least 4.5, in light and dark, asked for by the system or the button"(browser) {
    for (const name of ["quickhull", "hostile", "serial", "races"]) {
      for (const dark of [false, true]) {
        const page = await browser.open(name, { dark });
        await page.locator("details").evaluateAll((list) => list.forEach((one) => (one.open = true)));
        assert.deepEqual(await page.evaluate(faint), [], `${name} ${dark ? "dark" : "light"}`);
        const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const before = await paper();
        await page.getByRole("button", { name: "Switch between light and dark" }).click();
        assert.notEqual(await paper(), before);
        assert.deepEqual(await page.evaluate(faint), [], `${name}, switched`);
      }
    }
  },
  async "nothing is wider than a screen of 360 pixels"(browser) {
    for (const name of everyPage) {
      const page = await browser.open(name, { width: 360, height: 740 });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 360, `${name} is ${width} pixels wide`);
    }
  },
  async "everything that takes the focus has a name, and Tab reaches it in the order of the page"(browser) {
    const page = await browser.open("quickhull");
    const places = [];
    for (let i = 0; i < 80; i += 1) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        if (!element || element === document.body) return null;
        const name = element.getAttribute("aria-label") || element.textContent || element.labels?.[0]?.textContent || "";
        const main = document.querySelector("main");
        const ids = [...document.querySelectorAll("section")].map((section) => section.id);
        return { name: name.trim(), section: main.contains(element) ? ids.indexOf(element.closest("section").id) : -1, what: element.outerHTML.slice(0, 80) };
      });
      if (!at) break;
      assert.ok(at.name, `no name: ${at.what}`);
      places.push(at.section);
    }
    assert.deepEqual(places, [...places].sort((a, b) => a - b));
    assert.equal(new Set(places.filter((i) => i >= 0)).size, 8, "sections with something to do");
  },
  async "headings go down one level at a time, and charts have names"(browser) {
    const page = await browser.open("quickhull");
    const levels = await page.locator("h1, h2, h3, h4").evaluateAll((list) => list.map((one) => Number(one.tagName[1])));
    assert.equal(levels[0], 1);
    levels.forEach((level, i) => assert.ok(i === 0 || (level > 1 && level <= levels[i - 1] + 1)));
    const unnamed = await page.locator("figure:not([aria-label]), canvas:not([aria-label])").count();
    assert.equal(unnamed, 0);
  },
  async "the pictures of docs/reference/report.md"(browser) {
    const light = await browser.open("quickhull", { width: 1000 });
    await browser.pictureOf(light, "docs-summary", ".masthead", "#speedup");
    await browser.pictureOf(light, "docs-grain", "#grain");
    const dark = await browser.open("quickhull", { width: 1000, dark: true });
    await dark.focus("#dag canvas");
    for (const key of ["ArrowDown", "ArrowRight", "ArrowDown"]) await dark.keyboard.press(key);
    await browser.pictureOf(dark, "docs-dag", "#dag");
    const narrow = await browser.open("quickhull", { width: 360 });
    await browser.pictureOf(narrow, "docs-narrow", "#sites");
  },
};
