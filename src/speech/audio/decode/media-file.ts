// Reads untrusted files with FFmpeg: duration and audio tracks of a file, or the samples of one track. Work pauses
// after every step, so that a decoder process can share its time between files.

import { firstOf } from "../../../contract/first-of.ts";
import { errors, ParlanceError } from "../../../platform/errors.ts";
import { shortageOf } from "../../../platform/system-shortage.ts";
import { RecordingComparison } from "../channels/pair-report.ts";
import { rolesOf } from "../channels/roles.ts";
import { DoubledSource, doubledWarning } from "../doubled-source.ts";
import { Holes } from "../holes.ts";
import { removeLeaks } from "../leaks/recording-leaks.ts";
import { SAMPLE_RATE } from "../sample-rate.ts";
import { fromPcm16 } from "../samples.ts";
import { type AudioFile, audioOf, noFileFaults, type OpenFile, openAudioFile } from "./audio-file.ts";
import { RangeFilter } from "./audio-range.ts";
import { unreadEnd } from "./container/unread-end.ts";
import { declaredEnd } from "./file-clock.ts";
import { fileOpener, usualExtension } from "./formats.ts";
import { checkSampleRate } from "./frames.ts";
import { hasCoarseSteps } from "./sample-scale.ts";
import "./promise-with-resolvers.ts";
import type { AsyncSteps } from "../steps.ts";
import type {
  DecodeAnswer,
  FileTask,
  LeaksAnswer,
  LeaksTask,
  MediaAnswer,
  MediaTask,
  ProbeAnswer,
  TurnProgress,
} from "./message.ts";
import { scannedEnd } from "./packet-scan.ts";
import type { PlacedChunk } from "./resampled.ts";
import { SampleFiles } from "./sample-files.ts";
import { audioStreams, describeTracks } from "./tracks.ts";
import { warningsOf } from "./warnings.ts";

const { AV_CHANNEL_ORDER_NATIVE, AV_LOG_QUIET, Log } = await import("node-av");
Log.setLevel(AV_LOG_QUIET);

/** Work on a file: yields after every step and returns the answer. */
export type MediaWork<Answer extends MediaAnswer = MediaAnswer> = AsyncGenerator<TurnProgress, Answer>;

function layoutMask({ codecpar: { channelLayout } }: AudioFile["stream"]): bigint | undefined {
  return channelLayout.order === AV_CHANNEL_ORDER_NATIVE ? channelLayout.mask : undefined;
}

/** A file in which this share of the packets is damaged is refused: the other samples of an encrypted or misread file are noise. */
const DAMAGED_SHARE = 0.98;
/** Notes on the first parts of a joined file; answers.ts bounds all warnings. */
const MOST_NOTES = 8;

function firstNotes(notes: readonly string[]): string[] {
  const { first, rest } = firstOf(notes, MOST_NOTES);
  return rest > 0 ? [...first, `${rest} more such notes are left out`] : first;
}

const isStated = (seconds: number) => Number.isFinite(seconds) && seconds > 0;

/** Duration that the container states, for the progress; of a chained file estimated from its first part. */
function expectedSeconds({ input, parts }: AudioFile): number {
  const [first, last] = [parts[0]?.endBytes ?? 0, parts.at(-1)?.endBytes ?? 0];
  return first > 0 ? (input.duration * last) / first : input.duration;
}

/** Runs the steps of a task and sums up the seconds that they decoded. */
class Work {
  private decodedSeconds = 0;

  constructor(
    private readonly path: string,
    private readonly open: OpenFile,
    private readonly maximumSeconds: number,
  ) {}

  async *steps<Result>(work: AsyncSteps<Result>): AsyncGenerator<TurnProgress, Result> {
    try {
      for (;;) {
        const step = await work.next();
        if (step.done) return step.value;
        this.decodedSeconds += step.value;
        yield { decodedSeconds: this.decodedSeconds, share: undefined };
      }
    } finally {
      await work.return(undefined as never);
    }
  }

  /**
   * Decodes the audio of a file. A truncated file is used up to its end; a file without any decodable audio is an
   * error.
   * @param faults  receives the faults
   * @param isOver  whether no further chunk is needed
   * @returns end of the decoded audio in seconds
   * @throws media.too_long, media.no_audio, media.not_decodable
   */
  async *eachChunk(
    file: AudioFile,
    faults = noFileFaults(),
    visit: (chunk: PlacedChunk) => void = () => undefined,
    isOver = () => false,
  ): AsyncGenerator<TurnProgress, number> {
    const { path, open, maximumSeconds } = this;
    const expected = expectedSeconds(file);
    let total = 0;
    let samples = 0;
    try {
      for await (const chunk of audioOf(path, file, open, maximumSeconds, faults)) {
        if (typeof chunk === "number") this.decodedSeconds += chunk;
        else if (chunk) {
          samples += chunk.samples;
          total += chunk.samples + chunk.gapSamples;
          if (total > maximumSeconds * SAMPLE_RATE) throw errors.audioTooLong(maximumSeconds);
          this.decodedSeconds += chunk.samples / SAMPLE_RATE;
          visit(chunk);
        }
        const share = isStated(expected) ? Math.min(1, total / SAMPLE_RATE / expected) : undefined;
        yield { decodedSeconds: this.decodedSeconds, share };
        if (isOver()) break;
      }
    } catch (thrown) {
      if (thrown instanceof ParlanceError || shortageOf(thrown)) throw thrown;
      if (samples === 0) throw errors.notDecodable("its audio is damaged or in an unknown encoding");
    }
    if (samples === 0 && !isOver()) throw errors.noAudio();
    const { damagedPackets, decodedPackets } = faults;
    if (damagedPackets > 0 && damagedPackets >= (damagedPackets + decodedPackets) * DAMAGED_SHARE) {
      throw errors.notDecodable(
        `${damagedPackets} of the ${damagedPackets + decodedPackets} packets of its audio are damaged or encrypted`,
      );
    }
    return total / SAMPLE_RATE;
  }

  /** The end of a track whose packets do not state their duration. */
  async *decodedEnd(track: number): AsyncGenerator<TurnProgress, number> {
    const file = yield* this.steps(openAudioFile(this.path, this.open, track));
    try {
      return yield* this.eachChunk(file);
    } finally {
      await file.input.close();
    }
  }
}

async function* probe({ path, extension, maximumSeconds }: FileTask & { kind: "probe" }): MediaWork<ProbeAnswer> {
  const open = fileOpener(extension);
  const work = new Work(path, open, maximumSeconds);
  const file = yield* work.steps(openAudioFile(path, open));
  try {
    const { input, stream, track, channels } = file;
    // 0 where only the frames state it.
    if (stream.codecpar.sampleRate !== 0) checkSampleRate(stream.codecpar.sampleRate);
    const scanned = yield* work.steps(scannedEnd(path, file, open, maximumSeconds));
    return {
      kind: "probe",
      extension: file.parts[0]?.extension ?? usualExtension(input.formatName),
      durationSeconds: scanned ?? (yield* work.decodedEnd(track)),
      channels,
      sampleRate: stream.codecpar.sampleRate,
      tracks: describeTracks(input),
      track,
    };
  } finally {
    await file.input.close();
  }
}

async function* decode({ path, ...task }: FileTask & { kind: "decode" }): MediaWork<DecodeAnswer> {
  const open = fileOpener(task.extension);
  const work = new Work(path, open, task.maximumSeconds);
  const file = yield* work.steps(openAudioFile(path, open, task.track));
  const { input, stream, channels, track, parts } = file;
  let samples: SampleFiles | undefined;
  try {
    const outputs = new SampleFiles(task.outputs.slice(0, channels));
    samples = outputs;
    const recording = new RecordingComparison(channels);
    const doubled = Array.from({ length: channels }, () => new DoubledSource());
    const holes = Array.from({ length: channels }, () => new Holes());
    const mayHaveHoles = !hasCoarseSteps(stream);
    const faults = noFileFaults();
    const { range = {} } = task;
    const filter = new RangeFilter(range);
    let keptSamples = 0;
    const visit = (decoded: PlacedChunk) => {
      const chunk = filter.kept(decoded);
      if (chunk.gapSamples > 0) {
        const stored = outputs.writeGap(chunk.gapSamples);
        recording.addSilence(stored);
        for (const one of holes) one.interrupt(stored);
      }
      if (chunk.samples === 0) return;
      keptSamples += chunk.samples;
      const planes = chunk.planes.map((plane) => fromPcm16(plane));
      if (channels > 1) recording.add(planes);
      for (const [channel, plane] of planes.entries()) {
        doubled[channel]?.push(plane);
        if (mayHaveHoles) holes[channel]?.push(plane);
      }
      outputs.write(chunk.planes, chunk.samples);
    };
    const endSeconds = yield* work.eachChunk(file, faults, visit, () => filter.isOver);
    if (keptSamples === 0) throw errors.emptyRange(range, endSeconds);
    const durationSeconds = Math.min(endSeconds, range.end ?? Number.POSITIVE_INFINITY);
    // What follows the range is not read.
    const isWhole = parts.length < 2 && !filter.isOver;
    const { levels } = recording.comparison;
    const copyDelay = doubled.map(({ delaySeconds }) => delaySeconds).find((delay) => delay !== undefined);
    const roles = rolesOf(channels, layoutMask(stream));
    const unread = isWhole
      ? yield* work.steps(unreadEnd(path, input.formatName ?? "", faults.endBytes, parts[0]))
      : undefined;
    const notes = [...firstNotes([...file.notes, ...faults.scaleNotes]), ...(unread === undefined ? [] : [unread])];
    if (copyDelay !== undefined) notes.push(doubledWarning(copyDelay));
    const declared = isWhole ? declaredEnd(path, input, stream) : undefined;
    return {
      kind: "decode",
      durationSeconds,
      gaps: outputs.gaps,
      holes: holes.map(({ stretches }) => stretches),
      warnings: [...warningsOf(faults, durationSeconds, declared), ...notes],
      track,
      trackCount: audioStreams(input).length,
      channels,
      roles: roles.map((role, channel) => (role === "bass" && !levels[channel]?.isBass ? "other" : role)),
      levels: levels.map(({ summary }) => summary),
      pairs: recording.reports(),
    };
  } finally {
    samples?.close();
    await input.close();
  }
}

/** A second of a pair of channels takes about as long as decoding this many seconds. */
const LEAK_WORK = 8;

async function* leaks({ files, outputs }: LeaksTask): MediaWork<LeaksAnswer> {
  let decodedSeconds = 0;
  const steps = removeLeaks(files, outputs);
  try {
    for (;;) {
      const step = steps.next();
      if (step.done) return { kind: "leaks", ...step.value };
      decodedSeconds += (LEAK_WORK * (step.value * files.length * (files.length - 1))) / 2;
      yield { decodedSeconds, share: undefined };
    }
  } finally {
    steps.return({ leaks: [], leakOnly: [] });
  }
}

export function mediaWork(task: FileTask): MediaWork<ProbeAnswer | DecodeAnswer>;
export function mediaWork(task: MediaTask): MediaWork;
export function mediaWork(task: MediaTask): MediaWork {
  if (task.kind === "leaks") return leaks(task);
  return task.kind === "probe" ? probe(task) : decode(task);
}
