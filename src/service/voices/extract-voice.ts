// Computes the voice of one person from samples with the speaker model. Refuses samples of several people, music or noise.

import { errors } from "../../platform/errors.ts";
import { WINDOW_SAMPLES as DETECTOR_SAMPLES } from "../../speech/audio/voice-activity/detector-windows.ts";
import { type EnrolledVoice, judgeEnrolment } from "../../speech/speakers/enrolment.ts";
import { pieceRequests, samplesOfWindows, windowRuns } from "../../speech/speakers/network-requests.ts";
import { type FrameRange, findPieces, WindowedSpeakers } from "../../speech/speakers/pieces.ts";
import {
  FRAME_SAMPLES,
  type LocalWindows,
  RECORDED_STRIDE,
  STEP_SAMPLES,
  windowCount,
} from "../../speech/speakers/speaker-networks.ts";
import type { RecognitionPool, TaskOptions } from "../inference/pool.ts";

/** Probability from which a detector window has speech. */
const SPEECH_PROBABILITY = 0.5;

export type VoiceNetworks = Pick<RecognitionPool, "segmentSpeakers" | "voices" | "voiceActivity">;

async function windowsOf(samples: Float32Array, model: string, networks: VoiceNetworks, options: TaskOptions) {
  const blocks: LocalWindows[] = [];
  const stride = RECORDED_STRIDE;
  const all = Array.from({ length: windowCount(samples.length, stride) }, (_, index) => index * stride);
  for (const { first, count } of windowRuns(all, stride)) {
    const start = first * STEP_SAMPLES;
    const audio = samples.slice(start, start + samplesOfWindows(count, stride));
    const task = { audio, windows: count, stride };
    blocks.push({ first, stride, frames: await networks.segmentSpeakers(model, task, options) });
  }
  return new WindowedSpeakers(blocks);
}

async function printsOf(
  samples: Float32Array,
  pieces: readonly FrameRange[],
  model: string,
  networks: VoiceNetworks,
  options: TaskOptions,
) {
  const found: { piece: FrameRange; print: Float32Array }[] = [];
  for (const group of pieceRequests(pieces)) {
    const stretches = group.map(({ start, end }) => samples.slice(start * FRAME_SAMPLES, end * FRAME_SAMPLES));
    const { voices, dimensions } = await networks.voices(model, { stretches }, options);
    for (const [at, piece] of group.entries()) {
      found.push({ piece, print: voices.slice(at * dimensions, (at + 1) * dimensions) });
    }
  }
  return found;
}

/**
 * @param samples  mono audio at 16 kHz in -1 to 1
 * @param model    id of an installed speaker model
 * @param leastSeconds  of speech; LEAST_ENROLMENT_SECONDS if left out
 * @throws voices.refused with the reason: no speech, too little, several people, or music and noise
 */
export async function extractVoice(
  samples: Float32Array,
  model: string,
  networks: VoiceNetworks,
  options: TaskOptions,
  leastSeconds?: number,
): Promise<EnrolledVoice> {
  const pieces = findPieces(await windowsOf(samples, model, networks, options)).filter(
    ({ end }) => end * FRAME_SAMPLES <= samples.length,
  );
  const { probabilities } = await networks.voiceActivity(samples, undefined, options);
  const speechShare = ({ start, end }: FrameRange) => {
    const own = probabilities.subarray(
      Math.floor((start * FRAME_SAMPLES) / DETECTOR_SAMPLES),
      Math.ceil((end * FRAME_SAMPLES) / DETECTOR_SAMPLES),
    );
    return own.reduce((sum, value) => sum + (value >= SPEECH_PROBABILITY ? 1 : 0), 0) / Math.max(1, own.length);
  };
  const judged = judgeEnrolment(await printsOf(samples, pieces, model, networks, options), speechShare, leastSeconds);
  if ("problem" in judged) throw errors.voiceRefused(judged.problem);
  return judged.voice;
}
