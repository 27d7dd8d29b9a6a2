// The ranks of a job: what each of them did, and when it had work.

import * as Plot from "@observablehq/plot";
import type { Job, Rank } from "./data.ts";
import { h, onWidth, section } from "./dom.ts";
import { bytes, count, duration, many, ratio, share } from "./units.ts";

export function ranks(job: Job): HTMLElement {
  const about = "Each row is a rank. A bar is time in calls into its pool; where the bar fades, the rank had no work. Outside of the bars it starts, ends, or computes outside of pools.";
  const missing = job.missing.length ? [h("p", { class: "absent" }, `${many(job.missing.length, "rank")} of ${count(job.ranks)} left no profile here: ${job.missing.slice(0, 20).join(", ")}.`)] : [];
  const holder = h("div", { class: "plot" });
  onWidth(holder, (width) => holder.replaceChildren(timeline(job, width)));
  const label = `When each rank had work, in ${duration(job.wall)}.`;
  return section("ranks", "Ranks", about, ...missing, h("figure", { "aria-label": label }, holder), table(job.by_rank));
}

interface Bar {
  rank: number;
  from: number;
  to: number;
  blank: number; // the share of the time without work
}

function timeline(job: Job, width: number): Element {
  const all = job.by_rank;
  const at = (rank: Rank, begin: number, wall: number, blank: number): Bar => ({ rank: rank.rank, from: begin, to: begin + wall, blank });
  const lives = all.map((rank) => at(rank, rank.begin, rank.wall, 0));
  const roots = all.flatMap((rank) => rank.roots.map((root) => at(rank, root.begin, root.wall, 0)));
  const idle = all.flatMap((rank) => rank.idle_periods.map((period) => at(rank, period.begin, period.wall, ratio(period.without_work, period.wall) ?? 0)));
  const bar = { x1: "from", x2: "to", y: "rank", insetTop: 2, insetBottom: 2 };
  return Plot.plot({
    width,
    height: 54 + Math.max(all.length * (all.length > 32 ? 12 : 22), 44),
    marginLeft: 52,
    marginRight: 24,
    marginBottom: 36,
    style: { fontSize: "13px" },
    ariaLabel: "The ranks over time",
    x: { label: "time since the first rank began", domain: [0, job.wall], ticks: Math.max(3, Math.floor(width / 160)), tickFormat: (ns: number) => duration(ns), grid: true },
    y: { label: "rank", type: "band", domain: all.map((rank) => rank.rank), tickSize: 0 },
    marks: [
      Plot.ruleY(lives, { y: "rank", x1: "from", x2: "to", stroke: "var(--muted)", strokeWidth: 1 }),
      Plot.barX(roots, { ...bar, fill: "var(--accent)", className: "in-roots" }),
      Plot.barX(idle, { ...bar, fill: "var(--paper)", fillOpacity: (one: Bar) => 0.85 * one.blank, className: "idle" }),
    ],
  });
}

function table(all: Rank[]): HTMLElement {
  const columns: [string, (rank: Rank) => string][] = [
    ["Work", (r) => duration(r.work)],
    ["Share", (r) => share(r.work_share)],
    ["In calls", (r) => duration(r.in_calls)],
    ["Without work", (r) => `${duration(r.without_work)} (${share(r.without_work_share)})`],
    ["Steals", (r) => count(r.steals)],
    ["Requests", (r) => count(r.requests)],
    ["Given", (r) => count(r.given)],
    ["Messages", (r) => count(r.messages)],
    ["Bytes", (r) => bytes(r.bytes)],
  ];
  const head = ["Rank", ...columns.map(([name]) => name)].map((name) => h("th", { scope: "col" }, name));
  const rows = all.map((rank) =>
    h("tr", { "data-rank": rank.rank }, h("th", { scope: "row" }, h("span", { class: "function", title: rank.file }, count(rank.rank))), ...columns.map(([name, write]) => h("td", { "data-name": name }, write(rank)))),
  );
  const sites = h("table", { class: "sites" }, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows));
  return h("div", { class: "scroll wide", tabindex: 0, role: "region", "aria-label": "Ranks" }, sites);
}
