// Timestamps of packets and frames in seconds.
import type { Stream } from "node-av";

const { AV_NOPTS_VALUE } = await import("node-av");

/** @returns NaN if there is no timestamp */
export function secondsOf(timestamp: bigint, secondsPerTick: number): number {
  return timestamp === AV_NOPTS_VALUE ? Number.NaN : Number(timestamp) * secondsPerTick;
}

export function secondsPerTickOf({ timeBase }: Stream): number {
  return timeBase.num / timeBase.den;
}

/** Streams of AAC frames without a container have no timestamps: FFmpeg makes them by the rate of the first frame. */
export const isUntimed = (format: string | null) => format === "aac" || format === "loas";
