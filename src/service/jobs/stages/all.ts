// The stages of a pre-recorded job, and of add-ons for a finished transcript, in order.
import type { JobRow } from "../../../platform/storage/db/jobs/jobs.ts";
import { addStage } from "./add.ts";
import { assembleStage } from "./assemble.ts";
import { decodeStage } from "./decode.ts";
import { fetchStage } from "./fetch.ts";
import { laterSpeakersStage } from "./later-speakers.ts";
import { recognizeStage } from "./recognize.ts";
import { segmentStage } from "./segment.ts";
import { speakersStage } from "./speakers.ts";
import type { Stage } from "./stage.ts";
import { translateStage } from "./translate.ts";

export const STAGES: readonly Stage[] = [
  fetchStage,
  decodeStage,
  segmentStage,
  recognizeStage,
  translateStage,
  speakersStage,
  assembleStage,
];

const ADDING: readonly Stage[] = [addStage];
/** Speakers need the audio, as in a job. */
const ADDING_SPEAKERS: readonly Stage[] = [fetchStage, decodeStage, segmentStage, laterSpeakersStage, addStage];

export function stagesOf({ added_to, request_params }: Pick<JobRow, "added_to" | "request_params">): readonly Stage[] {
  if (added_to === null) return STAGES;
  return (request_params as { diarization?: unknown } | null)?.diarization === true ? ADDING_SPEAKERS : ADDING;
}
