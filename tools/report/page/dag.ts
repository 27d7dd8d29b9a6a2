// The series-parallel picture: time along the critical path runs to the right, and boxes that may run at once are stacked.
//
// A box is as wide as its span, so a column of boxes is a moment of a run with unlimited workers, and the blank beside a box
// is the time in which the box has ended and its siblings have not. Siblings share the height by their parallelism, work over
// span, so that the area of a box grows with its work.

import { Boxes, type Layout, type Rect, type Tone } from "./boxes.ts";
import { type Data, type Nodes, shapes, shortFunction, siteLabel } from "./data.ts";
import { asTable, h } from "./dom.ts";
import { count, duration, many, ratio, share, times } from "./units.ts";

const MOST_ROWS = 100;

const TITLE = "The computation";

export function dag(data: Data): HTMLElement[] {
  const { nodes, run } = data;
  if (nodes.is.length === 0) return [h("p", { class: "absent" }, "The trace is empty.")];
  const layout = new SeriesParallel(data);
  const hint = "Click a box to zoom in, click again to zoom out. Keys: arrows walk (down into, up out of, left and right beside), Enter zooms in, Escape out, Home to everything.";
  const boxes = new Boxes(layout, TITLE, hint);
  const threshold = `${many(nodes.is.length, "node")}; what has less than ${duration(run.threshold)} of work is one box, whatever it forks.`;
  return [boxes.element, h("p", { class: "note" }, threshold), criticalTable(data, layout)];
}

class SeriesParallel implements Layout {
  readonly roots: number;
  private readonly nodes: Nodes;
  private readonly parents: Int32Array;
  private readonly next: Int32Array; // the first node that is not below this one
  private readonly tops: number[] = [];
  private readonly size: number;

  constructor(private readonly data: Data) {
    this.nodes = data.nodes;
    this.size = this.nodes.is.length;
    this.parents = new Int32Array(this.size).fill(-1);
    this.next = new Int32Array(this.size);
    const open: { node: number; left: number }[] = []; // nodes whose children are being read
    for (let i = 0; i < this.size; i += 1) {
      const top = open[open.length - 1];
      if (top) {
        this.parents[i] = top.node;
        top.left -= 1;
      } else this.tops.push(i);
      open.push({ node: i, left: this.nodes.children[i]! });
      while (open.length && open[open.length - 1]!.left === 0) this.next[open.pop()!.node] = i + 1;
    }
    for (const { node } of open) this.next[node] = this.size;
    // Several roots get one box around them, which is not in the profile.
    this.roots = this.tops.length === 1 ? this.tops[0]! : this.size;
  }

  parent(box: number): number | null {
    if (box === this.roots) return null;
    return this.parents[box] === -1 ? this.roots : this.parents[box]!;
  }

  *children(box: number): Iterable<number> {
    if (box === this.size) return yield* this.tops;
    const end = this.next[box]!;
    for (let i = box + 1; i < end; i = this.next[i]!) yield i;
  }

  place(box: number, rect: Rect): [number, Rect][] {
    const inside = [...this.children(box)];
    return this.inParallel(box) ? this.stacked(box, inside, rect) : this.inRow(box, inside, rect);
  }

  private inRow(box: number, inside: number[], rect: Rect): [number, Rect][] {
    const sum = inside.reduce((all, i) => all + this.span(i), 0);
    const scale = rect.width / Math.max(1, sum, this.span(box));
    let x = rect.x;
    return inside.map((i) => {
      const width = this.span(i) * scale;
      x += width;
      return [i, { x: x - width, y: rect.y, width, height: rect.height }];
    });
  }

  private stacked(box: number, inside: number[], rect: Rect): [number, Rect][] {
    const shares = inside.map((i) => Math.max(1e-9, this.work(i) / Math.max(1, this.span(i))));
    const sum = shares.reduce((all, one) => all + one, 0);
    const longest = inside.reduce((most, i) => Math.max(most, this.span(i)), 1);
    const scale = rect.width / Math.max(longest, this.span(box));
    let y = rect.y;
    return inside.map((i, k) => {
      const height = (rect.height * shares[k]!) / sum;
      y += height;
      return [i, { x: rect.x, y: y - height, width: this.span(i) * scale, height }];
    });
  }

  body(_box: number, rect: Rect, expanded: boolean): Rect | null {
    return expanded ? null : rect;
  }

  /** Pieces of loops are a shade deeper than strands. */
  tone(box: number): Tone {
    if (this.critical(box)) return "critical";
    const around = this.parents[box] ?? -1;
    return this.nodes.is[box] === 3 || this.nodes.is[around] === 3 ? "box-deep" : "box";
  }

  critical = (box: number): boolean => box === this.size || this.nodes.critical[box] === 1;

  /** Returns for a piece its duration and its site; for other boxes the site that forks or loops there. */
  label(box: number): string {
    if (box === this.size) return "all calls into pools";
    const name = siteLabel(this.data, this.nearestSite(box));
    return this.nodes.children[box] === 0 ? `${duration(this.span(box))} · ${name}` : name;
  }

  shorter(box: number): string[] {
    const name = shortFunction(this.data.sites[this.nearestSite(box) ?? -1]?.name ?? "root");
    const time = duration(this.span(box));
    return this.nodes.children[box] === 0 ? [`${time} · ${name}`, time] : [name];
  }

  told(box: number): string[] {
    const [work, span] = [this.work(box), this.span(box)];
    const inside = [...this.children(box)].length;
    const shape = box === this.size ? "series" : shapes[this.nodes.is[box]!];
    const kind = { leaf: "one piece", series: `${many(inside, "piece")} in series`, parallel: `${many(inside, "branch", "branches")} in parallel`, loop: `a loop in ${many(inside, "piece")}` }[shape ?? "leaf"];
    const lines = [siteLabel(this.data, box === this.size ? null : this.nearestSite(box)), kind, `work ${duration(work)}, span ${duration(span)}, parallelism ${times(ratio(work, span) ?? 1)}`];
    if (box !== this.size && this.nodes.forks[box]) lines.push(many(this.nodes.forks[box]!, "fork"));
    if (this.critical(box)) lines.push("on the critical path");
    return lines;
  }

  height(width: number, _zoomed: number): number {
    return Math.round(Math.min(460, Math.max(280, width * 0.5)));
  }

  /** Returns the site of the box, or that of the fork or loop that it is in. */
  nearestSite(box: number): number | null {
    for (let at = box; at !== -1; at = this.parents[at]!) {
      const site = this.nodes.site[at];
      if (site != null) return site;
    }
    return null;
  }

  private inParallel(box: number): boolean {
    return box !== this.size && (this.nodes.is[box] === 2 || this.nodes.is[box] === 3);
  }

  work = (box: number): number => (box === this.size ? this.total((i) => this.nodes.work[i]!) : this.nodes.work[box]!);
  span = (box: number): number => (box === this.size ? this.total((i) => this.nodes.span[i]!) : this.nodes.span[box]!);

  private total(of: (node: number) => number): number {
    return this.tops.reduce((sum, node) => sum + of(node), 0);
  }
}

/** The longest pieces of the critical path, which readers look for in the picture. */
function criticalTable(data: Data, layout: SeriesParallel): HTMLElement {
  const { nodes, totals } = data;
  const pieces: number[] = [];
  nodes.critical.forEach((on, i) => on && nodes.children[i] === 0 && pieces.push(i));
  pieces.sort((a, b) => nodes.span[b]! - nodes.span[a]!);
  const shown = pieces.slice(0, MOST_ROWS);
  const caption = `The ${count(shown.length)} longest of ${many(pieces.length, "piece")} of the critical path`;
  const rows = shown.map((i) => {
    const around = layout.nearestSite(i);
    return [siteLabel(data, around), duration(nodes.span[i]!), share(nodes.span[i]! / Math.max(1, totals.roots.span.high)), count(nodes.forks[i]!)];
  });
  return asTable(caption, ["Below", "Span", "Of the critical path", "Forks inside"], rows);
}
