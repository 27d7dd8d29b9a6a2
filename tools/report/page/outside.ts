// The functions that the program executed while no root ran.

import type { Data, SampledFunction } from "./data.ts";
import { h, section } from "./dom.ts";
import { count, duration, share } from "./units.ts";

const SHOWN = 20;

export function outside(data: Data): HTMLElement {
  const about = "Where the program spent processor time while no root ran. Threads that never called into a pool, and time in which threads waited, are not in it.";
  const { problem, sampled, functions, wall } = data.totals.outside;
  const said = problem ? [h("p", { class: "absent" }, `Not located: ${problem}.`)] : [];
  if (sampled === null) {
    const none = problem ? "" : "This profile has no samples of it.";
    return section("outside", "Outside of pools", about, ...said, ...(none ? [h("p", { class: "absent" }, none)] : []));
  }
  const text = `${duration(wall)} outside of roots, of which ${duration(sampled)} of processor time were sampled.`;
  return section("outside", "Outside of pools", about, ...said, h("p", {}, text), ...(functions?.length ? [table(functions, sampled)] : []));
}

function table(functions: SampledFunction[], sampled: number): HTMLElement {
  const row = (name: string, place: string, time: number, part: number) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("span", { class: "function", title: name }, name), h("span", { class: "place" }, place)),
      h("td", { "data-name": "Time" }, duration(time)),
      h("td", { "data-name": "Share" }, share(part)),
    );
  const shown = functions.slice(0, SHOWN);
  const rows = shown.map((f) => row(f.name, f.place, f.time, f.share));
  const rest = sampled - shown.reduce((sum, f) => sum + f.time, 0);
  const others = functions.length - shown.length;
  if (rest > 0) rows.push(row(others > 0 ? `${count(others)} more, and what has no place` : "without a place", "", rest, rest / sampled));
  const head = ["Function", "Time", "Share"].map((name) => h("th", { scope: "col" }, name));
  const all = h("table", { class: "sites" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows));
  return h("div", { class: "scroll wide", tabindex: 0, role: "region", "aria-label": "Functions outside of pools" }, all);
}
