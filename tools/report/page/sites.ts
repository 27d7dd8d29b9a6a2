// The table of call sites: sorted by any column, filtered by any word, each row opening into its inlined frames.

import type { Data, Site, SiteColumn } from "./data.ts";
import { frames, h, section } from "./dom.ts";
import { byUnit, count, many } from "./units.ts";

const FIRST = 50; // rows shown until all are asked for

interface Column extends Omit<SiteColumn, "unit"> {
  value: (site: Row) => number | string | null;
  write: (site: Row) => string;
}

interface Row extends Site {
  index: number;
  words: string; // the text that the filter searches
}

/** The name, and the columns that the report says a profile with these analyses has (tools/report/columns.hpp). */
function columns(data: Data): Column[] {
  const name: Column = { key: "site", title: "Call site", about: "the function that forks", value: (s) => s.name, write: (s) => s.name };
  const figures = data.columns.map(({ key, title, about, unit }): Column => {
    const value = (site: Row) => site[key as keyof Site] as number | null;
    const write = (site: Row) => {
      const number = value(site);
      const bound = key === "work_per_fork" && site.work_per_fork_is_bound ? "≤ " : "";
      return number === null ? "–" : bound + byUnit[unit](number);
    };
    return { key, title, about, value, write };
  });
  return [name, ...figures];
}

export function sites(data: Data): HTMLElement {
  const about = "Where the program forks and loops. Choose a heading to sort by it; open a row for the calls that were inlined there.";
  if (data.sites.length === 0) {
    return section("sites", "Call sites", about, h("p", { class: "absent" }, "The program neither forked nor looped."));
  }
  return section("sites", "Call sites", about, new SiteTable(data).element);
}

class SiteTable {
  readonly element: HTMLElement;
  private readonly columns: Column[];
  private readonly rows: Row[];
  private readonly body = h("tbody");
  private readonly heads: HTMLTableCellElement[];
  private readonly said = h("p", { class: "said", role: "status" });
  private readonly more = h("button", { type: "button", click: () => this.show(Infinity) });
  private words: string[] = [];
  private by = "work";
  private down = true;
  private limit = FIRST;

  constructor(data: Data) {
    this.columns = columns(data);
    this.rows = data.sites.map((site, index) => {
      const chain = site.chain.map((frame) => `${frame.function} ${frame.file}:${frame.line}`).join(" ");
      return { ...site, index, words: `${site.kind} ${site.name} ${site.place} ${chain}`.toLowerCase() };
    });
    this.heads = this.columns.map((column) =>
      h("th", { scope: "col", "data-key": column.key }, h("button", { type: "button", title: column.about, click: () => this.sort(column.key) }, column.title)),
    );
    const filter = h("input", { type: "search", id: "filter", placeholder: "function, file or kind", input: () => this.filter(filter.value) });
    const table = h("table", { class: "sites" }, h("thead", {}, h("tr", {}, ...this.heads)), this.body);
    this.element = h(
      "div",
      {},
      h("div", { class: "filter" }, h("label", { for: "filter" }, "Filter"), filter, this.said),
      h("div", { class: "scroll wide", tabindex: 0, role: "region", "aria-label": "Call sites" }, table),
      this.more,
    );
    this.fill();
  }

  private sort(key: string): void {
    // Numbers are sorted with the largest first, names with the first in the alphabet first.
    this.down = key === this.by ? !this.down : key !== "site";
    this.by = key;
    this.fill();
  }

  private filter(text: string): void {
    this.words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.fill();
  }

  private show(limit: number): void {
    this.limit = limit;
    this.fill();
  }

  private fill(): void {
    const column = this.columns.find((c) => c.key === this.by) ?? this.columns[0]!;
    const found = this.rows.filter((row) => this.words.every((word) => row.words.includes(word)));
    found.sort((a, b) => compare(column.value(a), column.value(b), this.down) || a.index - b.index);
    this.body.replaceChildren(...found.slice(0, this.limit).map((row) => this.row(row)));
    for (const head of this.heads) {
      const sorted = head.dataset.key === this.by ? (this.down ? "descending" : "ascending") : "none";
      head.setAttribute("aria-sort", sorted);
    }
    this.said.textContent = found.length === this.rows.length ? many(found.length, "site") : `${count(found.length)} of ${many(this.rows.length, "site")}`;
    this.more.hidden = found.length <= this.limit;
    this.more.textContent = `Show all ${count(found.length)}`;
  }

  private row(row: Row): HTMLElement {
    const cells = this.columns.slice(1).map((column) => h("td", { "data-name": column.title }, column.write(row)));
    const kind = row.kind === "loop" ? `${many(row.count, "loop")} of ${many(row.iterations, "iteration")}` : row.kind;
    const about = [row.place, kind].filter(Boolean).join(" · ");
    const details = h("details", {}, h("summary", {}, h("span", { class: "function", title: row.name }, row.name)), frames(row.chain));
    return h("tr", { "data-site": row.index }, h("th", { scope: "row" }, details, h("span", { class: "place" }, about)), ...cells);
  }
}

/** Compares two values. An unknown value comes last in either order. */
function compare(a: number | string | null, b: number | string | null, down: boolean): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  const order = typeof a === "string" ? a.localeCompare(String(b)) : a - Number(b);
  return down ? -order : order;
}
