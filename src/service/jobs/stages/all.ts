// The stages of a pre-recorded job, in order.
import { assembleStage } from "./assemble.ts";
import { decodeStage } from "./decode.ts";
import { fetchStage } from "./fetch.ts";
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
