// The predicted speed-up: a band between the one that the scheduler is expected to reach and the one that the critical path allows.

import * as Plot from "@observablehq/plot";
import type { Data } from "./data.ts";
import { asTable, choice, h, onWidth, section } from "./dom.ts";
import { overWorkers } from "./over_workers.ts";
import { count, digits, times } from "./units.ts";

interface Step {
  workers: number;
  lower: number;
  upper: number;
}

type Whose = "roots" | "process";

export function speedup(data: Data): HTMLElement {
  const about = "The speed-up over one worker lies in the band: below what the critical path allows, above what a run with every fork on it stolen is expected to get. The dotted line is ideal.";
  if (data.prediction.workers.length === 0 || data.totals.roots.work === 0) {
    return section("speedup", "Predicted speed-up", about, h("p", { class: "absent" }, "There is no work to predict from."));
  }
  const holder = h("div", { class: "plot" });
  const figure = h("figure", {});
  let whose: Whose = "roots";
  let width = 0;
  const show = () => {
    const steps = stepsOf(data, whose);
    const last = steps[steps.length - 1]!;
    figure.setAttribute("aria-label", `Predicted speed-up: on ${count(last.workers)} workers between ${times(last.lower)} and ${times(last.upper)}.`);
    if (width) holder.replaceChildren(draw(steps, width, data.run.workers));
    const rows = steps.filter((s) => Number.isInteger(Math.log2(s.workers))).map((s) => [count(s.workers), times(s.lower), times(s.upper)]);
    figure.replaceChildren(holder, asTable("Predicted speed-up", ["Workers", "At least", "At most"], rows));
  };
  const of = choice("Of", [["roots", "the calls into pools"], ["process", "the whole program"]], whose, (value) => {
    whose = value as Whose;
    show();
  });
  onWidth(holder, (now) => {
    width = now;
    show();
  });
  show();
  return section("speedup", "Predicted speed-up", about, h("div", { class: "controls" }, of), figure);
}

function stepsOf({ prediction }: Data, whose: Whose): Step[] {
  const { low, high } = prediction[whose];
  return prediction.workers.map((workers, i) => ({ workers, lower: low[i] ?? 0, upper: high[i] ?? 0 }));
}

function draw(steps: Step[], width: number, here: number): Element {
  const top = Math.max(2, ...steps.map((s) => s.upper));
  const most = steps[steps.length - 1]!.workers;
  const low = Math.min(1, ...steps.map((s) => s.lower));
  return overWorkers(width, "Speed-up", most, [low, top], [
    Plot.line([1, Math.min(most, top * 1.35)].map((n) => ({ n })), { x: "n", y: "n", stroke: "var(--muted)", strokeWidth: 1, strokeDasharray: "2 3", className: "ideal" }),
    Plot.areaY(steps, { x: "workers", y1: "lower", y2: "upper", fill: "var(--accent)", fillOpacity: 0.18, className: "band" }),
    Plot.line(steps, { x: "workers", y: "upper", stroke: "var(--accent)", strokeWidth: 1.75 }),
    Plot.line(steps, { x: "workers", y: "lower", stroke: "var(--accent)", strokeWidth: 1.75 }),
    here > 1 && here <= most
      ? [
          Plot.ruleX([here], { stroke: "var(--muted)", strokeWidth: 1 }),
          Plot.text([here], { x: (n: number) => n, frameAnchor: "top", dy: -16, text: () => "this run", fill: "var(--muted)" }),
        ]
      : [],
    Plot.text([steps[steps.length - 1]!], { x: "workers", y: "upper", text: (s: Step) => `at most ${digits(s.upper)}×`, textAnchor: "end", dy: -10, fill: "var(--ink)", stroke: "var(--paper)", strokeWidth: 4 }),
    Plot.text([steps[steps.length - 1]!], { x: "workers", y: "lower", text: (s: Step) => `at least ${digits(s.lower)}×`, textAnchor: "end", dy: 14, fill: "var(--ink)", stroke: "var(--paper)", strokeWidth: 4 }),
    Plot.tip(steps, Plot.pointerX({ x: "workers", y1: "lower", y2: "upper", title: (s: Step) => `${count(s.workers)} workers\n${times(s.lower)} to ${times(s.upper)}`, fill: "var(--raised)", stroke: "var(--rule)" })),
  ]);
}
