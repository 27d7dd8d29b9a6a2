// The section of determinacy races.

import assert from "node:assert/strict";

export const checks = {
  async "a race has its accesses, its memory, and the construct at which the paths part"(browser) {
    const page = await browser.open("races");
    assert.equal(await page.textContent(".verdict"), "60 determinacy races");
    assert.equal(await page.locator('nav a[href="#races"]').count(), 1);
    const section = await page.textContent("#races");
    assert.match(section, /60 races, one for each pair of lines/);
    assert.match(section, /81,204 reads and 20,301 writes of 4,002 strands were checked\./);
    assert.match(section, /A part of the run was not checked, because a strand waited for another thread\./);
    assert.match(section, /no space for 3 more pairs of instructions/);
    const shown = await page.locator(".races > li").allTextContents();
    assert.match(shown[0], /write in hull::side_0 \(side\.cpp:10\) and read in hull::side_0 \(side\.cpp:10\)/);
    assert.match(shown[0], /the global `hull::farthest_seen` \(offset 8\).*1,000 times.*iterations 17 and 18 of the loop at quickhull\.cpp:40/s);
    assert.match(shown[1], /64 bytes allocated at quickhull\.cpp:40 \(offset 8\).*the two branches of the fork at quickhull\.cpp:84/s);
    assert.match(shown[2], /under a common lock.*the two branches of the fork at quickhull\.cpp:84; the path is not complete/s);
  },
  async "a race opens into its functions and paths, by keyboard"(browser) {
    const page = await browser.open("races");
    const race = page.locator(".races > li").nth(1);
    assert.equal(await race.locator("h4").first().isVisible(), false);
    await race.locator("summary").press("Enter");
    const text = await race.locator("details").innerText();
    assert.match(text, /Both:\s+iteration 17 of the loop at quickhull\.cpp:40\s+write in hull::side_1/);
    assert.match(text, /tine::par<.*par\.hpp:61.*inlined into, at .*side\.cpp:11/s);
    assert.match(text, /Path:\s+the first branch of the fork.*Path:\s+the second branch of the fork/s);
  },
  async "more than fifty races are shown when they are asked for"(browser) {
    const page = await browser.open("races");
    const count = () => page.locator(".races > li").count();
    assert.equal(await count(), 50);
    await page.getByRole("button", { name: "Show all 60" }).press("Enter");
    assert.equal(await count(), 60);
    assert.equal(await page.getByRole("button", { name: /Show all/ }).count(), 0);
    assert.match(await page.locator(".races > li").last().textContent(), /… 38 steps above(the first branch of the fork at quickhull\.cpp:84), 63 timesthe second branch of the fork/);
    assert.equal(await page.evaluate(() => document.activeElement.closest("li")?.textContent.includes("950 times")), true);
  },
  async "no races, and no search for them"(browser) {
    const page = await browser.open("race-free");
    assert.equal(await page.textContent(".verdict"), "No determinacy race was found");
    assert.match(await page.textContent("#races"), /No race was found\. 81,204 reads/);
    assert.equal(await page.locator(".races, .warning").count(), 0);
    const other = await browser.open("quickhull");
    assert.equal(await other.locator("#races").count(), 0);
  },
};
