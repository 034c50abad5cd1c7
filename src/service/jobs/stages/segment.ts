// Cuts the samples into segments for the recogniser. Speech probabilities of the whole recording are in memory (31 per
// second); the samples stay in their file.

import { stat } from "node:fs/promises";
import { LANGUAGE_DETECTION_SECONDS } from "../../../contract/bounds.ts";
import { hashOf } from "../../../platform/storage/content-hash.ts";
import { type HoleStretch, holesInSpeech, silentSecondsOf } from "../../../speech/audio/holes.ts";
import { ownSegments } from "../../../speech/audio/leaks/leak-stretches.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { BYTES_PER_SAMPLE, samplesOf } from "../../../speech/audio/samples.ts";
import { coldVoiceActivityState } from "../../../speech/audio/voice-activity/detector-state.ts";
import {
  WARM_UP_SAMPLES,
  WINDOW_SAMPLES,
  WINDOW_SECONDS,
  warmUpSamples,
} from "../../../speech/audio/voice-activity/detector-windows.ts";
import { withQuietBeginnings } from "../../../speech/audio/voice-activity/quiet-beginning.ts";
import { type Detect, examinedQuietly, withQuietSpeech } from "../../../speech/audio/voice-activity/quiet-speech.ts";
import { cutSegments, DEFAULT_SEGMENTATION } from "../../../speech/audio/voice-activity/segmentation.ts";
import { activityText } from "../../../speech/audio/voice-activity/stored-activity.ts";
import { storeWhenPossible } from "./keep.ts";
import { type ChannelSegments, type Stage, type StageContext, taskOptions } from "./stage.ts";

/** About a minute: few messages, and no process is occupied for long. */
const CHUNK_WINDOWS = 2_000;

const MARGINS = {
  lead: DEFAULT_SEGMENTATION.leadSeconds * DEFAULT_SEGMENTATION.sampleRate,
  tail: DEFAULT_SEGMENTATION.tailSeconds * DEFAULT_SEGMENTATION.sampleRate,
};

async function speechOf(
  file: string,
  totalSamples: number,
  context: StageContext,
  progress: (samples: number) => void,
): Promise<Float32Array> {
  const { services, signal } = context;
  const probabilities = new Float32Array(Math.floor(totalSamples / WINDOW_SAMPLES));
  const beginning = warmUpSamples(await samplesOf({ file, startSample: 0, sampleCount: WARM_UP_SAMPLES }));
  let { state } = await services.recognition.voiceActivity(beginning, coldVoiceActivityState(), taskOptions(context));
  for (let window = 0; window < probabilities.length; window += CHUNK_WINDOWS) {
    signal.throwIfAborted();
    const sampleCount = Math.min(CHUNK_WINDOWS, probabilities.length - window) * WINDOW_SAMPLES;
    const slice = { file, startSample: window * WINDOW_SAMPLES, sampleCount };
    const answer = await services.recognition.voiceActivity(slice, state, taskOptions(context));
    state = answer.state;
    probabilities.set(answer.probabilities, window);
    progress(sampleCount);
  }
  return probabilities;
}

/** Speech probabilities of a range of windows, without what precedes it. */
async function examined(file: string, context: StageContext, from: number, to: number): Promise<Float32Array> {
  context.signal.throwIfAborted();
  const { recognition } = context.services;
  const slice = { file, startSample: from * WINDOW_SAMPLES, sampleCount: (to - from) * WINDOW_SAMPLES };
  const detect: Detect = (samples, state) => recognition.voiceActivity(samples, state, taskOptions(context));
  return examinedQuietly(await samplesOf(slice), detect);
}

export const segmentStage: Stage<"segment"> = {
  name: "segment",
  cost: () => ({ kind: "segment", secondsPerAudioSecond: 0.005, seconds: 0.05 }),
  async run(context) {
    const { outputs, services } = context;
    const channels = outputs.decode?.distinctChannels ?? [];
    const found: ChannelSegments[] = [];
    let holes: HoleStretch[] = [];
    for (const [index, channel] of channels.entries()) {
      const file = await services.objects.localPath(context.files.channel(channel));
      const wholeSamples = Math.floor((await stat(file)).size / BYTES_PER_SAMPLE);
      const totalSamples =
        context.job.params.detects_only === true
          ? Math.min(wholeSamples, LANGUAGE_DETECTION_SECONDS * SAMPLE_RATE)
          : wholeSamples;
      let done = 0;
      const whole = await speechOf(file, totalSamples, context, (samples) => {
        done += samples;
        context.progress((index + done / totalSamples) / channels.length);
      });
      const silent = holesInSpeech(outputs.decode?.holes?.[channel] ?? [], whole, WINDOW_SECONDS);
      if (silentSecondsOf(silent) > silentSecondsOf(holes)) holes = silent;
      const probabilities = await withQuietSpeech(whole, (from, to) => examined(file, context, from, to));
      const read = (startSample: number, endSample: number) =>
        samplesOf({ file, startSample, sampleCount: endSample - startSample });
      const cut = cutSegments(probabilities, totalSamples);
      const own = ownSegments(cut, probabilities, totalSamples, outputs.decode?.leakOnly?.[channel] ?? []);
      const segments = await withQuietBeginnings(own, MARGINS, read);
      found.push({ channel, segments, activity: activityText(probabilities) });
    }
    const content = JSON.stringify(found);
    await storeWhenPossible(context, () => services.objects.put(context.files.segments, content));
    return {
      segmentCount: found.reduce((sum, { segments }) => sum + segments.length, 0),
      hash: hashOf(content),
      ...(holes.length > 0 ? { holes } : {}),
    };
  },
};
