// Chooses the processes that run the speaker model for the library of voices: the recognisers of this service process, or one inference
// process that is started for it.
import { RecognitionPool } from "../service/inference/pool.ts";
import type { VoiceNetworks } from "../service/voices/extract-voice.ts";
import type { Base } from "./base.ts";
import { RECOGNITION_QUEUE_LIMIT } from "./recognition-startup.ts";

export function voiceNetworks({ settings, logger, started, undo, environment }: Base): () => Promise<VoiceNetworks> {
  const { recognition, recognizes, models } = started;
  if (recognizes) return async () => recognition;
  const own = new RecognitionPool({
    workers: 1,
    models,
    queueLimit: RECOGNITION_QUEUE_LIMIT,
    taskTimeoutSeconds: settings.taskTimeoutSeconds,
    memoryLimitBytes: settings.recognizerMemoryBytes,
    environment,
    logger,
  });
  undo.push(() => own.stop(), "voices");
  let starting: Promise<void> | undefined;
  return async () => {
    starting ??= own.start().catch((error: unknown) => {
      starting = undefined;
      throw error;
    });
    await starting;
    return own;
  };
}
