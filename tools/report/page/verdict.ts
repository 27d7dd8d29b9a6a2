// Says in words how far the program scales. What limits it is the answer of the report, which the page is given
// (tools/cli/answer.cpp).

import type { Data } from "./data.ts";
import { duration, many, share, times } from "./units.ts";

export interface Verdict {
  headline: string;
  reasons: { text: string; see?: string }[]; // `see`: the section that shows the reason
}

// The limits from which the sentences are shown. With ten times more parallelism than workers the scheduler hardly matters.
const AMPLE = 10;
const IDLE = 0.1;

export function verdict(data: Data): Verdict {
  const { run, totals } = data;
  if (data.race) return ofRaces(data);
  if (totals.calls === 0) {
    return {
      headline: "Nothing ran in parallel",
      reasons: [{ text: "The program made no call into a pool, so there is no work to say anything about." }],
    };
  }
  if (totals.forks === 0 && totals.loops === 0) {
    return {
      headline: "The program never forked",
      reasons: [
        { text: `All ${duration(totals.roots.work)} of its work is one strand: span and work are the same, and a second worker has nothing to do.` },
      ],
    };
  }
  const { answer } = data;
  if (totals.cost.doubt) return { headline: "No verdict: measuring took too much of the time", reasons: [{ text: answer || `${sentence(totals.cost.doubt)}.`, see: "cost" }] };
  const parallelism = perUnit(totals.roots.work, totals.roots.span.high);
  const workers = Math.max(1, run.workers);
  const waiting = idle(data);
  const limited = waiting !== null || (answer !== "" && !answer.startsWith("Nothing limits"));
  const reasons = [enough(data, parallelism), waiting, answer ? { text: answer } : null].filter((reason) => reason !== null);
  return { headline: headline(parallelism, workers, limited), reasons };
}

/** A run that looks for races says nothing about scaling: it is slow, and serial. */
function ofRaces({ races, race }: Data): Verdict {
  const found = races.list.length;
  const reasons = [{ text: "The program ran under the race detector, so its times say nothing about how it scales.", see: "races" }];
  if (race?.incomplete) reasons.push({ text: "A part of the run was not checked.", see: "races" });
  return { headline: found ? many(found, "determinacy race") : "No determinacy race was found", reasons };
}

function headline(parallelism: number, workers: number, limited: boolean): string {
  const scale = `${times(parallelism)} parallelism`;
  if (parallelism < 1.5) return `Almost serial: ${scale}`;
  if (parallelism < workers) return `Not enough for ${many(workers, "worker")}: ${scale}`;
  if (parallelism < AMPLE * workers) return limited ? `Tight on ${many(workers, "worker")}: ${scale}` : `Enough for ${many(workers, "worker")}: ${scale}`;
  return limited ? `Ample parallelism, with a catch: ${times(parallelism)}` : `Scales well: ${scale}`;
}

function enough({ totals }: Data, parallelism: number) {
  // The cost of stealing counts here: where it uses up the parallelism, the speed-up is far from ideal.
  const good = Math.floor(Math.min(parallelism, perUnit(totals.roots.work, totals.roots.burdened_span)) / AMPLE);
  const use =
    good >= 2
      ? `Up to about ${many(good, "worker")} there is ten times more of it than workers, and the speed-up is close to ideal.`
      : `No number of workers makes it more than ${times(Math.max(1, perUnit(totals.roots.work, totals.roots.span.low)))} faster.`;
  return { text: `${duration(totals.roots.work)} of work over a critical path of ${duration(totals.roots.span.high)}. ${use}`, see: "speedup" };
}

/** Ranks that wait for work of other ranks. */
function idle({ job }: Data) {
  if (!job) return null;
  const all = (key: "without_work" | "in_calls") => job.by_rank.reduce((sum, rank) => sum + rank[key], 0);
  const part = perUnit(all("without_work"), all("in_calls"));
  if (part < IDLE) return null;
  return { text: `The ranks have no work for ${share(part)} of their time in calls that share work: there are too few tasks, or they come too late.`, see: "ranks" };
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const perUnit = (a: number, b: number): number => a / Math.max(1, b);
