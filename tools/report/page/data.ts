// The data of the page: the one JSON value in <script id="data">, which tools/report/page.cpp writes. Its types are made from the same
// descriptions (tools/report/typescript.cpp).
//
// Times are nanoseconds, sizes are bytes, and an index into another list is null where there is nothing. Long lists are kept by
// column, because a profile may have a hundred thousand points.

import type { Data } from "profile-schema";

export type { Analysis, Data, FoundRace, Frame, Job, Nodes, RaceAccess, RacePath, Rank, SampledFunction, Site, SiteColumn, State } from "profile-schema";
export { shapes, states } from "profile-schema";

export function readData(): Data {
  const element = document.getElementById("data");
  return JSON.parse(element?.textContent ?? "null") as Data;
}

/** Returns the label of a site: its function without qualifiers, and the place. */
export function siteLabel(data: Data, index: number | null): string {
  const site = index === null ? undefined : data.sites[index];
  if (!site) return "root";
  const name = shortFunction(site.name);
  return site.place ? `${name} · ${site.place}` : name;
}

/** Returns a function's name without its arguments, template arguments and qualifiers. */
export function shortFunction(name: string): string {
  let depth = 0;
  let short = "";
  for (const c of name.replaceAll("(anonymous namespace)::", "")) {
    if (c === "<" || c === "(") depth += 1;
    if (depth === 0) short += c;
    if ((c === ">" || c === ")") && depth > 0) depth -= 1;
  }
  return short.split("::").filter(Boolean).pop()?.trim() || name;
}
