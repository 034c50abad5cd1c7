// What a finished task has cost, for those who measure the load of the machine.
import { SAMPLE_RATE } from "../../speech/audio/sample-rate.ts";
import type { AudioSource } from "../../speech/audio/samples.ts";
import type { InferenceRequest, InferenceResponse } from "./message.ts";
import type { Priority } from "./scheduler.ts";

export interface FinishedTask {
  kind: InferenceRequest["kind"];
  /** Id of the model that it used. */
  model?: string;
  priority: Priority;
  /** Time since it was enqueued in which the processor worked on something else. */
  waitedMilliseconds: number;
  processorSeconds: number;
  /** Of its audio, as secondsOf counts it. */
  audioSeconds: number;
}

/** Times of one recognition, milliseconds. */
export interface RecognitionTimes {
  priority: Priority;
  /** In its process. */
  runMilliseconds: number;
  /** Since it was enqueued. */
  totalMilliseconds: number;
}

/** Seconds of audio in memory; 0 for audio in a file. */
export const secondsOf = (audio: AudioSource) => (audio instanceof Float32Array ? audio.length / SAMPLE_RATE : 0);

export const finishedTask = (
  { request, enqueuedAt }: { request: InferenceRequest; enqueuedAt: number },
  priority: Priority,
  { processorMilliseconds = 0 }: InferenceResponse,
): FinishedTask => ({
  kind: request.kind,
  ...("model" in request && request.model ? { model: request.model.id } : {}),
  priority,
  waitedMilliseconds: Math.max(0, performance.now() - enqueuedAt - processorMilliseconds),
  processorSeconds: processorMilliseconds / 1000,
  audioSeconds: "audio" in request ? secondsOf(request.audio) : 0,
});
