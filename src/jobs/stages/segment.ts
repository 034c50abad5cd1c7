// Samples → stretches of speech for the recogniser. The probabilities of the whole recording are held (31 a second);
// the samples are streamed.
import { type FileHandle, open } from "node:fs/promises";
import { BYTES_PER_SAMPLE } from "../../audio/decode/message.ts";
import { cutSegments } from "../../audio/voice-activity/segmentation.ts";
import { type VoiceActivityState, WINDOW_SAMPLES } from "../../audio/voice-activity/silero.ts";
import { type ChannelSegments, channelKey, type Stage, type StageContext, segmentsKey } from "./stage.ts";

/** 20 seconds: few messages, little memory. */
const CHUNK_WINDOWS = 640;
const FULL_SCALE = 32_768;

/**
 * Samples of an open file of 16-bit samples.
 * @returns mono samples in -1 to 1; fewer than asked for at the end of the file
 */
export async function readSamples(file: FileHandle, startSample: number, count: number): Promise<Float32Array> {
  const bytes = Buffer.alloc(count * BYTES_PER_SAMPLE);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, startSample * BYTES_PER_SAMPLE);
  const samples = new Float32Array(Math.floor(bytesRead / BYTES_PER_SAMPLE));
  for (let at = 0; at < samples.length; at++) samples[at] = bytes.readInt16LE(at * BYTES_PER_SAMPLE) / FULL_SCALE;
  return samples;
}

async function speechOf(
  file: FileHandle,
  totalSamples: number,
  { services, signal }: StageContext,
  progress: (samples: number) => void,
): Promise<Float32Array> {
  const probabilities = new Float32Array(Math.floor(totalSamples / WINDOW_SAMPLES));
  let state: VoiceActivityState | undefined;
  for (let window = 0; window < probabilities.length; window += CHUNK_WINDOWS) {
    signal.throwIfAborted();
    const count = Math.min(CHUNK_WINDOWS, probabilities.length - window);
    const samples = await readSamples(file, window * WINDOW_SAMPLES, count * WINDOW_SAMPLES);
    const answer = await services.recognition.voiceActivity(samples, state, { priority: "recorded", signal });
    state = answer.state;
    probabilities.set(answer.probabilities, window);
    progress(count * WINDOW_SAMPLES);
  }
  return probabilities;
}

export const segmentStage: Stage<"segment"> = {
  name: "segment",
  weight: 0.15,
  async run(context) {
    const { job, outputs, services } = context;
    const channels = outputs.decode?.distinctChannels ?? [];
    const found: ChannelSegments[] = [];
    for (const [index, channel] of channels.entries()) {
      const file = await open(await services.objects.localPath(channelKey(job.id, channel)));
      try {
        const totalSamples = Math.floor((await file.stat()).size / BYTES_PER_SAMPLE);
        let done = 0;
        const probabilities = await speechOf(file, totalSamples, context, (samples) => {
          done += samples;
          context.progress((index + done / totalSamples) / channels.length);
        });
        found.push({ channel, segments: cutSegments(probabilities, totalSamples) });
      } finally {
        await file.close();
      }
    }
    await services.objects.put(segmentsKey(job.id), JSON.stringify(found));
    return { segmentCount: found.reduce((sum, { segments }) => sum + segments.length, 0) };
  },
};
