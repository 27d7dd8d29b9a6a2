// Builds the page from top to bottom.

import { named, others } from "./analyses.ts";
import { type Data, readData } from "./data.ts";
import { h } from "./dom.ts";
import { outside } from "./outside.ts";
import { paths } from "./paths.ts";
import { ranks } from "./ranks.ts";
import { simulation } from "./simulation.ts";
import { sites } from "./sites.ts";
import { speedup } from "./speedup.ts";
import { costs, masthead, summary } from "./summary.ts";
import { themeButton } from "./theme.ts";

function page(data: Data): void {
  document.title = `tine: ${data.run.command || "report"}`.slice(0, 200);
  const sections = [summary(data), ...named(data, "races"), ...(data.job ? [ranks(data.job)] : []), ...named(data, "timeline"), speedup(data), simulation(data), outside(data), sites(data), ...named(data, "grain"), ...named(data, "dag"), paths(data), ...named(data, "space"), ...others(data), costs(data)];
  const links = sections.map((one) => {
    const title = one.id === "summary" ? "Summary" : (one.querySelector("h2")?.textContent ?? "");
    return h("a", { href: `#${one.id}` }, title);
  });
  const nav = h("nav", { class: "contents", "aria-label": "Sections" }, ...links);
  document.body.replaceChildren(masthead(data, themeButton()), nav, h("main", { id: "main" }, ...sections));
}

page(readData());
