// Numbers as people read them: three digits and a unit.

import type { Figure } from "profile-schema";

const THIN = "\u202f"; // between a number and its unit; does not break

export function digits(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e15) return value.toExponential(2);
  if (size >= 100) return Math.round(value).toLocaleString("en-US");
  if (size >= 10) return trimmed(value.toFixed(1));
  if (size >= 0.01) return trimmed(value.toFixed(2));
  return value.toPrecision(2);
}

/** Removes the zeros at the end of a fraction. */
const trimmed = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

/** Writes `value` with the largest unit that leaves at least 1 in front; `units` are sorted from small to large. */
function scaled(value: number, units: [number, string][]): string {
  let chosen = units[0]!;
  for (const unit of units) {
    // A value that would be rounded up to the next unit is written in that unit: 1 ms, not 1,000 µs.
    if (Math.abs(value) >= unit[0] * 0.9995) chosen = unit;
  }
  return digits(value / chosen[0]) + THIN + chosen[1];
}

const TIMES: [number, string][] = [[1, "ns"], [1e3, "µs"], [1e6, "ms"], [1e9, "s"]];
const SIZES: [number, string][] = [[1, "B"], [2 ** 10, "KiB"], [2 ** 20, "MiB"], [2 ** 30, "GiB"], [2 ** 40, "TiB"]];

export const duration = (ns: number): string => (ns >= 119.5e9 ? minutes(ns) : scaled(ns, TIMES));

function minutes(ns: number): string {
  const seconds = Math.round(ns / 1e9);
  return `${Math.floor(seconds / 60)}${THIN}min ${seconds % 60}${THIN}s`;
}

export const bytes = (n: number): string => scaled(n, SIZES);
export const count = (n: number): string => Math.round(n).toLocaleString("en-US");
export const times = (factor: number): string => `${digits(factor)}×`;

export function share(part: number): string {
  const percent = part * 100;
  if (percent > 0 && percent < 0.1) return `<0.1${THIN}%`;
  if (percent < 100 && percent > 99.9) return `>99.9${THIN}%`;
  return `${percent < 10 ? trimmed(percent.toFixed(1)) : count(percent)}${THIN}%`;
}

/** How a number is written, by its unit in the profile's schema. */
export const byUnit: Record<Figure["unit"], (value: number) => string> = {
  nanoseconds: duration,
  bytes,
  share,
  factor: times,
  none: count,
  address: count,
  flags: count,
};

/** "1 fork", "3 forks". */
export const many = (n: number, one: string, more = `${one}s`): string => `${count(n)} ${n === 1 ? one : more}`;

/** Returns the quotient, or null if the divisor is not positive. */
export const ratio = (a: number, b: number): number | null => (b > 0 ? a / b : null);
