// What a client changes in a running live session: the data of the message configure.
import { type Static, Type } from "@sinclair/typebox";
import { Ajv, type AnySchemaObject, type ValidateFunction } from "ajv";
import { LiveBody, turnSilenceProblems } from "./live.ts";
import { MOST_FORMS } from "./vocabulary-size.ts";

const { endpointing, turn_detection, realtime_processing } = LiveBody.properties;

/** Processing of the text of utterances; everything else that a session processes is fixed when it is created. */
const ChangedProcessing = Type.Pick(realtime_processing, [
  "custom_vocabulary",
  "custom_vocabulary_config",
  "custom_spelling",
  "custom_spelling_config",
  "numerals",
]);

export const LiveChange = Type.Object(
  { endpointing, turn_detection, realtime_processing: Type.Optional({ ...ChangedProcessing, default: undefined }) },
  { title: "LiveChange" },
);
export type LiveChange = Static<typeof LiveChange>;

/** Fields of a change, and of its parts. */
export const CHANGE_FIELDS = Object.keys(LiveChange.properties);
export const CHANGED_PARTS: Readonly<Record<string, readonly string[]>> = {
  turn_detection: Object.keys(turn_detection.properties),
  realtime_processing: Object.keys(ChangedProcessing.properties),
};

let validate: ValidateFunction | undefined;

function validator(): ValidateFunction {
  if (validate) return validate;
  // Defaults belong to new sessions: what a change does not name stays as it is.
  const ajv = new Ajv({ strict: false, useDefaults: false, verbose: true });
  ajv.addKeyword(MOST_FORMS);
  validate = ajv.compile(LiveChange as AnySchemaObject);
  return validate;
}

/** @returns what is wrong with the change alone; what depends on the parameters in force, the session finds */
export function changeProblems(change: unknown): string[] {
  const isValid = validator();
  if (!isValid(change)) {
    const [found] = isValid.errors ?? [];
    const place = found?.instancePath.slice(1).replaceAll("/", ".") || "data";
    const allowed = (found?.params as { allowedValues?: unknown[] } | undefined)?.allowedValues;
    return [`${place} ${found?.message ?? "is invalid"}${allowed ? `: ${allowed.join(", ")}` : ""}`];
  }
  return turnSilenceProblems((change as LiveChange).turn_detection);
}
