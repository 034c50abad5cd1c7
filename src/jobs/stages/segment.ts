// Samples → stretches of speech for the recogniser. The probabilities of the whole recording are held (31 a second);
// the samples stay in their file.
import { stat } from "node:fs/promises";
import { BYTES_PER_SAMPLE, samplesOf } from "../../audio/samples.ts";
import { cutSegments } from "../../audio/voice-activity/segmentation.ts";
import { mirrored, WARM_UP_SAMPLES, WINDOW_SAMPLES } from "../../audio/voice-activity/silero.ts";
import { type ChannelSegments, channelKey, type Stage, type StageContext, segmentsKey } from "./stage.ts";

/** About a minute: few messages, and no process is held for long. */
const CHUNK_WINDOWS = 2_000;

async function speechOf(
  file: string,
  totalSamples: number,
  { services, signal, priority, trace }: StageContext,
  progress: (samples: number) => void,
): Promise<Float32Array> {
  const probabilities = new Float32Array(Math.floor(totalSamples / WINDOW_SAMPLES));
  const beginning = mirrored(await samplesOf({ file, startSample: 0, sampleCount: WARM_UP_SAMPLES }));
  let { state } = await services.recognition.voiceActivity(beginning, undefined, { priority, signal, trace });
  for (let window = 0; window < probabilities.length; window += CHUNK_WINDOWS) {
    signal.throwIfAborted();
    const sampleCount = Math.min(CHUNK_WINDOWS, probabilities.length - window) * WINDOW_SAMPLES;
    const slice = { file, startSample: window * WINDOW_SAMPLES, sampleCount };
    const answer = await services.recognition.voiceActivity(slice, state, { priority, signal, trace });
    state = answer.state;
    probabilities.set(answer.probabilities, window);
    progress(sampleCount);
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
      const file = await services.objects.localPath(channelKey(job.id, channel));
      const totalSamples = Math.floor((await stat(file)).size / BYTES_PER_SAMPLE);
      let done = 0;
      const probabilities = await speechOf(file, totalSamples, context, (samples) => {
        done += samples;
        context.progress((index + done / totalSamples) / channels.length);
      });
      found.push({ channel, segments: cutSegments(probabilities, totalSamples) });
    }
    await services.objects.put(segmentsKey(job.id), JSON.stringify(found));
    return { segmentCount: found.reduce((sum, { segments }) => sum + segments.length, 0) };
  },
};
