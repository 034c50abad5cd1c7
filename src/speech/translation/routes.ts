// Finds the translation directions for a pair of languages: the direct one, or two with English as the pivot.
import { codeKnownTo } from "../../contract/languages.ts";

export interface Direction {
  source: string;
  target: string;
}

export type Route<Found extends Direction> = readonly [Found] | readonly [Found, Found];

const PIVOT = "en";

/** @returns undefined if the directions do not cover the pair */
export function routeOf<Found extends Direction>(
  directions: readonly Found[],
  source: string,
  target: string,
): Route<Found> | undefined {
  const find = (from: string, to: string) => directions.find((one) => one.source === from && one.target === to);
  const from = codeKnownTo([...new Set(directions.map((one) => one.source))], source);
  const to = codeKnownTo([...new Set(directions.map((one) => one.target))], target);
  const direct = find(from, to);
  if (direct) return [direct];
  const first = find(from, PIVOT);
  const second = find(PIVOT, to);
  return first && second ? [first, second] : undefined;
}
