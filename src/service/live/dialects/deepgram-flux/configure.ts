// Configure of a running session. Its configuration cannot change: a message that states the values in force succeeds.
import { isDeepStrictEqual } from "node:util";
import type { FluxBody } from "../../../../contract/deepgram-flux.ts";
import type { Configure } from "./client-messages.ts";
import type { FluxOptions } from "./options.ts";

const CODE = "CONFIGURE_NOT_SUPPORTED";

type Current = Pick<FluxOptions, "thresholds" | "keyterms" | "numerals" | "languageHints">;

/** @returns names of the fields that would change */
function changedFields(wanted: Configure, current: Current): string[] {
  const { thresholds = {}, keyterms, language_hints: hints, numerals } = wanted;
  const isObject = typeof thresholds === "object" && thresholds !== null;
  const inForce: Readonly<Record<string, unknown>> = { ...current.thresholds };
  const of = (name: string, value: unknown, now: unknown) =>
    value === undefined || value === null || isDeepStrictEqual(value, now) ? [] : [name];
  return [
    ...(isObject
      ? Object.entries(thresholds).flatMap(([name, value]) =>
          of(
            `thresholds.${name}`.slice(0, MOST_NAME_CHARACTERS),
            value,
            Object.hasOwn(inForce, name) ? inForce[name] : null,
          ),
        )
      : ["thresholds"]),
    ...of("keyterms", keyterms, current.keyterms),
    ...of("language_hints", hints, current.languageHints ?? []),
    ...of("numerals", numerals, current.numerals),
  ];
}

const MOST_NAME_CHARACTERS = 60;
const MOST_NAMES = 8;

export function configured(wanted: Configure, current: Current): FluxBody {
  const changed = changedFields(wanted, current);
  if (changed.length > 0) {
    const others = changed.length - MOST_NAMES;
    const names = `${changed.slice(0, MOST_NAMES).join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
    const description = `A running session keeps its configuration: open a new connection with other parameters. Fields that differ: ${names}`;
    return { type: "ConfigureFailure", code: CODE, error_code: CODE, description };
  }
  const { thresholds, keyterms, languageHints } = current;
  return {
    type: "ConfigureSuccess",
    thresholds,
    keyterms,
    ...(languageHints === undefined ? {} : { language_hints: languageHints }),
  };
}
