// Notices where a transport stream changes to another track and may return to the first one later: audio that was not sent beside the
// track takes its place. FFmpeg's demuxer continues where the first track returns.
import type { Demuxer, Packet, Stream } from "node-av";
import { secondsOf, secondsPerTickOf } from "./packet-time.ts";

const { AVMEDIA_TYPE_AUDIO } = await import("node-av");

/** Audio of another track for this long, without any of the track, means that it has taken the place of the track. */
const REPLACED_SECONDS = 1;

export class TrackChange {
  private readonly secondsPerTick: number;
  /** Other tracks of audio that were sent between packets of the track. */
  private readonly beside = new Set<number>();
  /** Start of other tracks since the last packet of the track, by their index, in seconds. */
  private readonly since = new Map<number, number>();
  private hasBegun = false;

  constructor(
    private readonly input: Demuxer,
    private readonly stream: Stream,
  ) {
    this.secondsPerTick = secondsPerTickOf(stream);
  }

  /** Called for every packet in order. @returns whether another track had taken the place of the track by then */
  isAt(packet: Packet): boolean {
    const { streamIndex } = packet;
    if (streamIndex === this.stream.index) {
      for (const other of this.since.keys()) this.beside.add(other);
      this.since.clear();
      this.hasBegun = true;
      return false;
    }
    if (!this.hasBegun || this.beside.has(streamIndex) || !this.isAudio(streamIndex)) return false;
    const seconds = secondsOf(packet.pts, this.secondsPerTick);
    if (Number.isNaN(seconds)) return false;
    const first = this.since.get(streamIndex);
    if (first === undefined) this.since.set(streamIndex, seconds);
    return first !== undefined && Math.abs(seconds - first) >= REPLACED_SECONDS;
  }

  /** Streams that began after the file was opened are in the format context alone. */
  private isAudio(index: number): boolean {
    return this.input.getFormatContext().streams[index]?.codecpar.codecType === AVMEDIA_TYPE_AUDIO;
  }
}
