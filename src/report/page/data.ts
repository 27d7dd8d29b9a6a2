// The data of the page: the one JSON value in <script id="data">, which src/report/page.cpp writes.
//
// Names are those of src/trace/profile.hpp. Times are nanoseconds, sizes are bytes, and an index into another list is
// null where there is nothing. Long lists are kept by column, because a profile may have a hundred thousand points.

export type Analysis = "work_span" | "grain" | "space" | "dag";

export interface Run {
  command: string;
  version: string; // of tine
  machine: string;
  measured: Analysis[];
  workers: number;
  ended: "normal" | "exception" | "terminated" | "signalled" | "running";
  signal: number; // that ended it; 0: none
  wall: number;
  fork_burden: number;
  burden_is_measured: boolean;
  fork_cost: number; // of one fork, profiled or not
  profiled_fork_cost: number; // time that profiling adds to that
  threshold: number; // points and nodes have at least so much work
  asked_threshold: number; // the threshold at the start; it doubles when the profile is full
}

/** Work and span, as report::extent. */
export interface Extent {
  work: number;
  span_low: number;
  span_high: number;
  burdened_span: number;
}

/** The figures of the run as a whole: report::summary, and the counts of the roots. */
export interface Totals {
  roots: Extent; // all calls into a pool, and nothing else
  process: Extent; // with the time in which no root ran, as one serial piece
  calls: number; // how many roots
  threw: number; // roots that ended by an exception
  unfinished: number; // roots that had not ended when the profile was written
  outside: number; // time in which no root ran
  serial: number; // `outside`, and the work in roots that no other strand can run beside
  serial_share: number; // of `serial` in the work of the process
  forks: number;
  loops: number;
  iterations: number;
}

/** A function that the program executed while no root ran. */
export interface SampledFunction {
  name: string;
  place: string; // "input.cpp:12"; empty if not known
  time: number; // processor time
  share: number; // of all samples
}

/** Where the time outside of roots was spent: report::sampled_time. */
export interface Sampled {
  known: boolean; // true if the time was sampled
  problem: string; // why it could not be, or not all of it; empty if it could
  time: number; // processor time
  unlocated: number; // the part of that without a place
  functions: SampledFunction[]; // the most time first
}

/** The numbers of forks and loops times the cost of one. */
export interface Cost {
  forking: number; // part of the work, profiled or not
  forking_share: number; // of the work of all roots, without the time that the profile added
  forking_share_is_bound: boolean; // it is at least that, because the time that the profile added is not known well enough
  profiling: number; // the time that the profile added
  profiling_share: number; // of the work of all roots
  doubt: string; // why this profile allows no verdict, and what to run instead; empty if it does
}

/** Bounds on the speed-up, one entry per number of workers: of the roots, and of the process. */
export interface Prediction {
  workers: number[];
  roots: { low: number[]; high: number[] };
  process: { low: number[]; high: number[] };
}

/** A function in the source; of inlined ones the innermost comes first. */
export interface Frame {
  function: string; // empty if not known
  file: string; // empty if not known
  line: number; // 0: not known
}

export interface Site {
  name: string; // the function without its arguments, or the module and the offset in it
  place: string; // "fib.cpp:12"; empty if not known
  chain: Frame[]; // all frames that were inlined there, and recorded callers
  kind: "fork" | "loop" | "coroutine fork";
  count: number; // forks, or loops
  iterations: number; // of loops
  offered: number; // promotions
  taken: number; // of these, by another worker
  bytes: number; // held below it at the witness of the worst peak
  work: number; // of everything below it
  forks: number; // logical, below it and itself; a loop of n counts n - 1
  work_per_fork: number | null; // without the time that the profile added; null if forks were not counted by path
  is_bound: boolean; // the work per fork is at most that: the profile added too much of it
  span_share: number | null; // of the critical path, spent below it; null if there is no dag
}

/** Columns of the points: one entry each per fork or loop with enough work below it. */
export interface Points {
  site: (number | null)[];
  phase: (number | null)[];
  work: number[];
  span: number[];
  forks: number[];
  grain: number[]; // work per fork, without the time that the profile added
  is_bound: number[]; // 1: it is at most that
}

export interface Space {
  serial_peak: number; // S₁
  worst_peak: number; // S∞
  left: number;
  allocations: number;
  frees: number;
  allocated: number;
}

export type Shape = "leaf" | "series" | "parallel" | "loop";

/** Columns of the series-parallel picture, in preorder; see trace::node. */
export interface Nodes {
  is: number[]; // index into `shapes`
  children: number[];
  site: (number | null)[];
  work: number[];
  span: number[];
  forks: number[];
  critical: number[]; // 1: the critical path goes through it
}
export const shapes: Shape[] = ["leaf", "series", "parallel", "loop"];

/** Columns of the sequences of forks from the root; parents stand before their children. */
export interface Paths {
  parent: (number | null)[];
  site: (number | null)[];
  work: number[]; // of just this path
  count: number[];
}

export interface Data {
  format: 1;
  run: Run;
  totals: Totals;
  sampled: Sampled;
  cost: Cost;
  prediction: Prediction;
  sites: Site[];
  phases: string[];
  points: Points;
  space: Space | null;
  nodes: Nodes;
  paths: Paths;
}

export function readData(): Data {
  const element = document.getElementById("data");
  return JSON.parse(element?.textContent ?? "null") as Data;
}

export const measured = (data: Data, analysis: Analysis): boolean => data.run.measured.includes(analysis);

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
