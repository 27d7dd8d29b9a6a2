// A picture made of boxes, drawn on a canvas: zoomed by click and by keyboard. The dag and the fork paths are
// such pictures; they differ in their `Layout`.
//
// The layout is relative to the box that is zoomed to, and stops at boxes smaller than a pixel. Therefore the cost of a
// picture depends on its visible boxes, however large the profile is, and no depth of nesting exhausts the precision.

import { contextOf, h, onWidth } from "./dom.ts";
import { colour, onTheme } from "./theme.ts";

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Layout {
  roots: number; // the box around everything
  parent(box: number): number | null;
  children(box: number): Iterable<number>;
  /** Returns the children of a box that fills `rect`, with their rectangles; none if they are too small to be seen. */
  place(box: number, rect: Rect): [number, Rect][];
  /** The part of its rectangle that the box itself covers, if any. */
  body(box: number, rect: Rect, expanded: boolean): Rect | null;
  tone(box: number, depth: number): Tone;
  label(box: number): string;
  /** Returns the texts to write if the label has no room, the longest first. */
  shorter(box: number): string[];
  /** Returns the description of a box, line by line; the first line is its name. */
  told(box: number): string[];
  height(width: number, zoomed: number): number;
}

export type Tone = "box" | "box-deep" | "root-box" | "critical";

interface Drawn {
  box: number;
  rect: Rect;
  body: Rect | null;
  depth: number;
}

const MOST = 40000; // boxes in one picture
const LINE = 12.5; // pixels of type
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Boxes {
  readonly element: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly way = h("nav", { class: "way" });
  private readonly tip = h("div", { class: "tip", hidden: true });
  private readonly said = h("div", { class: "said", role: "status" });
  private zoomed: number;
  private chosen: number;
  private width = 0;
  private drawn: Drawn[] = [];
  private frame = 0;

  constructor(
    private readonly layout: Layout,
    private readonly name: string,
    hint: string,
  ) {
    this.zoomed = this.chosen = layout.roots;
    this.canvas = h("canvas", {
      tabindex: 0,
      role: "application",
      "aria-label": `${name}. ${hint}`,
      keydown: (event) => this.key(event as KeyboardEvent),
      click: (event) => this.click(event as MouseEvent),
      pointermove: (event) => this.point(event as PointerEvent),
      pointerleave: () => (this.tip.hidden = true),
      focus: () => this.draw(),
      blur: () => this.draw(),
    });
    const stage = h("div", { class: "stage" }, this.canvas, this.tip);
    this.way.setAttribute("aria-label", `${name}: the way to what is shown`);
    this.element = h("figure", { class: "boxes", "aria-label": name }, this.way, stage, this.said, h("p", { class: "hint" }, hint));
    onWidth(stage, (width) => {
      this.width = width;
      this.draw();
    });
    onTheme(() => this.draw());
    this.crumbs();
    this.say();
  }

  /** Shows `box` as large as the picture. */
  zoom(box: number): void {
    if (box === this.zoomed) return;
    const from = this.drawn.find((one) => one.box === box)?.rect;
    const before = this.zoomed;
    this.zoomed = box;
    this.chosen = box;
    this.crumbs();
    this.say();
    this.canvas.dataset.zoomed = String(box);
    if (from && !calm.matches) this.grow(before, from);
    else this.draw();
  }

  /** Shows the old picture growing until the rectangle of the new one fills it. */
  private grow(before: number, to: Rect): void {
    const began = performance.now();
    cancelAnimationFrame(this.frame);
    const height = this.layout.height(this.width, before);
    const step = (now: number) => {
      const t = Math.min(1, (now - began) / 220);
      const k = 1 - (1 - t) ** 3;
      if (t === 1) return this.draw();
      const mix = (a: number, b: number) => a + (b - a) * k;
      const view = { x: mix(0, to.x), y: mix(0, to.y), width: mix(this.width, to.width), height: mix(height, to.height) };
      const sx = this.width / view.width;
      const sy = height / view.height;
      this.paint(before, { x: -view.x * sx, y: -view.y * sy, width: this.width * sx, height: height * sy }, height);
      this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  private draw(): void {
    if (!this.width) return;
    cancelAnimationFrame(this.frame);
    const height = this.layout.height(this.width, this.zoomed);
    this.paint(this.zoomed, { x: 0, y: 0, width: this.width, height }, height);
  }

  private paint(root: number, rect: Rect, height: number): void {
    const context = contextOf(this.canvas, this.width, height, LINE);
    this.drawn = this.arrange(root, rect, height);
    const colours = palette();
    for (const one of this.drawn) {
      if (one.body) fill(context, one, one.body, this.layout, colours);
    }
    for (const one of this.drawn) {
      if (one.body) write(context, one, one.body, this.layout, colours, this.width);
    }
    const chosen = this.drawn.find((one) => one.box === this.chosen);
    if (chosen && document.activeElement === this.canvas) outline(context, chosen.body ?? chosen.rect, colours.ink, this.width, height);
    this.canvas.dataset.boxes = String(this.drawn.length);
  }

  /** Returns the boxes that can be seen, parents before their children. */
  private arrange(root: number, rect: Rect, height: number): Drawn[] {
    const drawn: Drawn[] = [];
    const open: [number, Rect, number][] = [[root, rect, 0]];
    while (open.length && drawn.length < MOST) {
      const [box, where, depth] = open.pop()!;
      if (where.x > this.width || where.y > height || where.x + where.width < 0 || where.y + where.height < 0) continue;
      const inside = where.width >= 1 && where.height >= 1 ? this.layout.place(box, where) : [];
      drawn.push({ box, rect: where, body: this.layout.body(box, where, inside.length > 0), depth });
      for (let i = inside.length - 1; i >= 0; i -= 1) open.push([inside[i]![0], inside[i]![1], depth + 1]);
    }
    return drawn;
  }

  /** Returns the innermost box under the pointer. */
  private hit(event: MouseEvent): Drawn | undefined {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    for (let i = this.drawn.length - 1; i >= 0; i -= 1) {
      const { body, rect } = this.drawn[i]!;
      const r = body ?? rect;
      if (x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height) return this.drawn[i];
    }
    return undefined;
  }

  private point(event: PointerEvent): void {
    const found = this.hit(event);
    this.tip.hidden = !found;
    if (!found) return;
    const lines = this.layout.told(found.box);
    this.tip.replaceChildren(h("strong", {}, lines[0]), ...lines.slice(1).map((line) => h("div", {}, line)));
    const at = this.canvas.getBoundingClientRect();
    const x = event.clientX - at.left;
    this.tip.style.left = `${Math.max(0, Math.min(x + 14, this.width - this.tip.offsetWidth - 2))}px`;
    this.tip.style.top = `${event.clientY - at.top + 18}px`;
  }

  private click(event: MouseEvent): void {
    const found = this.hit(event);
    if (!found) return;
    // A click on the box that is zoomed to zooms out. A leaf would fill the picture with one colour, so its parent is shown.
    if (found.box === this.zoomed) return this.zoom(this.layout.parent(this.zoomed) ?? this.zoomed);
    this.zoom(this.openable(found.box));
    this.chosen = found.box;
    this.say();
  }

  private openable(box: number): number {
    for (const _ of this.layout.children(box)) return box;
    return this.layout.parent(box) ?? box;
  }

  private key(event: KeyboardEvent): void {
    const parent = this.layout.parent(this.chosen);
    const moves: Record<string, () => void> = {
      ArrowDown: () => this.choose([...this.layout.children(this.chosen)][0] ?? null),
      ArrowUp: () => this.chosen !== this.layout.roots && this.choose(parent),
      ArrowRight: () => this.beside(1),
      ArrowLeft: () => this.beside(-1),
      Enter: () => this.zoom(this.openable(this.chosen)),
      " ": () => this.zoom(this.openable(this.chosen)),
      Escape: () => this.zoom(this.layout.parent(this.zoomed) ?? this.zoomed),
      Backspace: () => this.zoom(this.layout.parent(this.zoomed) ?? this.zoomed),
      Home: () => this.zoom(this.layout.roots),
    };
    const move = moves[event.key];
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move();
  }

  private beside(step: number): void {
    const parent = this.layout.parent(this.chosen);
    if (parent === null) return;
    const siblings = [...this.layout.children(parent)];
    this.choose(siblings[siblings.indexOf(this.chosen) + step] ?? null);
  }

  private choose(box: number | null): void {
    if (box === null) return;
    this.chosen = box;
    this.say();
    // The box is outside of the picture, so the picture zooms to it.
    const inside = this.ancestors(box).includes(this.zoomed);
    if (!inside) {
      this.zoomed = box;
      this.crumbs();
    }
    this.draw();
  }

  private say(): void {
    this.said.textContent = this.layout.told(this.chosen).join(" · ");
  }

  private ancestors(box: number): number[] {
    const found: number[] = [];
    for (let at: number | null = box; at !== null; at = this.layout.parent(at)) found.push(at);
    return found.reverse();
  }

  /** Makes a button for each box around the one that is shown; for a long way only for its two ends. */
  private crumbs(): void {
    const way = this.ancestors(this.zoomed);
    const shown: (number | null)[] = way.length > 7 ? [...way.slice(0, 2), null, ...way.slice(-4)] : way;
    const items = shown.map((box) =>
      box === null
        ? h("span", {}, `… ${way.length - 6} …`)
        : h("button", { type: "button", "aria-current": box === this.zoomed ? "true" : null, click: () => this.zoom(box) }, this.layout.label(box) || this.name),
    );
    this.way.replaceChildren(...items);
  }
}

type Colours = Record<Tone | "ink" | "on-critical", string>;

function palette(): Colours {
  const names = ["ink", "box", "box-deep", "critical", "root-box", "on-critical"] as const;
  return Object.fromEntries(names.map((name) => [name, colour(name)])) as Colours;
}

function fill(context: CanvasRenderingContext2D, one: Drawn, body: Rect, layout: Layout, colours: Colours): void {
  context.fillStyle = colours[layout.tone(one.box, one.depth)];
  // There is a thin gap between boxes where there is room for it.
  const gapX = body.width > 4 ? 1 : 0;
  const gapY = body.height > 4 ? 1 : 0;
  context.fillRect(body.x, body.y, Math.max(0.6, body.width - gapX), Math.max(0.6, body.height - gapY));
}

function write(context: CanvasRenderingContext2D, one: Drawn, body: Rect, layout: Layout, colours: Colours, width: number): void {
  const left = Math.max(body.x, 0);
  const room = Math.min(body.x + body.width, width) - left - 10;
  if (room < 26 || body.height < LINE + 2) return;
  context.fillStyle = layout.tone(one.box, one.depth) === "critical" ? colours["on-critical"] : colours.ink;
  const fits = (text: string) => text.length < 300 && context.measureText(text).width <= room;
  const text = [layout.label(one.box), ...layout.shorter(one.box)].find(fits);
  if (text) context.fillText(text, left + 5, body.y + Math.min(body.height, 22) / 2 + 0.5);
}

function outline(context: CanvasRenderingContext2D, rect: Rect, ink: string, width: number, height: number): void {
  const x = Math.max(1, rect.x);
  const y = Math.max(1, rect.y);
  context.strokeStyle = ink;
  context.lineWidth = 2;
  context.strokeRect(x, y, Math.max(2, Math.min(rect.width, width - x) - 1.5), Math.max(2, Math.min(rect.height, height - y) - 1.5));
}
