// The functions that the program executed while no root ran.

import type { Data } from "./data.ts";
import { h, section } from "./dom.ts";
import { count, duration, share } from "./units.ts";

const SHOWN = 20;

export function outside(data: Data): HTMLElement {
  const about = "Where the program spent processor time while no root ran. Threads that never called into a pool, and time in which threads waited, are not in it.";
  const { sampled, totals } = data;
  const said = sampled.problem ? [h("p", { class: "absent" }, `Not located: ${sampled.problem}.`)] : [];
  if (!sampled.known) {
    const none = sampled.problem ? "" : "This profile has no samples of it.";
    return section("outside", "Outside of pools", about, ...said, ...(none ? [h("p", { class: "absent" }, none)] : []));
  }
  const text = `${duration(totals.outside)} outside of roots, of which ${duration(sampled.time)} of processor time were sampled.`;
  return section("outside", "Outside of pools", about, ...said, h("p", {}, text), ...(sampled.functions.length ? [table(data)] : []));
}

function table({ sampled }: Data): HTMLElement {
  const row = (name: string, place: string, time: number, part: number) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("span", { class: "function", title: name }, name), h("span", { class: "place" }, place)),
      h("td", { "data-name": "Time" }, duration(time)),
      h("td", { "data-name": "Share" }, share(part)),
    );
  const shown = sampled.functions.slice(0, SHOWN);
  const rows = shown.map((f) => row(f.name, f.place, f.time, f.share));
  const rest = sampled.time - shown.reduce((sum, f) => sum + f.time, 0);
  const others = sampled.functions.length - shown.length;
  if (rest > 0) rows.push(row(others > 0 ? `${count(others)} more, and what has no place` : "without a place", "", rest, rest / sampled.time));
  const head = ["Function", "Time", "Share"].map((name) => h("th", { scope: "col" }, name));
  const all = h("table", { class: "sites" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows));
  return h("div", { class: "scroll wide", tabindex: 0, role: "region", "aria-label": "Functions outside of pools" }, all);
}
