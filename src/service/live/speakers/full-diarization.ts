// Diarizes an ended session in the same way as a recording: over its whole audio. Windows that were computed live are reused.

import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { type ParlanceError, toParlanceError } from "../../../platform/errors.ts";
import { retry } from "../../../platform/process/retry.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { type EmbeddedPiece, packPiece } from "../../../speech/speakers/embedded-pieces.ts";
import { encoderPieces } from "../../../speech/speakers/encoder-pieces.ts";
import {
  pieceRequests,
  samplesOfWindows,
  windowRuns,
  windowsWithSpeech,
} from "../../../speech/speakers/network-requests.ts";
import { voicesOfPieces } from "../../../speech/speakers/piece-voices.ts";
import { findPieces, WindowedSpeakers } from "../../../speech/speakers/pieces.ts";
import { piecesLine, type SpeakerLine, windowsLine } from "../../../speech/speakers/recorded-speakers.ts";
import { FRAME_SAMPLES, type LocalWindows, STEP_SAMPLES } from "../../../speech/speakers/speaker-networks.ts";
import type { RecognitionPool } from "../../inference/pool.ts";
import { pauseAfterTransient } from "../../inference/transient-errors.ts";
import type { SentVoices } from "../../intelligence/addon.ts";
import { channelsSeparate, type DiarizationParameters, identifiesSpeakers } from "../../intelligence/diarization.ts";
import { byEncoderInstead, MODEL_FAILED, withoutNames } from "../../intelligence/speaker-warnings.ts";
import type { FoundModel } from "../../models/optional-model.ts";
import { type Recording, storedSamples } from "../log/stored-samples.ts";

export interface EndedRecording extends Recording {
  durationSeconds: number;
  /** Number of channels with different sources. */
  distinctCount: number;
  utterances: readonly Utterance[];
  /** Windows of a channel that were computed before, by index. */
  rowsOf(channel: number): ReadonlyMap<number, Uint8Array>;
}

export interface FullDiarizationParts {
  params: DiarizationParameters;
  recognition: Pick<RecognitionPool, "segmentSpeakers" | "voices" | "embedSpeakers">;
  /** Finds the speaker model. */
  findModel(): Promise<FoundModel>;
  accountId: string;
  signal: AbortSignal;
  onFailed(error: ParlanceError): void;
}

/** Windows in one request, about a third of a second: recognition of other sessions waits for at most one request. */
const WINDOWS_AT_ONCE = 5;
const RETRY_MILLISECONDS = 1_000;
const MOST_CRASHES = 3;

export type FoundSpeakers =
  /** `voices` is undefined if the channels are the speakers. */
  { voices: SentVoices | undefined; warnings: string[] } | { failure: string };

export class FullDiarization {
  constructor(
    private readonly recording: EndedRecording,
    private readonly parts: FullDiarizationParts,
  ) {}

  /** The voices of the whole session. @throws work.aborted */
  async find(): Promise<FoundSpeakers> {
    const { params } = this.parts;
    const areChannels = channelsSeparate(params, this.recording.distinctCount);
    if (areChannels && !identifiesSpeakers(params)) return { voices: undefined, warnings: [] };
    const found = (await this.attempt(() => this.parts.findModel())) ?? { problem: "the models could not be read" };
    if ("model" in found) {
      const lines = await this.attempt(() => this.linesOf(found.model));
      if (lines) return { voices: { method: "networks", model: found.model, lines, areChannels }, warnings: [] };
    }
    const problem = "problem" in found ? found.problem : MODEL_FAILED;
    const names = identifiesSpeakers(params) ? [withoutNames(problem)] : [];
    if (areChannels) return { voices: undefined, warnings: names };
    const pieces = await this.attempt(() => this.encodedPieces());
    return pieces
      ? { voices: { method: "encoder", pieces }, warnings: [byEncoderInstead(problem), ...names] }
      : { failure: problem };
  }

  /** @returns undefined after an error, which is reported. @throws work.aborted */
  private async attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (thrown) {
      this.parts.signal.throwIfAborted();
      this.parts.onFailed(toParlanceError(thrown));
      return undefined;
    }
  }

  /** Waits while the queue is full; a process that crashes is replaced. */
  private request<Result>(send: () => Promise<Result>): Promise<Result> {
    const pauseAfter = pauseAfterTransient(RETRY_MILLISECONDS, MOST_CRASHES);
    return retry(send, { signal: this.parts.signal, pauseAfter });
  }

  private get taskOptions() {
    return { priority: "speakers" as const, tenant: this.parts.accountId, signal: this.parts.signal };
  }

  private get channels(): number[] {
    return [...new Set(this.recording.utterances.map(({ channel }) => channel))].sort((left, right) => left - right);
  }

  private samples(channel: number, from: number, count: number): Promise<Float32Array> {
    return storedSamples(this.recording, channel, from, count);
  }

  private async linesOf(model: string): Promise<SpeakerLine[]> {
    const lines: SpeakerLine[] = [];
    for (const channel of this.channels) {
      const blocks = await this.windowsOf(model, channel);
      for (const block of blocks) lines.push(windowsLine(channel, block));
      for (const pieces of pieceRequests(findPieces(new WindowedSpeakers(blocks)))) {
        const voiced = await voicesOfPieces(pieces, async (ranges, excerpts) => {
          const stretches = await Promise.all(
            ranges.map(({ start, end }) => this.samples(channel, start * FRAME_SAMPLES, (end - start) * FRAME_SAMPLES)),
          );
          return this.request(() => this.parts.recognition.voices(model, { stretches, excerpts }, this.taskOptions));
        });
        lines.push(piecesLine(channel, voiced));
      }
    }
    return lines;
  }

  private async windowsOf(model: string, channel: number): Promise<LocalWindows[]> {
    const segments = this.recording.utterances
      .filter((utterance) => utterance.channel === channel)
      .map(({ start, end }) => ({ startSample: start * SAMPLE_RATE, endSample: end * SAMPLE_RATE }))
      .sort((left, right) => left.startSample - right.startSample);
    const known = this.recording.rowsOf(channel);
    const blocks: LocalWindows[] = [];
    const missing: number[] = [];
    for (const window of windowsWithSpeech(segments, this.recording.durationSeconds * SAMPLE_RATE)) {
      const frames = known.get(window);
      if (frames) blocks.push({ first: window, frames });
      else missing.push(window);
    }
    for (const { first, count } of windowRuns(missing, 1, WINDOWS_AT_ONCE)) {
      const audio = await this.samples(channel, first * STEP_SAMPLES, samplesOfWindows(count));
      const task = { audio, windows: count };
      const frames = await this.request(() => this.parts.recognition.segmentSpeakers(model, task, this.taskOptions));
      blocks.push({ first, frames });
    }
    return blocks.sort((left, right) => left.first - right.first);
  }

  /** Embeddings by the recogniser's encoder, as in the speakers stage of a recording. */
  private async encodedPieces(): Promise<EmbeddedPiece[]> {
    const pieces: EmbeddedPiece[] = [];
    for (const channel of this.channels) {
      const all = this.recording.utterances.filter((one) => one.channel === channel).flatMap(({ words }) => words);
      for (const piece of encoderPieces(this.recording.durationSeconds)) {
        const { from, to, earliest, latest, samplesStart, startSample, sampleCount } = piece;
        const words = all.filter(({ start, end }) => end > earliest && start < latest);
        if (words.length === 0) continue;
        const audio = await this.samples(channel, startSample, sampleCount);
        const task = { audio, samplesStart, from, to, words };
        const { space, ...embeddings } = await this.request(() =>
          this.parts.recognition.embedSpeakers(task, this.taskOptions),
        );
        pieces.push(packPiece(channel, space, embeddings));
      }
    }
    return pieces;
  }
}
