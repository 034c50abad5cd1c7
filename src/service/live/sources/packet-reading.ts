// Reads a source whose protocol has packets with times (RTSP, RTMP, SRT). The times of the packets place their audio on the clock of the session.
import type { StreamAddress } from "../../../platform/addresses/stream-address.ts";
import { errors } from "../../../platform/errors.ts";
import { within } from "../../../platform/process/within.ts";
import { framedPacket, framedSetup } from "../../../speech/audio/streams/framed-packets.ts";
import type { Fetching } from "./fetching.ts";
import type { MediaPart, ReadParts } from "./packets/media-part.ts";
import { readRtmp } from "./rtmp/rtmp-session.ts";
import { readRtsp } from "./rtsp/rtsp-session.ts";
import type { SourceAudio } from "./source-audio.ts";
import type { SourceDecoder } from "./source-decoder.ts";
import { readSrt } from "./srt/srt-session.ts";

const READERS: Readonly<Record<StreamAddress["protocol"], ReadParts>> = {
  rtsp: readRtsp,
  rtmp: readRtmp,
  srt: readSrt,
};
/** A server that sends no audio for this long is disconnected, whatever else it sends. */
const STALL_MILLISECONDS = 20_000;
/** Silence is added if the packets are later than the audio so far: by less than this, their times may be inexact. */
interface Tolerance {
  gapSeconds: number;
  /** After lost packets. */
  lossSeconds: number;
}
const PACKET_TOLERANCE: Tolerance = { gapSeconds: 0.1, lossSeconds: 0.01 };
/** The datagrams of a container have the time of sending. It contains up to some tenths of a second of audio in one piece. */
const CONTAINER_TOLERANCE: Tolerance = { gapSeconds: 1, lossSeconds: 0.5 };
/** Packets that are earlier than the audio so far by more than this begin the clock of the sender again. */
const MOST_EARLY_SECONDS = 0.5;
/** Where the clock of the sender begins again, a pause of at least this length between packets counts as missing audio. */
const LEAST_PAUSE_SECONDS = 1;
/** If the clock of the sender advances more than the time that has passed, by more than this, it begins again. */
const MOST_STEP_SECONDS = 10;

type Packet = Exclude<MediaPart, { kind: "setup" }>;

/** Places packets on the clock of the session by the clock of their sender, which may jump or run backwards. */
export class SenderClock {
  private anchor: { sender: number; session: number } | undefined;
  private arrivedAt = 0;

  constructor(private readonly tolerance = PACKET_TOLERANCE) {}

  /** The next packet begins the clock. */
  restart(): void {
    this.anchor = undefined;
  }

  /**
   * @param reached  seconds of audio on the clock of the session @param now  seconds
   * @returns seconds that are missing before the packet
   */
  missingBefore(
    { seconds, isAfterLoss, isBreak }: Omit<Packet, "kind" | "bytes">,
    reached: number,
    now: number,
  ): number {
    const passed = now - this.arrivedAt;
    this.arrivedAt = now;
    const { anchor } = this;
    const late = anchor && !isBreak ? seconds - anchor.sender - (reached - anchor.session) : 0;
    const isStep = late > passed + MOST_STEP_SECONDS;
    if (!anchor || isBreak || isStep || late < -MOST_EARLY_SECONDS) {
      this.anchor = { sender: seconds, session: reached };
      if (!anchor || passed < LEAST_PAUSE_SECONDS) return 0;
      // The packets stopped arriving: the time that has passed is missing.
      this.anchor.session += passed;
      return passed;
    }
    return late >= (isAfterLoss ? this.tolerance.lossSeconds : this.tolerance.gapSeconds) ? late : 0;
  }
}

export class PacketReading {
  private readonly clock: SenderClock;
  /** Whether the audio of this connection has begun. */
  private hasBegun = false;

  constructor(
    private readonly fetching: Fetching,
    private readonly audio: SourceAudio,
    private readonly decoder: SourceDecoder,
    private readonly now: () => Date,
    private readonly stallMilliseconds = STALL_MILLISECONDS,
  ) {
    this.clock = new SenderClock(fetching.stream?.protocol === "srt" ? CONTAINER_TOLERANCE : PACKET_TOLERANCE);
  }

  /** Takes what the decoder made. */
  async onSamples(samples: Buffer): Promise<void> {
    // A container has to be read for a while before its audio is found. All of that is missing.
    if (!this.hasBegun) await this.beginStream();
    await this.audio.add(samples);
  }

  /** @returns when a recording ends @throws live.source_failed, live.source_refused, live.source_decoder_lost */
  async read(): Promise<void> {
    const { fetching, stallMilliseconds } = this;
    const address = fetching.stream;
    if (!address) throw errors.liveSourceRefused("its address cannot be read");
    const ending = new AbortController();
    const end = () => ending.abort();
    fetching.signal.addEventListener("abort", end, { once: true });
    if (fetching.signal.aborted) end();
    const { signal } = ending;
    const connect: Parameters<ReadParts>[0]["connect"] = (server) => fetching.connect(server, signal);
    const openDatagrams: Parameters<ReadParts>[0]["openDatagrams"] = (server) => fetching.openDatagrams(server, signal);
    const parts = READERS[address.protocol]({ address, connect, openDatagrams, signal });
    const stalled = () => errors.liveSourceFailed(`its server sent no audio for ${stallMilliseconds / 1000} s`);
    // The decoder of the previous connection.
    await this.decoder.finish();
    this.hasBegun = false;
    let begunAt: number | undefined;
    try {
      for (;;) {
        const { value: part, done } = await within(stallMilliseconds, parts.next(), stalled);
        if (done || signal.aborted) break;
        if (part.kind === "packet" && !this.hasBegun) await this.beginStream();
        if (part.kind !== "setup") begunAt ??= performance.now();
        this.mustDecode(begunAt);
        await this.decoder.push(await this.bytesOf(part));
      }
      if (!signal.aborted) await this.decoder.finish();
    } finally {
      fetching.signal.removeEventListener("abort", end);
      end();
    }
  }

  /** @param begunAt  when the packets of this connection began @throws live.source_failed, live.source_refused: none of them is decoded */
  private mustDecode(begunAt: number | undefined): void {
    const { audio, stallMilliseconds } = this;
    const milliseconds = begunAt === undefined ? 0 : performance.now() - begunAt;
    if (Math.min(milliseconds, 1000 * audio.secondsWithoutAudio) < stallMilliseconds) return;
    const reason = `its audio could not be decoded for ${stallMilliseconds / 1000} s`;
    throw audio.hasAudio ? errors.liveSourceFailed(reason) : errors.liveSourceRefused(reason);
  }

  /** The audio of a connection begins: what lies between it and the previous connection is missing. */
  private async beginStream(): Promise<void> {
    this.hasBegun = true;
    await this.audio.beginStream(this.now(), "its server sent no audio");
    this.clock.restart();
  }

  /** Bytes for the decoder. Adds silence for audio that is missing before them. */
  private async bytesOf(part: MediaPart): Promise<Buffer> {
    if (part.kind === "setup") return framedSetup(part.setup);
    if (this.hasBegun) await this.fillBefore(part);
    return part.kind === "bytes" ? part.bytes : framedPacket(part.bytes);
  }

  private async fillBefore(packet: Packet): Promise<void> {
    const { audio } = this;
    const missing = this.clock.missingBefore(packet, audio.seconds, performance.now() / 1000);
    if (missing > 0)
      await audio.fillGap(
        missing,
        packet.isAfterLoss ? "packets were lost" : "its server sent no audio that can be decoded",
      );
  }
}
