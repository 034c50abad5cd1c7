// Maps a stored request body to session parameters.
import type { Encoding } from "../../audio/stream-format.ts";
import { type MessageFlags, subscriptionOf } from "../events/subscription.ts";
import type { SessionParams } from "./session-contract.ts";

interface LiveRequest {
  encoding: Encoding;
  bit_depth: number;
  sample_rate: number;
  channels: number;
  endpointing: number;
  maximum_duration_without_endpointing: number;
  pre_processing: { speech_threshold: number; audio_enhancer: boolean };
  messages_config: MessageFlags;
}

/** @param request  the body of POST /v2/live with defaults, as validated by its schema */
export function sessionParams(
  models: Pick<SessionParams, "plan" | "englishTranslator" | "secondEnglishModel">,
  request: Record<string, unknown>,
): SessionParams {
  const body = request as unknown as LiveRequest;
  return {
    ...models,
    format: {
      encoding: body.encoding,
      bitDepth: body.bit_depth,
      sampleRate: body.sample_rate,
      channels: body.channels,
    },
    endpointingSeconds: body.endpointing,
    maximumSeconds: body.maximum_duration_without_endpointing,
    threshold: body.pre_processing.speech_threshold,
    isEnhanced: body.pre_processing.audio_enhancer,
    subscription: subscriptionOf(body.messages_config),
    request,
  };
}
