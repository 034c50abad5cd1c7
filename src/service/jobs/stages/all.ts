// The stages of a pre-recorded job, in order.
import { assembleStage } from "./assemble.ts";
import { decodeStage } from "./decode.ts";
import { fetchStage } from "./fetch.ts";
import { recognizeStage } from "./recognize.ts";
import { segmentStage } from "./segment.ts";
import { speakersStage } from "./speakers.ts";
import type { Stage, StageName } from "./stage.ts";
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

/** Progress of the whole job after `share` of `stage`, 0 to 1. */
export function overallProgress(stage: StageName, share: number): number {
  let before = 0;
  for (const { name, weight } of STAGES) {
    if (name === stage) return Math.min(1, before + weight * share);
    before += weight;
  }
  return 1;
}
