// The granularity scatter: each fork or loop with enough work below it, its work against its work per fork.

import * as Plot from "@observablehq/plot";
import { type Data, siteLabel } from "./data.ts";
import { asTable, choice, h, onWidth } from "./dom.ts";
import { type Group, groups } from "./groups.ts";
import { count, digits, duration, many, share } from "./units.ts";

const DEAR = 0.05; // the share of the work from which forking is called dear
const MOST_MARKS = 4000; // if there are more, points that would cover each other share a mark
const MOST_ROWS = 200;

interface Mark {
  work: number;
  grain: number; // work per fork
  forks: number;
  points: number; // number of points that share the mark
  site: string;
  phase: string;
  group: Group;
}

export function grain(data: Data): HTMLElement[] {
  const { points, run } = data;
  const none = `No fork or loop has ${duration(run.threshold)} of work below it, so there is nothing to draw.`;
  return [points.work.length === 0 ? h("p", { class: "absent" }, none) : new Scatter(data).element];
}

class Scatter {
  readonly element: HTMLElement;
  private marks: Mark[] = [];
  private list: Group[] = [];
  private width = 0;
  private at = -1; // the mark that the keyboard is on
  private readonly holder = h("div", { class: "plot" });
  private readonly legend = h("ul", { class: "legend" });
  private readonly said = h("p", { class: "said", role: "status" });

  constructor(private readonly data: Data) {
    const phased = data.phases.length > 0;
    this.group(phased ? "phase" : "site");
    const by = choice("Colour by", [["phase", "phase"], ["site", "call site"]], phased ? "phase" : "site", (value) => {
      this.group(value);
      this.draw();
    });
    const dear = data.points.grain.filter((grain) => grain < this.line()).length;
    const bounds = data.points.is_bound.filter((is) => is === 1).length;
    const forking = this.line() > 0 ? `${count(dear)} of ${many(data.points.work.length, "point")} spend more than ${share(DEAR)} of their work on forking: less than ${duration(this.line())} per fork, at ${digits(data.run.fork_cost)}\u202fns each.` : "";
    const loops = data.sites.some((site) => site.kind === "loop") ? " An iteration of a loop counts as a fork here, but costs less than one: below the line, only forks that are written as such are too many." : "";
    const unknown = bounds ? ` Of ${many(bounds, "point")} this profile added too much of the work to subtract it: they stand at the work per fork that was measured, and belong further down.` : "";
    const help = "Arrow keys walk from mark to mark: left and right by work.";
    this.element = h(
      "figure",
      { class: "scatter", "aria-label": `Granularity of ${many(data.points.work.length, "point")}` },
      h("p", {}, forking + loops + unknown),
      h("div", { class: "controls" }, phased ? by : null, this.legend),
      this.holder,
      h("p", { class: "hint" }, help),
      this.said,
      this.table(),
    );
    onWidth(this.holder, (width) => {
      this.width = width;
      this.draw();
    });
  }

  /** The work per fork below which forking is dear. */
  private line(): number {
    return this.data.run.fork_cost / DEAR;
  }

  private group(by: string): void {
    const { points, phases } = this.data;
    const keys = by === "phase" ? points.phase : points.site;
    const name = (key: number | null) => (by === "site" ? siteLabel(this.data, key) : key === null ? "no phase" : (phases[key] ?? "?"));
    const { list, of } = groups(keys, name);
    this.list = list;
    const all = points.work.map((work, i) => {
      const forks = forksOf(this.data, i);
      const phase = points.phase[i] ?? null;
      return {
        work: Math.max(1, work),
        grain: Math.max(0.1, points.grain[i]!),
        forks,
        points: 1,
        site: siteLabel(this.data, points.site[i] ?? null),
        phase: phase === null ? "" : (phases[phase] ?? ""),
        group: of[i]!,
      };
    });
    this.marks = all.length > MOST_MARKS ? merged(all) : all;
    this.marks.sort((a, b) => a.work - b.work);
    this.at = -1;
    this.legend.replaceChildren(...list.map((group) => h("li", {}, swatch(group), `${group.name} (${count(group.size)})`)));
  }

  private draw(): void {
    if (!this.width) return;
    const plot = scatter(this.marks, this.list, this.line(), this.width);
    plot.setAttribute("tabindex", "0");
    plot.setAttribute("role", "application");
    plot.setAttribute("aria-label", "Granularity: arrow keys walk from mark to mark");
    plot.addEventListener("keydown", (event) => this.walk(event as KeyboardEvent, plot));
    this.holder.replaceChildren(plot);
  }

  /** Moves the pointer to the next mark, so that Plot shows its tip, and describes the mark. */
  private walk(event: KeyboardEvent, plot: Element): void {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 10, ArrowDown: -10, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.at = Math.min(this.marks.length - 1, Math.max(0, this.at < 0 ? 0 : this.at + step));
    const mark = this.marks[this.at]!;
    this.said.textContent = told(mark).replaceAll("\n", ", ");
    const scales = plot as unknown as { scale(name: string): { apply(value: number): number } };
    const box = plot.getBoundingClientRect();
    const clientX = box.left + scales.scale("x").apply(mark.work);
    const clientY = box.top + scales.scale("y").apply(mark.grain);
    plot.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, pointerType: "mouse", bubbles: true }));
  }

  private table(): HTMLElement {
    const rows = [...this.marks].sort((a, b) => a.grain - b.grain).slice(0, MOST_ROWS);
    const caption = rows.length < this.marks.length ? `The ${count(rows.length)} points with the least work per fork` : "Points, the least work per fork first";
    const cells = rows.map((m) => [m.site, m.phase, duration(m.work), count(m.forks), duration(m.grain)]);
    return asTable(caption, ["Call site", "Phase", "Work", "Forks", "Work per fork"], cells);
  }
}

const forksOf = (data: Data, i: number): number => Math.max(1, data.points.forks[i] ?? 1);

/** Merges the points of one group that round to the same twelfth of a power of two, in work and in work per fork, into one mark. */
function merged(all: Mark[]): Mark[] {
  const found = new Map<string, Mark>();
  for (const mark of all) {
    const key = `${mark.group.name}/${Math.round(Math.log2(mark.work) * 12)}/${Math.round(Math.log2(mark.grain) * 12)}`;
    const there = found.get(key);
    if (there) there.points += 1;
    else found.set(key, mark);
  }
  return [...found.values()];
}

function told(mark: Mark): string {
  const lines = [mark.site, mark.phase && `phase ${mark.phase}`, `${duration(mark.work)} of work`, many(mark.forks, "fork"), `${duration(mark.grain)} per fork`];
  if (mark.points > 1) lines.push(`and ${many(mark.points - 1, "point")} like it`);
  return lines.filter(Boolean).join("\n");
}

function swatch(group: Group): Element {
  const plot = Plot.plot({
    width: 14,
    height: 14,
    margin: 0,
    axis: null,
    symbol: { type: "identity" },
    marks: [Plot.dot([0], { frameAnchor: "middle", r: 4.5, symbol: group.symbol as Plot.SymbolType, stroke: group.colour, fill: filled(group), strokeWidth: 1.6 })],
  });
  plot.setAttribute("aria-hidden", "true");
  return plot;
}

// Crosses have no inside to fill.
const filled = (group: Group): string => (["plus", "times", "star"].includes(group.symbol) ? "none" : group.colour);

function scatter(marks: Mark[], list: Group[], line: number, width: number): Element {
  const low = Math.min(...marks.map((m) => m.grain), line || Infinity) / 2;
  const high = Math.max(...marks.map((m) => m.grain), line) * 2;
  const zone =
    line > 0
      ? [
          Plot.rect([0], { y1: low, y2: line, fill: "var(--critical)", fillOpacity: 0.07, className: "zone" }),
          Plot.ruleY([line], { stroke: "var(--critical)", strokeWidth: 1.25, className: "guide" }),
          Plot.text([line], { y: (n: number) => n, frameAnchor: "right", textAnchor: "end", dy: 10, dx: -4, text: () => `below: forking is over ${share(DEAR)}`, fill: "var(--critical)", stroke: "var(--paper)", strokeWidth: 4 }),
        ]
      : [];
  const dots = list.map((group) =>
    Plot.dot(
      marks.filter((m) => m.group === group),
      { x: "work", y: "grain", r: 4, symbol: group.symbol as Plot.SymbolType, stroke: group.colour, strokeWidth: 1.2, strokeOpacity: 0.9, fill: filled(group), fillOpacity: 0.35, className: "points" },
    ),
  );
  const works = marks.map((m) => m.work);
  return Plot.plot({
    width,
    height: Math.min(520, Math.max(320, width * 0.55)),
    marginLeft: 68,
    marginRight: 16,
    marginTop: 28,
    marginBottom: 44,
    style: { fontSize: "13px" },
    x: { type: "log", label: "work", domain: [Math.min(...works) / 1.5, Math.max(...works) * 1.5], ticks: powers(Math.min(...works) / 1.5, Math.max(...works) * 1.5), tickFormat: duration },
    y: { type: "log", label: "work per fork", domain: [low, high], ticks: powers(low, high), tickFormat: duration, grid: true },
    marks: [...zone, ...dots, Plot.tip(marks, Plot.pointer({ x: "work", y: "grain", title: told, fill: "var(--raised)", stroke: "var(--rule)" }))],
  });
}

/** Returns the powers of ten in an interval, and 2 and 5 times the powers where there would be few. */
function powers(low: number, high: number): number[] {
  const steps = high / low > 300 ? [1] : [1, 2, 5];
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) {
    for (const step of steps) found.push(step * 10 ** power);
  }
  return found.filter((n) => n >= low && n <= high);
}
