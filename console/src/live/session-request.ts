// The request for a live session of this page.
import type { Values } from "../parts/schema-form.tsx";

export const BYTES_PER_SAMPLE = 2;

export const requestOf = (options: Values, sampleRate: number) => ({
  ...options,
  encoding: "wav/pcm",
  bit_depth: BYTES_PER_SAMPLE * 8,
  sample_rate: sampleRate,
  channels: 1,
  captions: true,
  messages_config: { receive_partial_transcripts: true, receive_lifecycle_events: true },
});
