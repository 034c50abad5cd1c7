// Validates single values in the answers of a decoder process. Pure.
import { errors } from "../../../platform/errors.ts";
import { textFault } from "../../../platform/storable.ts";

export const isSeconds = (value: unknown): value is number => Number.isFinite(value) && (value as number) >= 0;
export const isCount = (value: unknown, most: number, least = 1): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
export const isText = (value: unknown, mostCharacters: number): value is string =>
  typeof value === "string" && value.length <= mostCharacters && textFault(value) === undefined;

/** @throws process.failed */
export function refuse(what: string): never {
  throw errors.processFailed("decoder", `it answered ${what}`);
}
export const isNumber = (value: unknown, most: number): value is number =>
  Number.isFinite(value) && Math.abs(value as number) <= most;
