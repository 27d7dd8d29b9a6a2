// The numbers of the summary are those of the profile.

import assert from "node:assert/strict";

const SCALE = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9, "×": 1, "%": 0.01, "": 1 };

/** Reads "1.2 ms" as nanoseconds, "3×" as 3, "12 %" as 0.12, "1,024" as 1024. */
function parsed(text) {
  const [, number, unit] = /^([\d.,]+)\s*(\S*)$/u.exec(text) ?? assert.fail(`no number: ${text}`);
  assert.ok(unit in SCALE, `unit of ${text}`);
  return Number(number.replaceAll(",", "")) * SCALE[unit];
}

const figure = (page, key) => page.textContent(`[data-figure="${key}"]`);

/** Checks that the figure is `low`, or the interval from `low` to `high`, to three digits. */
async function near(page, key, low, high = low) {
  const text = await figure(page, key);
  const shown = text.split(" – ").map(parsed);
  const close = (a, b) => Math.abs(a - b) <= 0.006 * b;
  assert.ok(close(shown[0], low) && close(shown.at(-1), high) && shown.length <= 2, `${key}: ${text} is shown, ${low} to ${high} is meant`);
}

export const checks = {
  async "every figure equals its datum"(browser) {
    for (const name of ["quickhull", "fib", "large", "command"]) {
      const page = await browser.open(name);
      const { totals, run } = browser.data(name);
      const { cost } = totals;
      const { work, span, burdened_span } = totals.roots;
      await near(page, "work", work);
      await near(page, "span", span.low, span.high);
      await near(page, "parallelism", work / span.high, work / span.low);
      await near(page, "burdened", work / burdened_span);
      assert.equal(parsed(await figure(page, "forks")), totals.forks);
      assert.equal(parsed(await figure(page, "loops")), totals.loops);
      assert.equal(parsed(await figure(page, "roots")), totals.calls);
      await near(page, "forking", cost.forking);
      await near(page, "profiling", cost.profiling);
      await near(page, "burden", run.fork_burden);
    }
  },
  async "fib(25) forks 121,392 times, which is far too often"(browser) {
    const page = await browser.open("fib");
    assert.equal(await figure(page, "forks"), "121,392");
    assert.match(await figure(page, "work"), /^364\sµs$/u); // 121,393 leaves of 2 ns and as many forks, less one, of 1 ns
    assert.match(await page.textContent("#cost"), /40\s% of the work/u);
    assert.match(await page.title(), /fib 25/);
  },
  async "functions outside of pools have their shares, and the verdict names the first"(browser) {
    const page = await browser.open("command");
    const { outside } = browser.data("command").totals;
    assert.equal(outside.functions[0].name, "fill_rows");
    const rows = (await page.textContent("#outside tbody")).replaceAll(/\s/gu, " ");
    assert.match(rows, /fill_rows.*240 µs.*60 %.*sort_halves.*80 µs.*20 %.*without a place.*20 %/u);
    assert.match(await page.textContent(".reasons"), /60\s% of its processor time is in fill_rows \(make_profile\.cpp:\d+\)/u);
    const without = await browser.open("fib");
    assert.match(await without.textContent("#outside"), /no samples/u);
  },
  async "a profile that cost more than the work is no ground for a verdict"(browser) {
    const page = await browser.open("costly");
    assert.match(await page.textContent(".verdict"), /^No verdict/u);
    const reasons = await page.textContent(".reasons");
    assert.match(reasons, /own cost is 1000 % of the work .* more than 25 %/u);
    assert.match(reasons, /--analyses work,span/u);
    assert.doesNotMatch(reasons, /Forking takes|ten times/u);
  },
  async "the band lies between its bounds, and below ideal"(browser) {
    const page = await browser.open("quickhull");
    const { workers, roots, process } = browser.data("quickhull").prediction;
    assert.equal(workers[0], 1);
    assert.equal(workers.at(-1), 1024);
    for (const { low, high } of [roots, process]) {
      workers.forEach((w, i) => assert.ok(low[i] <= high[i] && high[i] <= w + 1e-9));
    }
    const rows = "#speedup tbody tr";
    assert.equal(await page.locator(rows).count(), 11); // the powers of two
    const last = async () => parsed(await page.locator(`${rows}:last-child td`).last().textContent());
    assert.ok(Math.abs((await last()) - roots.high.at(-1)) < 0.1);
    await page.getByText("the whole program", { exact: true }).click();
    assert.ok(Math.abs((await last()) - process.high.at(-1)) < 0.1);
  },
  async "the simulated speed-up lies in the band of greedy schedules, and is projected beyond two workers"(browser) {
    const page = await browser.open("quickhull");
    const { workers, speed_up, low, high, utilisation } = browser.data("quickhull").simulation;
    assert.deepEqual(workers, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]);
    workers.forEach((w, i) => assert.ok(low[i] <= high[i] && speed_up[i] <= high[i] + 1e-6 && utilisation[i] <= 1, `${w} workers`));
    assert.ok(speed_up[0] === 1 && speed_up[1] > 1);
    const rows = await page.locator("#simulation tbody tr").allTextContents();
    assert.deepEqual(rows.map((row) => row.includes("projected")), workers.map((w) => w > 2));
    assert.equal(await page.locator("#simulation svg .projected text").textContent(), "projected →");
    assert.match(await page.textContent("#simulation .note"), /tine calibrate/u);
    const marks = await page.locator("#simulation svg .simulated path").count();
    assert.ok(marks > 0, "a line is drawn");
    const without = await browser.open("serial");
    assert.match(await without.textContent("#simulation .absent"), /no picture/u);
  },
  async "space is told with both peaks and the sites that hold it"(browser) {
    const page = await browser.open("quickhull");
    const text = await page.textContent("#space");
    assert.match(text, /32\sMiB/u);
    assert.match(text, /240\sMiB/u);
    const held = await page.locator("#space figure").nth(1).locator("tbody tr").allTextContents();
    assert.equal(held.length, 3);
    assert.match(held[0], /split.*192\sMiB/u);
  },
};
