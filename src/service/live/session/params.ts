// Maps a stored request body to session parameters.
import type { LiveParameters } from "../../../contract/job-parameters.ts";
import { subscriptionOf } from "../events/subscription.ts";
import type { SessionParams } from "./session-contract.ts";

/** @returns undefined if silence alone ends utterances */
export function turnsOf({ turn_detection: detection }: LiveParameters): SessionParams["turns"] {
  if (detection?.mode !== "smart") return undefined;
  const { threshold, minimum_silence: minimumSeconds, maximum_silence: maximumSeconds } = detection;
  const probableThreshold = detection.probable_threshold;
  return { threshold, probableThreshold, minimumSeconds, maximumSeconds };
}

export function sessionParams(
  models: Pick<SessionParams, "plan" | "englishTranslator" | "secondEnglishModel">,
  request: LiveParameters,
): SessionParams {
  const turns = turnsOf(request);
  return {
    ...models,
    ...(turns ? { turns } : {}),
    format: {
      encoding: request.encoding,
      bitDepth: request.bit_depth,
      sampleRate: request.sample_rate,
      channels: request.channels,
    },
    endpointingSeconds: request.endpointing,
    maximumSeconds: request.maximum_duration_without_endpointing,
    threshold: request.pre_processing.speech_threshold,
    isEnhanced: request.pre_processing.audio_enhancer,
    subscription: subscriptionOf(request.messages_config),
    request,
  };
}
