// Turn detection of OpenAI's Realtime interface, and the endpointing of this service that does it.
import type { TurnDetection } from "../../../../contract/realtime.ts";
import { shown } from "./client-events.ts";
import { invalidValue, type Problem } from "./problem.ts";

const SERVER_VAD: TurnDetection & { type: "server_vad" } = {
  type: "server_vad",
  threshold: 0.5,
  prefix_padding_ms: 300,
  silence_duration_ms: 500,
};

/** Models that OpenAI serves without turn detection: their clients commit. Clients leave the field out for them. */
const WITHOUT_TURNS = /^gpt-(realtime-whisper|live-transcribe)/;

/** Shortest and longest silence that ends an utterance, milliseconds. */
const [LEAST_SILENCE, MOST_SILENCE] = [10, 10_000];
const MOST_PADDING = 60_000;

/** Silence that ends a turn, seconds. On our recordings, 0.8 s cuts no turn in its middle. */
const EAGERNESS_SECONDS: Readonly<Record<string, number>> = { low: 1.5, medium: 0.8, auto: 0.8, high: 0.5 };

/** Without turn detection, only a pause of this length ends an utterance: the client's commit ends turns. */
const LONGEST_ENDPOINTING_SECONDS = 10;

/** @param given  undefined if the client has not chosen */
export const effectiveTurnDetection = (given: TurnDetection | null | undefined, model: string): TurnDetection | null =>
  given === undefined ? (WITHOUT_TURNS.test(model) ? null : SERVER_VAD) : given;

/** How a session of this service detects turns. */
export function endpointingOf(detection: TurnDetection | null): { endpointing: number; threshold: number } {
  if (detection?.type === "server_vad") {
    return { endpointing: detection.silence_duration_ms / 1000, threshold: detection.threshold };
  }
  const endpointing = detection ? (EAGERNESS_SECONDS[detection.eagerness] ?? 0) : LONGEST_ENDPOINTING_SECONDS;
  return { endpointing, threshold: SERVER_VAD.threshold };
}

export interface ReadTurnDetection {
  /** Undefined where it cannot be read. */
  turnDetection: TurnDetection | null | undefined;
  problems: Problem[];
  warnings: string[];
}

const CONVERSATION_FIELDS = ["create_response", "interrupt_response", "idle_timeout_ms"];

export function turnDetectionOf(given: unknown, path: string): ReadTurnDetection {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  if (given === null) return { turnDetection: null, problems, warnings };
  const { type, ...fields } = (typeof given === "object" ? given : {}) as Record<string, unknown>;
  // The beta has one type, and its clients may leave it out.
  const kind = type ?? "server_vad";
  if (typeof given !== "object" || (kind !== "server_vad" && kind !== "semantic_vad")) {
    const rule = "must be server_vad or semantic_vad; or turn_detection is null, and turns end by commit";
    return { turnDetection: undefined, problems: [invalidValue(`${path}.type`, rule)], warnings };
  }
  const numbers: { threshold?: number; prefix_padding_ms?: number; silence_duration_ms?: number } = {};
  const number = (name: keyof typeof numbers, least: number, most: number) => {
    const value = fields[name];
    if (value === undefined || value === null) return;
    if (typeof value === "number" && value >= least && value <= most) numbers[name] = value;
    else problems.push(invalidValue(`${path}.${name}`, `must be a number from ${least} to ${most}`));
  };
  const known = kind === "server_vad" ? Object.keys(SERVER_VAD) : ["eagerness"];
  for (const [name, value] of Object.entries(fields)) {
    if (known.includes(name) || value === null || value === false) continue;
    const why = CONVERSATION_FIELDS.includes(name) ? "this service makes no responses" : `it is not a field of ${kind}`;
    warnings.push(`${path}.${shown(name)} has no effect: ${why}`);
  }
  if (kind === "server_vad") {
    number("threshold", 0, 1);
    number("prefix_padding_ms", 0, MOST_PADDING);
    number("silence_duration_ms", LEAST_SILENCE, MOST_SILENCE);
    if (numbers.prefix_padding_ms !== undefined && numbers.prefix_padding_ms !== SERVER_VAD.prefix_padding_ms) {
      warnings.push(`${path}.prefix_padding_ms has no effect: the audio before speech is always recognised with it`);
    }
    return { turnDetection: { ...SERVER_VAD, ...numbers }, problems, warnings };
  }
  const eagerness = fields["eagerness"] ?? "auto";
  const seconds = typeof eagerness === "string" ? EAGERNESS_SECONDS[eagerness] : undefined;
  if (seconds === undefined) {
    problems.push(invalidValue(`${path}.eagerness`, `must be ${Object.keys(EAGERNESS_SECONDS).join(", ")}`));
    return { turnDetection: undefined, problems, warnings };
  }
  warnings.push(`${path}: semantic_vad ends a turn after ${seconds} s of silence here, whatever was said`);
  return { turnDetection: { type: "semantic_vad", eagerness: eagerness as string }, problems, warnings };
}
