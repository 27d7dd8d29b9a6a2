// Names may hold anything: they are text, and nothing else.

import assert from "node:assert/strict";

export const checks = {
  async "markup in names is shown, not obeyed"(browser) {
    const page = await browser.open("hostile");
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.evaluate(() => document.scripts.length), 0); // the body was replaced by the page
    const title = await page.textContent("h1");
    assert.ok(title.startsWith("</script><script>document.title='broken'</script><img src=x"), title);
    assert.ok(title.includes(`"quoted 'twice'" <!-- \\u003c \ufffd`), title);
    assert.ok((await page.title()).startsWith("tine: </script>"));
    assert.match(await page.textContent(".facts"), /a & b < c &lt; \{\{style\}\}/);
  },
  async "every site has a row with its name"(browser) {
    const page = await browser.open("hostile");
    const names = await page.locator(".sites .function").allTextContents();
    assert.deepEqual(names.sort(), browser.data("hostile").sites.map((site) => site.name).sort());
    assert.ok(names.some((name) => name.includes("größe::π∘Ω")));
    assert.ok(names.every((name) => name.length > 0));
  },
  async "only the page's own script may run"(browser) {
    const page = await browser.open("quickhull");
    const policy = await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', "content");
    assert.match(policy, /^default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[\w+/=]+'$/);
  },
};
