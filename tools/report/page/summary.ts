// The first screen: the command, the verdict, and the figures on which the verdict rests.

import type { Data } from "./data.ts";
import { h, section } from "./dom.ts";
import { count, digits, duration, many, ratio, share, times } from "./units.ts";
import { verdict } from "./verdict.ts";

export function masthead(data: Data, ...tools: HTMLElement[]): HTMLElement {
  const { run } = data;
  const ended = { normal: "", exception: "ended by an exception", terminated: "was terminated", signalled: `cut short by signal ${run.signal}`, running: "a snapshot" }[run.ended];
  const facts = [data.job && many(data.job.by_rank.length, "rank"), many(run.workers, "worker"), run.machine, `${duration(run.wall)} wall time`, ended, run.version && `tine ${run.version}`];
  return h(
    "header",
    { class: "masthead" },
    h("div", { class: "tools" }, h("span", { class: "brand" }, "tine report"), ...tools),
    h("h1", {}, run.command || "an unnamed program"),
    h("p", { class: "facts" }, facts.filter(Boolean).join(" · ")),
  );
}

export function summary(data: Data): HTMLElement {
  const { headline, reasons } = verdict(data);
  const said = reasons.map(({ text, see }) => h("li", {}, text, see ? " " : null, see ? h("a", { href: `#${see}` }, "See it.") : null));
  return h(
    "section",
    { id: "summary", "aria-labelledby": "summary-title" },
    h("h2", { id: "summary-title", class: "verdict" }, headline),
    h("ul", { class: "reasons" }, ...said),
    figures(data),
  );
}

/** One figure: its name, its value, and its meaning. Tests find it by its `key`. */
export function figure(key: string, name: string, value: string, about: string): HTMLElement {
  return h("div", { class: "figure" }, h("dt", {}, name), h("dd", { "data-figure": key }, value), h("dd", { class: "note" }, about));
}

/** "3.1 ms", or "3.1 ms – 3.4 ms" where only an interval is known. */
function interval(low: string, high: string): string {
  return low === high ? low : `${low} – ${high}`;
}

const orDash = (value: number | null, write: (n: number) => string): string => (value === null ? "–" : write(value));

function figures({ totals, run, job }: Data): HTMLElement {
  const { work, span, burdened_span } = totals.roots;
  const least = orDash(ratio(work, span.high), times);
  const most = orDash(ratio(work, span.low), times);
  const inside = job ? "on all ranks" : `${duration(Math.max(0, run.wall - totals.outside.wall))} of the wall time`;
  const unfinished = totals.unfinished_roots ? `; ${count(totals.unfinished_roots)} had not ended` : "";
  const threw = (totals.threw ? `; ${count(totals.threw)} threw` : "") + unfinished;
  return h(
    "dl",
    { class: "figures" },
    figure("parallelism", "Parallelism", interval(least, most), "work over span: no speed-up is larger"),
    figure("burdened", "Burdened parallelism", orDash(ratio(work, burdened_span), times), "with what stealing costs on the critical path"),
    figure("work", "Work", duration(work), "of all strands together"),
    figure("span", "Span", interval(duration(span.low), duration(span.high)), "the critical path: the time with endless workers"),
    figure("serial", "Serial share", share(totals.serial_share), "of the whole program, with nothing beside it"),
    figure("forks", "Forks", count(totals.forks), "as written, promoted or not"),
    figure("loops", "Loops", count(totals.loops), many(totals.iterations, "iteration")),
    figure("roots", "Calls into a pool", count(totals.calls), `${inside}${threw}`),
  );
}

/** The costs of the forks, and of measuring them. */
export function costs(data: Data): HTMLElement {
  const { run } = data;
  const { cost } = data.totals;
  const each = (ns: number) => `${digits(ns)}\u202fns`;
  const burden = run.burden_is_measured ? "until its thief runs, and back; measured by tine calibrate" : "until its thief runs, and back; a usual value, which tine calibrate replaces";
  return section(
    "cost",
    "What it costs",
    "Forks and loops times what one costs. The first is paid by every run, the second by this one only.",
    h(
      "dl",
      { class: "figures" },
      figure("forking", "Forking", duration(cost.forking), `${cost.forking_share_is_bound ? "at least " : ""}${share(cost.forking_share)} of the work; ${each(run.fork_cost)} a fork`),
      figure("profiling", "This profile", duration(cost.profiling), `${share(cost.profiling_share)} of the work; ${each(run.profiled_fork_cost)} more a fork`),
      figure("burden", "A stolen fork", duration(run.fork_burden), burden),
    ),
  );
}
