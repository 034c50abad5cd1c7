// Maps a stored request body to session parameters.

import type { LiveParameters } from "../../../contract/job-parameters.ts";
import { isSamples } from "../../../contract/live.ts";
import type { StreamFormat } from "../../../speech/audio/stream-format.ts";
import type { Compression } from "../../../speech/audio/streams/message.ts";
import { subscriptionOf } from "../events/subscription.ts";
import type { SessionParams } from "./session-contract.ts";

/** @returns undefined if silence alone ends utterances */
export function turnsOf({ turn_detection: detection }: LiveParameters): SessionParams["turns"] {
  if (detection?.mode !== "smart") return undefined;
  const { threshold, minimum_silence: minimumSeconds, maximum_silence: maximumSeconds } = detection;
  const probableThreshold = detection.probable_threshold;
  return { threshold, probableThreshold, minimumSeconds, maximumSeconds };
}

/** @returns undefined for samples */
function compressionOf({
  encoding,
  channels,
  opus_frame_duration: milliseconds,
}: LiveParameters): Compression | undefined {
  if (isSamples(encoding)) return undefined;
  return { encoding, channels, ...(milliseconds === undefined ? {} : { packetMilliseconds: milliseconds }) };
}

/** Compressed streams state their sampling rate; this one counts until they do. */
const DECODED_RATE = 48_000;

function formatOf({ encoding, bit_depth, sample_rate, channels }: LiveParameters): StreamFormat {
  if (isSamples(encoding)) return { encoding, bitDepth: bit_depth, sampleRate: sample_rate, channels };
  return { encoding: "wav/pcm", bitDepth: 16, sampleRate: DECODED_RATE, channels };
}

export function sessionParams(models: SessionParams["models"], request: LiveParameters): SessionParams {
  const turns = turnsOf(request);
  const compression = compressionOf(request);
  return {
    models,
    ...(turns ? { turns } : {}),
    format: formatOf(request),
    ...(compression ? { compression } : {}),
    endpointingSeconds: request.endpointing,
    maximumSeconds: request.maximum_duration_without_endpointing,
    threshold: request.pre_processing.speech_threshold,
    isEnhanced: request.pre_processing.audio_enhancer,
    subscription: subscriptionOf(request.messages_config),
    request,
  };
}
