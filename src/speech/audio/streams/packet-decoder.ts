// Decodes packets to samples of each channel with FFmpeg.
import "../decode/promise-with-resolvers.ts";
import type { CodecContext, Frame } from "node-av";
import type { CodecSetup } from "./demuxer.ts";

const {
  AV_LOG_QUIET,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AVERROR_EAGAIN,
  avChannelLayoutDefault,
  Codec,
  CodecContext: Context,
  Frame: EmptyFrame,
  Log,
  Packet: EmptyPacket,
} = await import("node-av");
Log.setLevel(AV_LOG_QUIET);

const OPUS_RATE = 48_000;
const DECODERS = {
  ...{ opus: "libopus", aac: "aac", mp3: "mp3float" },
  ...{ "mu-law": "pcm_mulaw", "a-law": "pcm_alaw", s16be: "pcm_s16be", s16le: "pcm_s16le" },
} as const;
/** Decoders that are given the rate and the channels of their packets. */
const GIVEN = new Set<CodecSetup["codec"]>(["opus", "mu-law", "a-law", "s16be", "s16le"]);

/** Samples of one packet. */
export interface Decoded {
  sampleRate: number;
  channels: number;
  /** 16-bit samples, channels interleaved; or floating-point samples of each channel, -1 to 1. */
  samples: Int16Array | Float32Array[];
}

/** A copy: the memory of a frame is used again. */
function floatsOf(plane: Buffer, count: number): Float32Array {
  const bytes = Uint8Array.prototype.slice.call(plane, 0, count * Float32Array.BYTES_PER_ELEMENT);
  return new Float32Array(bytes.buffer, bytes.byteOffset, count);
}

function samplesIn(frame: Frame): Decoded["samples"] | undefined {
  const planes = frame.data ?? [];
  const { nbSamples: count, format } = frame;
  if (format === AV_SAMPLE_FMT_FLTP) return planes.map((plane) => floatsOf(plane, count));
  if (format !== AV_SAMPLE_FMT_S16) return undefined;
  const length = count * frame.channelLayout.nbChannels;
  const bytes = Uint8Array.prototype.slice.call(planes[0], 0, length * Int16Array.BYTES_PER_ELEMENT);
  return new Int16Array(bytes.buffer, bytes.byteOffset, length);
}

export class PacketDecoder {
  private readonly context: CodecContext;
  private readonly packet = new EmptyPacket();
  private readonly frame = new EmptyFrame();

  private constructor(context: CodecContext) {
    this.context = context;
    this.packet.alloc();
    this.frame.alloc();
  }

  /** @returns undefined if the stream states impossible parameters */
  static open({ codec, head, channels = 1, sampleRate = OPUS_RATE }: CodecSetup): PacketDecoder | undefined {
    const decoder = Codec.findDecoderByName(DECODERS[codec] as never);
    if (!decoder) throw new Error(`FFmpeg has no decoder ${DECODERS[codec]}`);
    const context = new Context();
    context.allocContext3(decoder);
    if (GIVEN.has(codec)) {
      context.sampleRate = sampleRate;
      context.channelLayout = avChannelLayoutDefault(channels);
    }
    if (head) context.extraData = head;
    if (context.open2Sync(decoder) < 0) {
      context.freeContext();
      return undefined;
    }
    return new PacketDecoder(context);
  }

  /** @returns undefined if the packet cannot be decoded */
  decode(bytes: Buffer): Decoded[] | undefined {
    const { packet, frame, context } = this;
    packet.data = bytes;
    const refusal = context.sendPacketSync(packet);
    packet.unref();
    const decoded: Decoded[] = [];
    let status = context.receiveFrameSync(frame);
    for (; status >= 0; status = context.receiveFrameSync(frame)) {
      const samples = samplesIn(frame);
      const channels = frame.channelLayout.nbChannels;
      if (samples && frame.nbSamples > 0) decoded.push({ sampleRate: frame.sampleRate, channels, samples });
      frame.unref();
    }
    return refusal < 0 || status !== AVERROR_EAGAIN ? undefined : decoded;
  }

  close(): void {
    this.packet.free();
    this.frame.free();
    this.context.freeContext();
  }
}
