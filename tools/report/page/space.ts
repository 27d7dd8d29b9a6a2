// The space profile: how much memory is held at once, and below which call sites.

import * as Plot from "@observablehq/plot";
import { type Data, siteLabel } from "./data.ts";
import { asTable, h, onWidth } from "./dom.ts";
import { bytes, count, times } from "./units.ts";

const SHOWN = 12;

interface Held {
  label: string;
  bytes: number;
}

export function space(data: Data): HTMLElement[] {
  const profile = data.space;
  if (!profile) return [h("p", { class: "absent" }, "No memory was observed.")];
  const peaks: Held[] = [
    { label: "S₁, one worker", bytes: profile.serial_peak },
    { label: "S∞, any schedule", bytes: profile.worst_peak },
  ];
  const growth = profile.serial_peak > 0 ? ` The worst schedule holds ${times(profile.worst_peak / profile.serial_peak)} what one worker does.` : "";
  const left = profile.left === 0 ? "nothing was left at the end" : `${bytes(profile.left)} were left at the end`;
  const text = `${count(profile.allocations)} allocations of ${bytes(profile.allocated)} in all, ${count(profile.frees)} freed; ${left}.${growth}`;
  const held = bySite(data);
  return [
    h("p", {}, text),
    bars("Peaks", peaks),
    h("h3", {}, "Held at the worst moment, by call site"),
    held.length ? bars("Bytes by call site", held) : h("p", { class: "absent" }, "No call site holds anything at that moment."),
  ];
}

function bySite(data: Data): Held[] {
  const held = data.sites
    .map((site, i) => ({ label: siteLabel(data, i), bytes: site.bytes ?? 0 }))
    .filter((site) => site.bytes > 0)
    .sort((a, b) => b.bytes - a.bytes);
  const rest = held.slice(SHOWN);
  const shown = held.slice(0, SHOWN);
  if (rest.length) shown.push({ label: `${count(rest.length)} more`, bytes: rest.reduce((sum, site) => sum + site.bytes, 0) });
  return shown;
}

function bars(name: string, held: Held[]): HTMLElement {
  const holder = h("div", { class: "plot" });
  onWidth(holder, (width) => holder.replaceChildren(draw(held, width)));
  const rows = held.map((one) => [one.label, bytes(one.bytes)]);
  const spoken = `${name}: ${held.map((one) => `${one.label} ${bytes(one.bytes)}`).join(", ")}`;
  return h("figure", { "aria-label": spoken }, holder, asTable(name, ["", "Bytes"], rows));
}

// Labels stand above their bars, so that long ones have the whole width.
function draw(held: Held[], width: number): Element {
  const most = Math.max(1, ...held.map((one) => one.bytes));
  const fits = Math.floor((width - 90) / 7.2);
  const short = (text: string) => (text.length > fits ? `${text.slice(0, fits - 1)}…` : text);
  const items = held.map((one, row) => ({ ...one, row }));
  return Plot.plot({
    width,
    height: held.length * 42 + 4,
    margin: 0,
    marginRight: 84,
    style: { fontSize: "13px" },
    x: { domain: [0, most], axis: null },
    y: { type: "band", axis: null, padding: 0 },
    marks: [
      Plot.barX(items, { x: "bytes", y: "row", insetTop: 21, insetBottom: 9, fill: "var(--accent)", fillOpacity: 0.85 }),
      Plot.text(items, { y: "row", frameAnchor: "left", dy: -10, textAnchor: "start", text: (one: Held) => short(one.label), fill: "var(--ink)" }),
      Plot.text(items, { x: "bytes", y: "row", dx: 8, dy: 6, textAnchor: "start", text: (one: Held) => bytes(one.bytes), fill: "var(--ink)" }),
    ],
  });
}
