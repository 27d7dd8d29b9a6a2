// The simulated speed-up, with the band in which those of greedy schedules lie.

import * as Plot from "@observablehq/plot";
import type { Data } from "./data.ts";
import { asTable, h, onWidth, section } from "./dom.ts";
import { overWorkers } from "./over_workers.ts";
import { count, share, times } from "./units.ts";

interface Step {
  workers: number;
  speedUp: number;
  low: number;
  high: number;
  utilisation: number;
}

const measured = 2; // simulated times were compared with measured ones up to so many workers

export function simulation(data: Data): HTMLElement {
  const about = "The program's graph on a model of tine's scheduler. The band is that of greedy schedules without costs. Beyond two workers the speed-up is projected: memory bandwidth is not in the model.";
  const { simulation: s } = data;
  if (!s) return section("simulation", "Simulated speed-up", about, h("p", { class: "absent" }, "The profile has no picture of the program that could be simulated."));
  const steps = s.workers.map((workers, i) => ({ workers, speedUp: s.speed_up[i] ?? 0, low: s.low[i] ?? 0, high: s.high[i] ?? 0, utilisation: s.utilisation[i] ?? 0 }));
  const last = steps[steps.length - 1]!;
  const holder = h("div", { class: "plot" });
  const rows = steps.map((step) => [`${count(step.workers)}${step.workers > measured ? ", projected" : ""}`, times(step.speedUp), share(step.utilisation), times(step.low), times(step.high)]);
  const table = asTable("Simulated speed-up", ["Workers", "Speed-up", "Utilisation", "Greedy: at least", "At most"], rows);
  const figure = h("figure", { "aria-label": `Simulated speed-up: ${times(last.speedUp)} on ${count(last.workers)} workers.` }, holder, table);
  onWidth(holder, (width) => holder.replaceChildren(draw(steps, width)));
  const costs = s.is_calibrated ? null : h("p", { class: "note" }, "The costs of the scheduler are usual values; ", h("code", {}, "tine calibrate"), " measures those of a machine.");
  return section("simulation", "Simulated speed-up", about, figure, costs);
}

function draw(steps: Step[], width: number): Element {
  const top = Math.max(2, ...steps.map((s) => s.high));
  const most = steps[steps.length - 1]!.workers;
  const low = Math.min(0.9, ...steps.map((s) => Math.min(s.low, s.speedUp)));
  return overWorkers(width, "Simulated speed-up", most, [low, top], [
    Plot.areaY(steps, { x: "workers", y1: "low", y2: "high", fill: "var(--accent)", fillOpacity: 0.18, className: "band" }),
    Plot.line(steps, { x: "workers", y: "speedUp", stroke: "var(--accent)", strokeWidth: 2, marker: "dot", className: "simulated" }),
    most > measured
      ? [
          Plot.ruleX([measured], { stroke: "var(--muted)", strokeWidth: 1, strokeDasharray: "2 3" }),
          Plot.text([measured], { x: (n: number) => n, frameAnchor: "top", dy: -16, dx: 6, textAnchor: "start", text: () => "projected →", fill: "var(--muted)", className: "projected" }),
        ]
      : [],
    Plot.tip(steps, Plot.pointerX({ x: "workers", y: "speedUp", title: (s: Step) => `${count(s.workers)} workers${s.workers > measured ? ", projected" : ""}\n${times(s.speedUp)}, ${share(s.utilisation)} busy\ngreedy ${times(s.low)} to ${times(s.high)}`, fill: "var(--raised)", stroke: "var(--rule)" })),
  ]);
}
