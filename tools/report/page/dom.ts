// Builds elements. Text is inserted as text and never as markup, because names in a profile may contain anything.

import type { Frame } from "./data.ts";

export type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | EventListener | null | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
  return element;
}

/** A section of the page with its heading; `about` is a sentence on how to read it. */
export function section(id: string, title: string, about: string, ...content: Child[]): HTMLElement {
  const heading = h("h2", { id: `${id}-title` }, title);
  return h("section", { id, "aria-labelledby": `${id}-title` }, heading, h("p", { class: "about" }, about), ...content);
}

/** The text in place of an analysis that was not made; `analyses` is the value of TINE_PROFILE that makes it. */
export function notMeasured(what: string, analyses: string): HTMLElement {
  return h(
    "p",
    { class: "absent" },
    `${what} To measure it: `,
    h("code", {}, `TINE_PROFILE=${analyses}`),
    " before the program, or ",
    h("code", {}, `tine profile --analyses ${analyses} -- `),
    "and the program.",
  );
}

/** The functions that were inlined at a place, the innermost first. */
export function frames(chain: Frame[]): HTMLElement {
  if (chain.length === 0) return h("p", { class: "place" }, "No debug information was found for this place.");
  const lines = chain.map((frame, i) => {
    const place = frame.file ? `${frame.file}${frame.line ? `:${frame.line}` : ""}` : "no source known";
    return h("li", {}, h("code", {}, frame.function || "unknown"), h("span", { class: "place" }, i ? `inlined into, at ${place}` : place));
  });
  return h("ol", { class: "frames" }, ...lines);
}

/** A table with the data of a chart, folded until the reader opens it. */
export function asTable(caption: string, head: string[], rows: Child[][]): HTMLElement {
  const table = h(
    "table",
    {},
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell, i) => h(i ? "td" : "th", i ? {} : { scope: "row" }, cell))))),
  );
  const scroll = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, table);
  return h("details", { class: "as-table" }, h("summary", {}, "The same as a table"), scroll);
}

/** Runs `draw` with the element's width now and whenever that changes. */
export function onWidth(element: HTMLElement, draw: (width: number) => void): void {
  let last = 0;
  new ResizeObserver(() => {
    const width = Math.floor(element.clientWidth);
    if (width > 0 && width !== last) draw((last = width));
  }).observe(element);
}

/** Gives the canvas this size, sharp on screens with several pixels to a unit of length, and returns its context with the page's font. */
export function contextOf(canvas: HTMLCanvasElement, width: number, height: number, fontSize: number): CanvasRenderingContext2D {
  const scale = devicePixelRatio || 1;
  canvas.style.height = `${height}px`;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d")!;
  context.scale(scale, scale);
  context.font = `${fontSize}px ${getComputedStyle(document.body).fontFamily}`;
  context.textBaseline = "middle";
  return context;
}

/** A choice of one option: radio buttons in a row. */
export function choice(legend: string, options: [string, string][], chosen: string, pick: (value: string) => void): HTMLElement {
  const name = `choice-${(choices += 1)}`;
  const buttons = options.map(([value, text]) =>
    h(
      "label",
      {},
      h("input", { type: "radio", name, value, checked: value === chosen, change: () => pick(value) }),
      h("span", {}, text),
    ),
  );
  return h("fieldset", { class: "choice" }, h("legend", {}, legend), ...buttons);
}
let choices = 0;
