// The stages of a pre-recorded job in their order.
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

/** How far the whole job is when `stage` has done `share` of its work, 0 to 1. */
export function overallProgress(stage: StageName, share: number): number {
  let before = 0;
  for (const { name, weight } of STAGES) {
    if (name === stage) return Math.min(1, before + weight * share);
    before += weight;
  }
  return 1;
}
