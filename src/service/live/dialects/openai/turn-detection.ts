// Turn detection of OpenAI's Realtime interface as endpointing and turn_detection of this service.
import type { LiveBody } from "../../../../contract/live.ts";
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

type Eagerness = (TurnDetection & { type: "semantic_vad" })["eagerness"];

/**
 * Thresholds of the turn model, and the longest silence, seconds; docs/decisions/2026-11-27-turns.md has figures of the thresholds. `endpointing`
 * is the silence that ends a turn while the model is not available.
 */
const EAGERNESS = new Map<Eagerness, { threshold: number; maximumSilence: number; endpointing: number }>([
  ["low", { threshold: 0.9, maximumSilence: 4, endpointing: 1.5 }],
  ["medium", { threshold: 0.85, maximumSilence: 2, endpointing: 0.8 }],
  ["high", { threshold: 0.75, maximumSilence: 1, endpointing: 0.5 }],
  ["auto", { threshold: 0.85, maximumSilence: 2, endpointing: 0.8 }],
]);
const MINIMUM_SILENCE = 0.2;

/** Without turn detection, only a pause of this length ends an utterance: the client's commit ends turns. */
const LONGEST_ENDPOINTING_SECONDS = 10;

/** @param given  undefined if the client has not chosen */
export const effectiveTurnDetection = (given: TurnDetection | null | undefined, model: string): TurnDetection | null =>
  given === undefined ? (WITHOUT_TURNS.test(model) ? null : SERVER_VAD) : given;

interface Endpointing extends Pick<LiveBody, "turn_detection"> {
  endpointing: number;
  /** Probability at which speech begins. */
  speechThreshold: number;
}

/** The same turn detection in the fields of POST /v2/live. */
export function endpointingOf(detection: TurnDetection | null): Endpointing {
  if (detection?.type === "server_vad") {
    return { endpointing: detection.silence_duration_ms / 1000, speechThreshold: detection.threshold };
  }
  const speechThreshold = SERVER_VAD.threshold;
  const eagerness = detection && EAGERNESS.get(detection.eagerness);
  if (!eagerness) return { endpointing: LONGEST_ENDPOINTING_SECONDS, speechThreshold };
  const { endpointing, threshold, maximumSilence } = eagerness;
  const silence = { minimum_silence: MINIMUM_SILENCE, maximum_silence: maximumSilence };
  return { endpointing, speechThreshold, turn_detection: { mode: "smart", threshold, ...silence } };
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
  const isObject = typeof given === "object" && !Array.isArray(given);
  const { type, ...fields } = (isObject ? given : {}) as Record<string, unknown>;
  // The beta has one type, and its clients may leave it out.
  const kind = type ?? "server_vad";
  if (!isObject || (kind !== "server_vad" && kind !== "semantic_vad")) {
    const rule =
      'must be "server_vad" or "semantic_vad"; set turn_detection to null to end turns with input_audio_buffer.commit';
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
      warnings.push(`${path}.prefix_padding_ms has no effect: audio before speech is always included`);
    }
    return { turnDetection: { ...SERVER_VAD, ...numbers }, problems, warnings };
  }
  const eagerness = [...EAGERNESS.keys()].find((one) => one === (fields["eagerness"] ?? "auto"));
  if (eagerness === undefined) {
    problems.push(invalidValue(`${path}.eagerness`, `must be ${[...EAGERNESS.keys()].join(", ")}`));
    return { turnDetection: undefined, problems, warnings };
  }
  return { turnDetection: { type: "semantic_vad", eagerness }, problems, warnings };
}
