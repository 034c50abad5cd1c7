// Decodes packets to samples of each channel with FFmpeg.
import "../decode/promise-with-resolvers.ts";
import type { CodecContext, Frame } from "node-av";
import type { CodecSetup } from "./demuxer.ts";

const {
  AV_LOG_QUIET,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  AVERROR_EAGAIN,
  avChannelLayoutDefault,
  Codec,
  CodecContext: Context,
  Frame: EmptyFrame,
  Log,
  Packet: EmptyPacket,
} = await import("node-av");
Log.setLevel(AV_LOG_QUIET);

const FULL_SCALE = 32_768;
const OPUS_RATE = 48_000;
const DECODERS = { opus: "libopus", aac: "aac", mp3: "mp3float" } as const;

/** Samples of one packet, -1 to 1. */
export interface Decoded {
  sampleRate: number;
  channels: Float32Array[];
}

function samplesIn(frame: Frame): Float32Array[] | undefined {
  const planes = frame.data ?? [];
  const { nbSamples: count, format } = frame;
  const channelCount = frame.channelLayout.nbChannels;
  const isInterleaved = format === AV_SAMPLE_FMT_S16 || format === AV_SAMPLE_FMT_FLT;
  const isFloat = format === AV_SAMPLE_FMT_FLT || format === AV_SAMPLE_FMT_FLTP;
  if (!isFloat && format !== AV_SAMPLE_FMT_S16 && format !== AV_SAMPLE_FMT_S16P) return undefined;
  const width = isFloat ? 4 : 2;
  return Array.from({ length: channelCount }, (_, channel) => {
    const plane = planes[isInterleaved ? 0 : channel] as Buffer;
    const samples = new Float32Array(count);
    const step = isInterleaved ? channelCount * width : width;
    for (let index = 0, at = isInterleaved ? channel * width : 0; index < count; index++, at += step) {
      samples[index] = isFloat ? plane.readFloatLE(at) : plane.readInt16LE(at) / FULL_SCALE;
    }
    return samples;
  });
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
  static open({ codec, head, channels = 1 }: CodecSetup): PacketDecoder | undefined {
    const decoder = Codec.findDecoderByName(DECODERS[codec] as never);
    if (!decoder) throw new Error(`FFmpeg has no decoder ${DECODERS[codec]}`);
    const context = new Context();
    context.allocContext3(decoder);
    if (codec === "opus") {
      context.sampleRate = OPUS_RATE;
      context.channelLayout = avChannelLayoutDefault(channels);
      if (head) context.extraData = head;
    }
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
      const channels = samplesIn(frame);
      if (channels && frame.nbSamples > 0) decoded.push({ sampleRate: frame.sampleRate, channels });
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
