// The audio tracks of a file, and the choice of the one to transcribe: the requested one, otherwise the default one,
// otherwise the first one. Empty and silent tracks are skipped, and those with a test tone.
import type { Demuxer, Stream } from "node-av";
import { errors } from "../../../platform/errors.ts";
import { beginningOf, storableText } from "../../../platform/storable.ts";
import { shortageOf } from "../../../platform/system-shortage.ts";
import { SAMPLE_RATE } from "../sample-rate.ts";
import { fromPcm16 } from "../samples.ts";
import { isTone } from "../signal-check.ts";
import type { AsyncSteps } from "../steps.ts";
import { type AudioTrack, MAXIMUM_CHANNELS } from "./message.ts";
import { wholeStream } from "./resampled.ts";

const { AV_DISPOSITION_DEFAULT, avGetCodecName, AVDISCARD_ALL, AVMEDIA_TYPE_AUDIO } = await import("node-av");

/** -80 dBFS, in 16-bit steps: above dither and codec rounding, below any recording of a room. */
const SILENT_BELOW = 4;
const CHECKED_CHUNK_SAMPLES = 4_000;
/** Chunks with other sound than a steady tone, 1 s: fewer are the ends of a tone, if it has many more chunks. */
const LEAST_SOUNDING_CHUNKS = 4;
const TONE_CHUNKS_PER_OTHER = 8;
/**
 * Containers with an index of the packets of each stream; in others, skipped packets are read within one FFmpeg call.
 */
const INDEXED = /^mov/;
/** Bound for a track's language and title. */
const MOST_LABEL_CHARACTERS = 200;

export const audioStreams = (input: Demuxer): Stream[] =>
  input.streams.filter(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);

const isUsable = ({ codecpar: { channels } }: Stream) => channels <= MAXIMUM_CHANNELS;

/** Text of a file's metadata. @returns undefined if there is none */
function label(text: string | null | undefined): string | undefined {
  const printable = storableText(text ?? "").replace(/\p{Cc}/gu, "");
  return printable === "" ? undefined : beginningOf(printable, MOST_LABEL_CHARACTERS);
}

export function describeTracks(input: Demuxer): AudioTrack[] {
  return audioStreams(input).map((stream, number) => {
    const language = label(stream.metadata?.get("language"));
    const title = label(stream.metadata?.get("title"));
    return {
      number,
      codec: avGetCodecName(stream.codecpar.codecId) ?? "unknown",
      channels: stream.codecpar.channels,
      isDefault: (stream.disposition & AV_DISPOSITION_DEFAULT) !== 0,
      // MP4 stores "und" if no language was given.
      ...(language !== undefined && language !== "und" ? { language } : {}),
      ...(title !== undefined ? { title } : {}),
    };
  });
}

/** Discards the other streams, if that requires no reading. */
export function readOnly(input: Demuxer, stream: Stream): void {
  if (!INDEXED.test(input.formatName ?? "")) return;
  for (const other of input.streams) if (other.index !== stream.index) other.discard = AVDISCARD_ALL;
}

/**
 * Number of channels of a track that starts after the part of the file that FFmpeg analyses.
 * @returns 0 if it cannot be decoded
 */
export async function* decodedChannels(open: () => Promise<Demuxer>, number: number): AsyncSteps<number> {
  const input = await open();
  try {
    const stream = audioStreams(input)[number];
    if (!stream) return 0;
    readOnly(input, stream);
    for await (const chunk of wholeStream(input, stream, SAMPLE_RATE, 1)) {
      if (chunk) return chunk.planes.length;
      yield 0;
    }
  } catch (thrown) {
    // The caller reports a track without channels.
    if (shortageOf(thrown)) throw thrown;
  } finally {
    await input.close();
  }
  return 0;
}

type TrackSound = "sound" | "tone" | "silence";

/** What a track has. @returns undefined if it has no decodable samples */
async function* soundOf(open: () => Promise<Demuxer>, number: number): AsyncSteps<TrackSound | undefined> {
  const input = await open();
  let hasSamples = false;
  let [tones, others] = [0, 0];
  try {
    const stream = audioStreams(input)[number];
    if (!stream) return undefined;
    readOnly(input, stream);
    for await (const chunk of wholeStream(input, stream, SAMPLE_RATE, CHECKED_CHUNK_SAMPLES)) {
      const { planes, samples } = chunk ?? { planes: [], samples: 0 };
      hasSamples ||= samples > 0;
      const audible = planes.filter((plane) => isAudible(plane, samples));
      if (audible.length > 0) {
        if (audible.every((plane) => isTone(fromPcm16(plane)))) tones++;
        else if (++others >= LEAST_SOUNDING_CHUNKS) return "sound";
      }
      yield samples / SAMPLE_RATE;
    }
  } catch (thrown) {
    // Damaged or in an unknown encoding: the samples decoded before count.
    if (shortageOf(thrown)) throw thrown;
  } finally {
    await input.close();
  }
  if (tones > TONE_CHUNKS_PER_OTHER * others) return "tone";
  if (others + tones > 0) return "sound";
  return hasSamples ? "silence" : undefined;
}

function isAudible(plane: Buffer, samples: number): boolean {
  const values = new Int16Array(plane.buffer, plane.byteOffset, samples);
  return values.some((value) => Math.abs(value) >= SILENT_BELOW);
}

/**
 * @param open       opens the file again, to examine a track without advancing `input`
 * @param requested  number of the requested track
 * @returns number of the track to transcribe
 * @throws media.no_audio_track; media.no_such_track
 */
export async function* chooseTrack(
  input: Demuxer,
  open: () => Promise<Demuxer>,
  requested: number | undefined,
): AsyncSteps<number> {
  const streams = audioStreams(input);
  if (streams.length === 0) throw errors.noAudioTrack();
  if (requested !== undefined) {
    if (requested >= streams.length) throw errors.noSuchTrack(requested, describeTracks(input));
    return requested;
  }
  const numbers = [...streams.keys()];
  const isDefault = (number: number) => ((streams[number]?.disposition ?? 0) & AV_DISPOSITION_DEFAULT) !== 0;
  const inOrder = [...numbers.filter(isDefault), ...numbers.filter((number) => !isDefault(number))].filter((number) =>
    isUsable(streams[number] as Stream),
  );
  if (inOrder.length <= 1) return inOrder[0] ?? 0;
  const first: Partial<Record<TrackSound, number>> = {};
  for (const number of inOrder) {
    const sound = yield* soundOf(open, number);
    if (sound === "sound") return number;
    if (sound) first[sound] ??= number;
  }
  return first.tone ?? first.silence ?? (inOrder[0] as number);
}
