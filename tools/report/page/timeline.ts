// The timeline: a row for each worker, drawn on a canvas, with zoom.
//
// Each column of pixels of a row shows the states of its time as a stack, so that short periods are seen in proportion at any zoom. The cost of
// a picture depends on the periods that are in view and on its pixels.

import { type Data, type State, states } from "./data.ts";
import { type Child, asTable, contextOf, h, onWidth } from "./dom.ts";
import { colour, onTheme } from "./theme.ts";
import { duration, ratio, share } from "./units.ts";

const ROW = 26; // pixels of a worker's row
const GAP = 4;
const AXIS = 22;
const LEFT = 116; // for the names of workers
const MOST_FLOWS = 400; // arrows in one picture
const SHOWN: State[] = ["running", "in the kernel", "getting work", "no token", "waiting", "no work", "mixed"];
const COLOURS: Record<State, string> = {
  running: "box-deep",
  "in the kernel": "group-4",
  "getting work": "critical",
  "no token": "group-2",
  waiting: "group-3",
  "no work": "rule",
  outside: "paper",
  mixed: "muted",
};

export function timeline(data: Data): Child[] {
  if (!data.timeline) return [h("p", { class: "absent" }, "There are no events in this profile.")];
  const picture = new Picture(data);
  return [legend(data), picture.element, utilisation(data)];
}

function legend(data: Data): HTMLElement {
  const has = new Set(data.periods.is);
  const items = SHOWN.filter((state) => has.has(states.indexOf(state))).map((state) => h("li", {}, h("span", { class: "swatch", style: `background: var(--${COLOURS[state]})` }), state === "mixed" ? "several short ones" : state));
  return h("ul", { class: "legend", "aria-label": "States of workers" }, ...items);
}

function utilisation(data: Data): HTMLElement {
  const columns = states.filter((state) => state !== "mixed");
  const rows = data.timeline_workers.map((worker) => {
    const all = worker.times.reduce((sum, time) => sum + time, 0);
    return [worker.name, ...columns.map((_, i) => share(ratio(worker.times[i] ?? 0, all) ?? 0))];
  });
  return asTable("The time of each worker by state", ["Worker", ...columns], rows);
}

class Picture {
  readonly element: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly tip = h("div", { class: "tip", hidden: true });
  private readonly said = h("div", { class: "said", role: "status" });
  private readonly rows: { first: number; end: number }[] = []; // of the periods of each worker
  private readonly whole: [number, number];
  private view: [number, number];
  private width = 0;
  private dragged: { x: number; view: [number, number] } | null = null;

  constructor(private readonly data: Data) {
    this.whole = [data.timeline!.begin, Math.max(data.timeline!.end, data.timeline!.begin + 1)];
    this.view = [...this.whole];
    this.find();
    const hint = "Scroll or press + and − to zoom, drag or press the arrow keys to move, Home to show everything.";
    this.canvas = h("canvas", {
      tabindex: 0,
      role: "application",
      "aria-label": `The workers over time. ${hint}`,
      keydown: (event) => this.key(event as KeyboardEvent),
      wheel: (event) => this.wheel(event as WheelEvent),
      pointerdown: (event) => this.grasp(event as PointerEvent),
      pointermove: (event) => this.point(event as PointerEvent),
      pointerup: () => (this.dragged = null),
      pointerleave: () => (this.tip.hidden = true),
    });
    const stage = h("div", { class: "stage" }, this.canvas, this.tip);
    this.element = h("figure", { class: "boxes", "aria-label": "The workers over time" }, stage, this.said, h("p", { class: "hint" }, hint));
    onWidth(stage, (width) => {
      this.width = width;
      this.draw();
    });
    onTheme(() => this.draw());
  }

  /** Finds the periods of each worker, which lie one after the other. */
  private find(): void {
    const { worker } = this.data.periods;
    let at = 0;
    for (let w = 0; w < this.data.timeline_workers.length; w += 1) {
      const first = at;
      while (at < worker.length && worker[at] === w) at += 1;
      this.rows.push({ first, end: at });
    }
  }

  private x(time: number): number {
    return LEFT + ((time - this.view[0]) / (this.view[1] - this.view[0])) * (this.width - LEFT);
  }
  private time(x: number): number {
    return this.view[0] + ((x - LEFT) / (this.width - LEFT)) * (this.view[1] - this.view[0]);
  }

  /** Returns the first period of the worker that ends after `time`. */
  private periodAt(worker: number, time: number): number {
    let { first, end } = this.rows[worker]!;
    while (first < end) {
      const middle = (first + end) >> 1;
      if (this.data.periods.end[middle]! <= time) first = middle + 1;
      else end = middle;
    }
    return first;
  }

  private draw(): void {
    if (!this.width) return;
    const height = AXIS + this.rows.length * (ROW + GAP);
    const context = contextOf(this.canvas, this.width, height, 12.5);
    const colours = states.map((state) => colour(COLOURS[state]));
    this.axis(context);
    this.rows.forEach((_, w) => this.row(context, w, colours));
    const flows = this.flows(context);
    this.canvas.dataset.from = String(this.view[0]);
    this.canvas.dataset.to = String(this.view[1]);
    this.canvas.dataset.flows = String(flows);
    this.said.textContent = `${duration(this.view[0])} to ${duration(this.view[1])} after the start`;
  }

  private axis(context: CanvasRenderingContext2D): void {
    const span = this.view[1] - this.view[0];
    const rough = span / Math.max(2, Math.floor((this.width - LEFT) / 130));
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * power).find((one) => one >= rough)!;
    context.fillStyle = colour("muted");
    context.strokeStyle = colour("rule");
    context.textAlign = "left";
    for (let t = Math.ceil(this.view[0] / step) * step; t <= this.view[1]; t += step) {
      const x = Math.round(this.x(t)) + 0.5;
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, AXIS + this.rows.length * (ROW + GAP));
      context.stroke();
      const text = duration(t);
      if (x + 4 + context.measureText(text).width < this.width) context.fillText(text, x + 4, AXIS / 2);
    }
  }

  /** Draws the stack of states of each column, and then the names of the strands that have space. */
  private row(context: CanvasRenderingContext2D, worker: number, colours: string[]): void {
    const top = AXIS + worker * (ROW + GAP);
    context.fillStyle = colour("ink");
    context.fillText(this.data.timeline_workers[worker]!.name, 0, top + ROW / 2, LEFT - 8);
    const width = Math.max(1, Math.floor(this.width - LEFT));
    const perPixel = (this.view[1] - this.view[0]) / width;
    const stack = new Float64Array(width * states.length);
    const { is, begin, end } = this.data.periods;
    const first = this.periodAt(worker, this.view[0]);
    const last = this.rows[worker]!.end;
    for (let i = first; i < last && begin[i]! < this.view[1]; i += 1) {
      const from = Math.max(0, (begin[i]! - this.view[0]) / perPixel);
      const to = Math.min(width, (end[i]! - this.view[0]) / perPixel);
      for (let x = Math.floor(from); x < to; x += 1) stack[x * states.length + is[i]!]! += Math.min(to, x + 1) - Math.max(from, x);
    }
    for (let x = 0; x < width; x += 1) {
      let y = top + ROW;
      for (let s = 0; s < states.length; s += 1) {
        const part = stack[x * states.length + s]! * ROW;
        if (part < 0.02) continue;
        context.fillStyle = colours[s]!;
        context.fillRect(LEFT + x, y - part, 1.05, part);
        y -= part;
      }
    }
    this.names(context, top, first, last);
  }

  private names(context: CanvasRenderingContext2D, top: number, first: number, last: number): void {
    const { is, begin, end } = this.data.periods;
    for (let i = first; i < last && begin[i]! < this.view[1]; i += 1) {
      const left = Math.max(LEFT, this.x(begin[i]!));
      const room = Math.min(this.width, this.x(end[i]!)) - left - 8;
      if (room < 40 || states[is[i]!] !== "running") continue;
      const text = this.strand(i);
      if (text.length < 200 && context.measureText(text).width > room) continue;
      context.fillStyle = colour("ink");
      context.fillText(text, left + 4, top + ROW / 2);
    }
  }

  /** Draws a line from each promotion in view to its steal, if there are not too many. */
  private flows(context: CanvasRenderingContext2D): number {
    const { from, to, promoted, stolen } = this.data.flows;
    const shown: number[] = [];
    for (let i = 0; i < from.length && promoted[i]! < this.view[1]; i += 1) {
      if (stolen[i]! >= this.view[0]) shown.push(i);
    }
    if (shown.length > MOST_FLOWS) return 0;
    context.strokeStyle = colour("ink");
    context.globalAlpha = 0.55;
    const y = (worker: number) => AXIS + worker * (ROW + GAP) + ROW / 2;
    for (const i of shown) {
      context.beginPath();
      context.moveTo(Math.max(LEFT, this.x(promoted[i]!)), y(from[i]!));
      context.lineTo(Math.max(LEFT, this.x(stolen[i]!)), y(to[i]!));
      context.stroke();
    }
    context.globalAlpha = 1;
    return shown.length;
  }

  private strand(period: number): string {
    const site = this.data.periods.site[period];
    return site === null || site === undefined ? "root" : (this.data.timeline_sites[site] ?? "root");
  }

  private told(period: number): string[] {
    const { is, begin, end } = this.data.periods;
    const state = states[is[period]!]!;
    const title = state === "running" ? this.strand(period) : state === "mixed" ? "several short periods" : state;
    return [title, `${duration(end[period]! - begin[period]!)} from ${duration(begin[period]!)} on`];
  }

  private point(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    if (this.dragged) {
      const moved = ((this.dragged.x - x) / (this.width - LEFT)) * (this.dragged.view[1] - this.dragged.view[0]);
      return this.show(this.dragged.view[0] + moved, this.dragged.view[1] + moved);
    }
    const worker = Math.floor((y - AXIS) / (ROW + GAP));
    const period = x >= LEFT && this.rows[worker] ? this.periodAt(worker, this.time(x)) : -1;
    this.tip.hidden = period < 0 || period >= this.rows[worker]!.end;
    if (this.tip.hidden) return;
    const lines = this.told(period);
    this.tip.replaceChildren(h("strong", {}, `${this.data.timeline_workers[worker]!.name}: ${lines[0]}`), h("div", {}, lines[1]));
    this.tip.style.left = `${Math.max(0, Math.min(x + 14, this.width - this.tip.offsetWidth - 2))}px`;
    this.tip.style.top = `${y + 18}px`;
  }

  private grasp(event: PointerEvent): void {
    this.dragged = { x: event.clientX - this.canvas.getBoundingClientRect().left, view: [...this.view] };
    this.canvas.setPointerCapture(event.pointerId);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    this.zoom(Math.exp(Math.sign(event.deltaY) * 0.25), this.time(event.clientX - this.canvas.getBoundingClientRect().left));
  }

  /** Changes the length of the time that is shown by `factor`; `around` stays in its place. */
  private zoom(factor: number, around: number): void {
    const at = Math.min(Math.max(around, this.view[0]), this.view[1]);
    this.show(at - (at - this.view[0]) * factor, at + (this.view[1] - at) * factor);
  }

  private show(from: number, to: number): void {
    const span = Math.min(Math.max(to - from, 100), this.whole[1] - this.whole[0]);
    const begin = Math.min(Math.max(from, this.whole[0]), this.whole[1] - span);
    this.view = [begin, begin + span];
    this.draw();
  }

  private key(event: KeyboardEvent): void {
    const [from, to] = this.view;
    const span = to - from;
    const moves: Record<string, () => void> = {
      "+": () => this.zoom(0.5, (from + to) / 2),
      "=": () => this.zoom(0.5, (from + to) / 2),
      "-": () => this.zoom(2, (from + to) / 2),
      ArrowLeft: () => this.show(from - span / 4, to - span / 4),
      ArrowRight: () => this.show(from + span / 4, to + span / 4),
      Home: () => this.show(this.whole[0], this.whole[1]),
      Escape: () => this.show(this.whole[0], this.whole[1]),
    };
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  }
}
