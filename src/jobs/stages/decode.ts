// Any file → one stream of 16 kHz samples per channel that sounds different from the others.
import { DECODED_SAMPLE_RATE, MAXIMUM_CHANNELS } from "../../audio/decode/message.ts";
import { channelKey, type Stage } from "./stage.ts";

export const SAMPLE_RATE = DECODED_SAMPLE_RATE;

export const decodeStage: Stage<"decode"> = {
  name: "decode",
  weight: 0.1,
  async run({ job, outputs, services, signal, progress }) {
    const { objects, decoders, limits } = services;
    const source = await objects.localPath(outputs.fetch?.objectKey ?? "");
    const channels = Array.from({ length: MAXIMUM_CHANNELS }, (_, channel) => channel);
    const files: string[] = [];
    // The first makes their folder.
    for (const channel of channels) files.push(await objects.localPath(channelKey(job.id, channel)));
    const decoded = await decoders.decode(source, {
      outputs: files,
      maximumSeconds: limits.maximumAudioSeconds,
      signal,
      onProgress: progress,
    });
    return {
      durationSeconds: decoded.durationSeconds,
      distinctChannels: channels.slice(0, decoded.channels).filter((channel) => decoded.sameAs[channel] === channel),
    };
  },
};
