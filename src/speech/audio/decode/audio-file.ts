// Opens a file and reads the audio track to be transcribed, from its first part to its last.
import type { Demuxer, Frame, Stream } from "node-av";
import { errors } from "../../../platform/errors.ts";
import { shortageOf } from "../../../platform/system-shortage.ts";
import { SAMPLE_RATE } from "../sample-rate.ts";
import type { AsyncSteps, Steps } from "../steps.ts";
import { asfParts } from "./container/asf-parts.ts";
import { encryptionOf } from "./container/encryption.ts";
import { framesBeforeTags } from "./container/file-end.ts";
import { flacParts } from "./container/flac-parts.ts";
import { mp4Parts } from "./container/mp4-parts.ts";
import { soundParts } from "./container/sound-parts.ts";
import { taggedParts } from "./container/tagged-parts.ts";
import { hasLongTail, isTransportStream, transportStreamParts } from "./continuations.ts";
import { endOfFile, startOfFile } from "./file-clock.ts";
import type { FilePart, FileParts } from "./file-part.ts";
import { MAXIMUM_CHANNELS } from "./message.ts";
import { oggParts } from "./ogg-parts.ts";
import { type DecodeFaults, noFaults, type PlacedChunk, placedAudio } from "./resampled.ts";
import type { OutputChannels } from "./resampler.ts";
import { isWide, NOT_NUMBERS, Scaler, scaleNotes, scaleOf } from "./sample-scale.ts";
import { audioStreams, chooseTrack, decodedChannels, readOnly } from "./tracks.ts";
import { notesOnEnd } from "./transport-end.ts";

/**
 * Opens a file or a part of it. @throws media.not_decodable
 * @param options  further options for FFmpeg
 */
export type OpenFile = (path: string, part?: FilePart, options?: Record<string, string>) => Promise<Demuxer>;

/**
 * MPEG program streams do not list their tracks: if there is no audio in the first 5 s, FFmpeg must analyse more of the
 * file.
 */
const DEEP_ANALYSIS = { analyzeduration: String(1_800 * 1e6), probesize: "50000000" };

export interface AudioFile {
  /** Its first part. */
  input: Demuxer;
  stream: Stream;
  /** Number of the track among the audio tracks. */
  track: number;
  channels: number;
  parts: FilePart[];
  /** What of the file is not read, or contradicts its header. */
  notes: string[];
}

/** Faults of the whole file. */
export interface FileFaults extends DecodeFaults {
  /** Start of the parts of a chained file that could not be decoded, in seconds. */
  skippedPartsAtSeconds: number[];
  /** About samples of an unusual scale, one sentence each. */
  scaleNotes: Set<string>;
}

/** A chunk; otherwise the seconds that were only measured, or undefined. */
export type DecodedStep = PlacedChunk | number | undefined;

export const noFileFaults = (): FileFaults => ({ ...noFaults(), skippedPartsAtSeconds: [], scaleNotes: new Set() });

/** Timestamps of MPEG transport and program streams have 33 bits, at 90 kHz. */
const WRAPPING_BITS = 33;
const TICKS_PER_SECOND = 90_000;
/** Bounds the work for a transport stream that changes its format repeatedly. */
const MOST_CHANGES = 100;
/** Bounds the measurement of quiet parts; those of a file with more are not raised. */
const MOST_MEASURED_PARTS = 24;
/** About a second of audio, decoded in a few milliseconds. */
const CHUNK_SAMPLES = SAMPLE_RATE;

/** An ordinary file is opened as a whole. */
const partToOpen = (parts: readonly FilePart[]) => (parts.length > 1 || parts[0]?.patches ? parts[0] : undefined);

/** By FFmpeg's name of a format: finds the recordings of a file that were joined, and repairs lengths that are out of date. */
const JOINED: Readonly<Record<string, (path: string) => Steps<FileParts>>> = {
  ogg: oggParts,
  flac: flacParts,
  mp3: framesBeforeTags,
  asf: asfParts,
};

function* partsOf(path: string): Steps<FileParts> {
  const sound = yield* soundParts(path);
  if (sound.parts.length > 0) return sound;
  const tagged = yield* taggedParts(path);
  return tagged.parts.length > 0 ? tagged : yield* mp4Parts(path);
}

/** @throws media.not_decodable, media.encrypted, media.no_audio_track, media.no_such_track */
export async function* openAudioFile(path: string, open: OpenFile, requestedTrack?: number): AsyncSteps<AudioFile> {
  // Before FFmpeg opens the file: it refuses some files whose headers are out of date.
  const found = yield* partsOf(path);
  let { parts, notes } = found;
  let first = partToOpen(parts);
  let input = await open(path, first);
  let isReady = false;
  try {
    const joinedParts = JOINED[input.formatName ?? ""];
    if (joinedParts && parts.length === 0) {
      ({ parts, notes } = yield* joinedParts(path));
      first = partToOpen(parts);
      if (first) {
        await input.close();
        input = await open(path, first);
      }
    }
    if (isTransportStream(input.formatName)) notes = [...notes, ...(yield* notesOnEnd(path))];
    if (audioStreams(input).length === 0) {
      await input.close();
      input = await open(path, undefined, DEEP_ANALYSIS);
    }
    const reopen = () => open(path, first);
    const track = yield* chooseTrack(input, reopen, requestedTrack);
    const encryption = encryptionOf(path, input.formatName ?? "", track);
    if (encryption !== undefined) throw errors.encrypted(encryption);
    const stream = audioStreams(input)[track] as Stream;
    const channels = stream.codecpar.channels || (yield* decodedChannels(reopen, track));
    if (channels < 1) throw errors.notDecodable("its audio track has no channels");
    if (channels > MAXIMUM_CHANNELS) {
      throw errors.notDecodable(`it has ${channels} channels; at most ${MAXIMUM_CHANNELS} are read`);
    }
    readOnly(input, stream);
    isReady = true;
    return { input, stream, track, channels, parts, notes };
  } finally {
    if (!isReady) await input.close();
  }
}

function wrapSecondsOf({ ptsWrapBits }: Stream): { wrapSeconds?: number } {
  return ptsWrapBits === WRAPPING_BITS ? { wrapSeconds: 2 ** WRAPPING_BITS / TICKS_PER_SECOND } : {};
}

export function timelineOf(input: Demuxer, stream: Stream) {
  const originSeconds = startOfFile(input, stream);
  const end = endOfFile(input);
  return {
    originSeconds,
    ...(end === undefined ? {} : { declaredSeconds: end - originSeconds }),
    ...wrapSecondsOf(stream),
  };
}

/** Decodes the parts of one file. A damaged part is recorded, and the next part follows. */
class PartReader {
  private startSeconds = 0;
  private parts = 0;
  private failures: unknown[] = [];
  /** Factor of quiet parts, once it is known. */
  private raise: number | undefined;
  private readonly channels: OutputChannels;

  constructor(
    private readonly path: string,
    private readonly file: AudioFile,
    private readonly open: OpenFile,
    private readonly limitSeconds: number,
    private readonly faults: FileFaults,
  ) {
    this.channels = { count: file.channels };
  }

  async *all(): AsyncGenerator<DecodedStep> {
    const { input, stream, parts } = this.file;
    yield* this.part(input, stream, partToOpen(parts));
    for (const part of parts.slice(1)) yield* this.reopened(part);
    if (isTransportStream(input.formatName)) yield* this.continued();
    if (this.failures.length === this.parts) throw this.failures[0];
  }

  private async *part(input: Demuxer, stream: Stream, part?: FilePart): AsyncGenerator<DecodedStep> {
    const { channels, startSeconds, limitSeconds } = this;
    const form = { rate: SAMPLE_RATE, chunkSamples: CHUNK_SAMPLES, channels };
    const placement = { ...form, ...timelineOf(input, stream), startSeconds, limitSeconds };
    this.parts++;
    try {
      const scaler = isWide(stream) ? yield* this.scaling(part) : undefined;
      const prepared = scaler ? { ...placement, prepare: (frame: Frame) => scaler.prepare(frame) } : placement;
      this.startSeconds = yield* placedAudio(input, stream, prepared, this.faults);
      if (scaler?.hasOthers) this.faults.scaleNotes.add(NOT_NUMBERS);
    } catch (thrown) {
      if (shortageOf(thrown)) throw thrown;
      this.failures.push(thrown);
      this.faults.skippedPartsAtSeconds.push(startSeconds);
    }
  }

  /** What brings the samples of a part to scale. */
  private async *scaling(part: FilePart | undefined): AsyncSteps<Scaler> {
    const scale = yield* scaleOf(() => this.open(this.path, part), this.file.track);
    const gain = scale.gain > 1 ? yield* this.raising(scale.gain, part) : scale.gain;
    for (const note of scaleNotes({ ...scale, gain })) this.faults.scaleNotes.add(note);
    return new Scaler(gain);
  }

  /** Quiet parts are raised by one factor, and only if all parts are quiet: a pause may be a part of its own. */
  private async *raising(gain: number, quiet: FilePart | undefined): AsyncSteps<number> {
    if (this.raise !== undefined) return this.raise;
    const { parts } = this.file;
    const others = parts.length > 1 ? parts.filter((part) => part !== quiet) : [];
    this.raise = others.length > MOST_MEASURED_PARTS ? 1 : gain;
    for (const part of others) {
      if (this.raise <= 1) break;
      try {
        const scale = yield* scaleOf(() => this.open(this.path, part), this.file.track);
        if (!scale.isSilence) this.raise = Math.max(1, Math.min(this.raise, scale.gain));
      } catch (thrown) {
        // Decoding reports a part that cannot be read.
        if (shortageOf(thrown)) throw thrown;
      }
    }
    return this.raise;
  }

  private async *reopened(part: FilePart): AsyncGenerator<DecodedStep> {
    yield undefined;
    let input: Demuxer;
    try {
      input = await this.open(this.path, part);
    } catch (thrown) {
      if (shortageOf(thrown)) throw thrown;
      this.faults.skippedPartsAtSeconds.push(this.startSeconds);
      return;
    }
    try {
      const streams = audioStreams(input);
      const stream = streams[this.file.track] ?? streams[0];
      if (stream) yield* this.part(input, stream, part);
      else this.faults.skippedPartsAtSeconds.push(this.startSeconds);
    } finally {
      await input.close();
    }
  }

  /** Whether a transport stream has more audio than its track up to here. */
  private get hasMore(): boolean {
    return this.faults.hasTrackChanged || hasLongTail(this.path, this.faults.lastPacketBytes);
  }

  /** The rest of a transport stream in which the track ended early: it may continue in another format, or as another track. */
  private async *continued(): AsyncGenerator<DecodedStep> {
    const { faults } = this;
    for (let changes = 0; changes < MOST_CHANGES && this.hasMore; changes++) {
      const { startSeconds } = this;
      const { damagedAtEnd, lastPacketBytes, hasTrackChanged, endBytes } = faults;
      const skipped = faults.skippedPartsAtSeconds.length;
      for (const part of yield* this.tables()) {
        // Positions in a part count from its start.
        faults.lastPacketBytes = 0;
        faults.endBytes = 0;
        yield* this.reopened(part);
        faults.endBytes = Math.max(endBytes, part.startBytes + faults.endBytes);
        // A section that failed in one format of the stream may be audio in the next.
        faults.skippedPartsAtSeconds.length = skipped;
        if (this.startSeconds > startSeconds) {
          faults.lastPacketBytes += part.startBytes;
          faults.damagedPackets -= damagedAtEnd;
          break;
        }
        faults.lastPacketBytes = lastPacketBytes;
        faults.hasTrackChanged = hasTrackChanged;
      }
      if (this.startSeconds === startSeconds) {
        faults.hasUnreadableEnd ||= hasTrackChanged;
        return;
      }
    }
    if (this.hasMore) faults.hasUnreadableEnd = true;
  }

  /** Positions from which the rest of a transport stream may be read. */
  private async *tables(): AsyncGenerator<undefined, FilePart[]> {
    const search = transportStreamParts(this.path, this.faults.lastPacketBytes);
    try {
      for (;;) {
        const step = search.next();
        if (step.done) return step.value;
        yield undefined;
      }
    } finally {
      search.return([]);
    }
  }
}

/**
 * The samples of the chosen track, part by part; a number or undefined from time to time if no chunk is complete.
 * @throws the first part's error if nothing could be decoded
 */
export const audioOf = (
  path: string,
  file: AudioFile,
  open: OpenFile,
  limitSeconds: number,
  faults: FileFaults,
): AsyncGenerator<DecodedStep> => new PartReader(path, file, open, limitSeconds, faults).all();
