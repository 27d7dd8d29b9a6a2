// The flame graph of fork paths: which site forked which, from the root downwards, with every level of a recursion. It is
// logical: it does not depend on the number of workers or on what was stolen.

import { Boxes, type Layout, type Rect, type Tone } from "./boxes.ts";
import { type Data, shortFunction, siteLabel } from "./data.ts";
import { asTable, notMeasured, section } from "./dom.ts";
import { count, duration, many, share } from "./units.ts";

const ROW = 22;
const MOST_LEVELS = 28; // deeper levels appear when the reader zooms in
const MOST_ROWS = 100;

export function paths(data: Data): HTMLElement {
  const title = "Fork paths";
  const about = "Each box is a way of forks from the root, as wide as the work below it; what it forks stands beneath it.";
  if (data.paths.work.length === 0) return section("paths", title, about, notMeasured("No fork paths were recorded.", "work,span,grain"));
  const flame = new Flame(data);
  const hint = "Click a box to zoom in, click again to zoom out. Keys: arrows walk, Enter zooms in, Escape out, Home to everything.";
  const rows = flame.heaviest(MOST_ROWS).map((i) => [flame.label(i), count(flame.level(i)), duration(flame.total(i)), duration(flame.own(i))]);
  return section("paths", title, about, new Boxes(flame, title, hint).element, asTable("Fork paths by work", ["Path", "Forks deep", "Work", "Of itself"], rows));
}

class Flame implements Layout {
  readonly roots: number;
  private readonly size: number;
  private readonly totals: Float64Array; // with everything below
  private readonly below: number[][];

  constructor(private readonly data: Data) {
    const { parent, work } = data.paths;
    this.size = work.length;
    this.totals = Float64Array.from([...work, 0]);
    this.below = Array.from({ length: this.size + 1 }, () => []);
    // Parents stand before their children, so in a backward pass every child is complete before its parent adds it.
    for (let i = this.size - 1; i >= 0; i -= 1) {
      const up = parent[i] ?? this.size;
      this.totals[up]! += this.totals[i]!;
      this.below[up]!.push(i);
    }
    for (const list of this.below) list.sort((a, b) => this.totals[b]! - this.totals[a]!);
    const tops = this.below[this.size]!;
    this.roots = tops.length === 1 ? tops[0]! : this.size;
  }

  parent(box: number): number | null {
    return box === this.roots ? null : (this.data.paths.parent[box] ?? this.size);
  }

  children(box: number): number[] {
    return this.below[box]!;
  }

  place(box: number, rect: Rect): [number, Rect][] {
    let x = rect.x;
    const scale = rect.width / Math.max(1, this.totals[box]!);
    const placed: [number, Rect][] = [];
    for (const child of this.below[box]!) {
      const width = this.totals[child]! * scale;
      if (width < 0.4) break; // the rest is narrower still
      placed.push([child, { x, y: rect.y + ROW, width, height: rect.height - ROW }]);
      x += width;
    }
    return placed;
  }

  body(_box: number, rect: Rect): Rect | null {
    return { ...rect, height: ROW };
  }

  tone(box: number, depth: number): Tone {
    if (box === this.size || this.data.paths.site[box] === null) return "root-box";
    return depth % 2 ? "box-deep" : "box";
  }

  label(box: number): string {
    return siteLabel(this.data, box === this.size ? null : (this.data.paths.site[box] ?? null));
  }

  shorter(box: number): string[] {
    const name = shortFunction(this.data.sites[this.data.paths.site[box] ?? -1]?.name ?? "root");
    return [name, `${name.slice(0, 8)}…`];
  }

  told(box: number): string[] {
    const all = Math.max(1, this.totals[this.roots]!);
    const own = box === this.size ? 0 : this.own(box);
    const lines = [this.label(box), `work ${duration(this.total(box))}, ${share(this.total(box) / all)} of all`, `of itself ${duration(own)}`];
    if (this.data.paths.count[box]) lines.push(many(this.data.paths.count[box]!, "time"));
    return lines;
  }

  /** Returns the height of the rows that have a box that can be seen. */
  height(width: number, zoomed: number): number {
    const pixels = width / Math.max(1, this.totals[zoomed]!);
    let rows = 1;
    for (let row = [zoomed]; row.length && rows < MOST_LEVELS; rows += 1) {
      row = row.flatMap((box) => this.below[box]!).filter((box) => this.totals[box]! * pixels >= 2);
      if (row.length === 0) break;
    }
    return rows * ROW;
  }

  total = (box: number): number => this.totals[box]!;
  own = (box: number): number => this.data.paths.work[box] ?? 0;

  level(box: number): number {
    let forks = 0;
    for (let at = this.data.paths.parent[box] ?? null; at !== null; at = this.data.paths.parent[at] ?? null) forks += 1;
    return forks;
  }

  heaviest(most: number): number[] {
    return Array.from({ length: this.size }, (_, i) => i)
      .sort((a, b) => this.totals[b]! - this.totals[a]!)
      .slice(0, most);
  }
}
