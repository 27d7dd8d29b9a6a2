// The sections of analyses: title and explanation come from the table of analyses (src/trace/analyses.cpp). Each analysis either has a
// function that draws it, or its figures are listed.

import { dag } from "./dag.ts";
import type { Analysis, Data } from "./data.ts";
import { type Child, h, notMeasured, section } from "./dom.ts";
import { grain } from "./grain.ts";
import { races } from "./races.ts";
import { space } from "./space.ts";
import { figure } from "./summary.ts";
import { timeline } from "./timeline.ts";
import { byUnit } from "./units.ts";

/** Returns the content of a section. It is called only if the analysis was measured. */
type Draw = (data: Data) => Child[];

const drawn: Record<string, Draw> = { grain, dag, space, races, timeline };

export function analysisSection(data: Data, analysis: Analysis): HTMLElement {
  const content = analysis.is_measured
    ? (drawn[analysis.section] ?? figures(analysis))(data)
    : [notMeasured(`${analysis.title} was not measured.`, analysis.command)];
  return section(analysis.section, analysis.title, analysis.about, ...content);
}

/** A check, which looks for errors, has a section only if it was measured. */
const isShown = (one: Analysis): boolean => one.is_measured || !one.is_check;

/** The sections that have a function of their own come in the order of the page, the other ones behind them. */
export function named(data: Data, id: string): HTMLElement[] {
  return data.analyses.filter((one) => one.section === id && isShown(one)).map((one) => analysisSection(data, one));
}
export function others(data: Data): HTMLElement[] {
  return data.analyses.filter((one) => one.section && !(one.section in drawn) && isShown(one)).map((one) => analysisSection(data, one));
}

/** Lists the figures of the row that the profile has under the analysis's name. */
function figures(analysis: Analysis): Draw {
  return (data) => {
    const row = (data as unknown as Record<string, Record<string, number> | null | undefined>)[analysis.name];
    if (!row) return [h("p", { class: "absent" }, "There are no figures in this profile.")];
    const all = analysis.figures.map(({ name, unit }) => figure(`${analysis.section}-${name}`, name.replaceAll("_", " "), byUnit[unit](row[name] ?? 0), ""));
    return [h("dl", { class: "figures" }, ...all)];
  };
}
