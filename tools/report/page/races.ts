// The determinacy races: for each pair of lines the memory, both accesses, and the construct at which their paths part.

import type { Data, FoundRace, RaceAccess, RacePath } from "./data.ts";
import { type Child, frames, h } from "./dom.ts";
import { count, many } from "./units.ts";

const FIRST = 50; // races shown until all are asked for

export function races(data: Data): HTMLElement[] {
  const { list, suppressed } = data.races;
  const checked = data.race;
  const said: Child[] = [];
  if (checked) {
    said.push(h("p", {}, `${verdict(list.length)} ${count(checked.reads)} reads and ${count(checked.writes)} writes of ${many(checked.strands, "strand")} were checked${checked.determinism ? ", and accesses by atomics and under locks, too" : ""}.`));
    if (checked.incomplete) said.push(h("p", { class: "warning" }, `A part of the run was not checked, because ${checked.incomplete}.`));
    if (checked.dropped) said.push(h("p", {}, `The profile had no space for ${many(checked.dropped, "more pair", "more pairs")} of instructions that race.`));
  }
  if (suppressed) said.push(h("p", {}, `${many(suppressed, "more race was", "more races were")} suppressed.`));
  return [h("div", {}, ...said), ...(list.length ? listed(list) : [])];
}

const verdict = (found: number): string => (found ? `${many(found, "race")}, one for each pair of lines; the most frequent one is first.` : "No race was found.");

function listed(list: FoundRace[]): HTMLElement[] {
  const items = h("ol", { class: "races", "aria-label": "Races" }, ...list.slice(0, FIRST).map(item));
  if (list.length <= FIRST) return [items];
  const more = h("button", { type: "button" }, `Show all ${count(list.length)}`);
  more.addEventListener("click", () => {
    const first = list.slice(FIRST).map(item);
    items.append(...first);
    more.remove();
    first[0]?.querySelector("summary")?.focus();
  });
  return [items, more];
}

function item(race: FoundRace): HTMLElement {
  const memory = [race.memory.text, ...race.more_memory].join("; ");
  const times = `${many(race.count, "time")}${race.is_locked ? ", under a common lock" : ""}`;
  const where = race.is_complete ? race.parting.text : `${race.parting.text}; the path is not complete`;
  return h(
    "li",
    {},
    h("h3", {}, `${access(race.earlier)} and ${access(race.later)}`),
    h("dl", {}, ...term("Memory", memory), ...term("Seen", times), ...term("Paths part at", where)),
    h("details", {}, h("summary", {}, "Functions and paths"), ...path("Both", race.common), ...side(race.earlier), ...side(race.later)),
  );
}

const term = (name: string, text: string): HTMLElement[] => [h("dt", {}, name), h("dd", {}, text)];
const access = (one: RaceAccess): string => `${one.kinds.join(" or ")} in ${one.name}${one.place ? ` (${one.place})` : ""}`;

function side(one: RaceAccess): Child[] {
  return [h("h4", {}, access(one)), frames(one.chain), ...path("Path", one.path)];
}

/** Lists the steps of a path, outermost first; equal ones that follow each other, as a recursion has them, are one line. */
function path(name: string, { steps, left_out }: RacePath): Child[] {
  if (steps.length === 0) return [];
  const left = left_out ? [h("li", {}, `… ${many(left_out, "step")} above`)] : [];
  const lines: { text: string; times: number }[] = [];
  for (const step of steps) {
    const text = step.is_cut ? `${step.text}, and further steps` : step.text;
    if (lines.at(-1)?.text !== text) lines.push({ text, times: 0 });
    lines.at(-1)!.times += 1;
  }
  const shown = lines.map(({ text, times }) => h("li", {}, times === 1 ? text : `${text}, ${many(times, "time")}`));
  return [h("p", { class: "place" }, `${name}:`), h("ul", { class: "frames" }, ...left, ...shown)];
}
