// A plot of a speed-up over workers, with logarithmic axes.

import * as Plot from "@observablehq/plot";
import { count, times } from "./units.ts";

/** Draws the marks. The axes reach from one worker to `most`, and from `low` to a little above `high`. */
export function overWorkers(width: number, title: string, most: number, [low, high]: [number, number], marks: Plot.Markish[]): Element {
  const narrow = width < 520;
  return Plot.plot({
    width,
    height: Math.min(400, Math.max(260, width * 0.45)),
    marginLeft: 52,
    marginRight: narrow ? 16 : 24,
    marginTop: 28,
    marginBottom: 44,
    style: { fontSize: "13px" },
    ariaLabel: `${title} over workers, both on logarithmic axes`,
    x: { type: "log", base: 2, domain: [1, Math.max(most, 2)], label: "workers", ticks: narrow ? 5 : 10, tickFormat: (n: number) => count(n), grid: false },
    y: { type: "log", base: 2, label: "speed-up", domain: [low, high * 1.35], ticks: 6, tickFormat: (n: number) => times(n), grid: true },
    marks,
  });
}
