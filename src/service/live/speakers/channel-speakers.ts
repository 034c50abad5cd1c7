// The speakers of one channel: feeds its audio to a diarizer, step by step, and assigns speakers to words. Words never wait for the diarizer.

import type { Utterance, Word } from "../../../contract/transcript/transcript.ts";
import { type ParlanceError, toParlanceError } from "../../../platform/errors.ts";
import { sleep } from "../../../platform/process/sleep.ts";
import { joinedSamples } from "../../../speech/audio/samples.ts";
import {
  LIVE_STEP_SAMPLES,
  LiveDiarizer,
  type LiveNetworks,
  type LiveStep,
} from "../../../speech/speakers/live-diarizer.ts";
import { type LiveRevisions, LiveWords, type LiveWordsState, NO_CLUSTER } from "../../../speech/speakers/live-words.ts";
import type { SpeakerBounds } from "../../../speech/speakers/network-diarization.ts";
import { WINDOW_SAMPLES } from "../../../speech/speakers/speaker-networks.ts";
import type { ChannelSpeakersState } from "../channel/channel-contract.ts";
import { wordId } from "./revisions.ts";

export interface ChannelSpeakersParts {
  /** Calls wait until the model is available. */
  networks: LiveNetworks;
  bounds: SpeakerBounds;
  nextNumber(): number;
  /** Whether the networks are loaded: until then, words stay without speakers. */
  isReady(): boolean;
  /** @param from, until  samples */
  mayHaveSpeech(from: number, until: number): boolean;
  /** Called after every step, even if nothing changes. */
  onRevised(revisions: LiveRevisions): void;
  /** Called when the networks failed repeatedly; the channel then finds no more speakers. */
  onFailed(error: ParlanceError): void;
}

export interface ChannelSpeakersStart {
  /** Position of the first sample. */
  startSample: number;
  state?: ChannelSpeakersState | undefined;
  /** Number that the channel's speaker had so far. */
  number?: number | undefined;
}

const RETRY_MILLISECONDS = 1_000;
/** Failures after which live diarization is given up: a crash of the networks also interrupts the recognition in their process. */
const MOST_FAILURES = 3;
/** A full queue does not count as a failure of the networks. */
const isFailure = ({ code }: ParlanceError) => code !== "recognition.queue_full";

export class ChannelSpeakers {
  private readonly diarizer: LiveDiarizer;
  private readonly words: LiveWords;
  private readonly abort = new AbortController();
  private pending: Float32Array[] = [];
  private pendingSamples = 0;
  private running: Promise<void> | undefined;
  private readonly startSample: number;
  /** Windows that the diarization of recordings has too, by index: about 0.6 KB a second. */
  readonly rows = new Map<number, Uint8Array>();

  constructor(
    private readonly parts: ChannelSpeakersParts,
    { startSample, state, number }: ChannelSpeakersStart,
  ) {
    const { networks, bounds, nextNumber } = parts;
    this.startSample = startSample;
    const known = state?.diarizer ? { state: state.diarizer } : {};
    this.diarizer = new LiveDiarizer(networks, bounds, { startSample, ...known });
    const seed: LiveWordsState | undefined =
      number === undefined ? undefined : { numbers: [[NO_CLUSTER, number]], pending: [], last: number };
    this.words = new LiveWords(nextNumber, state?.words ?? seed);
  }

  /** State without `nextNumber`, which belongs to the session. */
  get state(): Omit<ChannelSpeakersState, "nextNumber"> {
    return { diarizer: this.diarizer.state, words: this.words.state };
  }

  /** Voices of the speakers that words have. */
  get prints(): { speaker: number; print: number[]; seconds: number }[] {
    return this.diarizer.prints.flatMap(({ id, ...voice }) => {
      const speaker = this.words.knownNumber(id);
      return speaker === undefined ? [] : [{ speaker, ...voice }];
    });
  }

  append(samples: Float32Array): void {
    if (this.abort.signal.aborted) return;
    this.pending.push(samples);
    this.pendingSamples += samples.length;
    // The diarizer copies the audio that it keeps at every call.
    if (this.pendingSamples < LIVE_STEP_SAMPLES) return;
    this.flush();
    void this.run();
  }

  /** Speakers of the words of a final. */
  assign(id: string, { words }: Utterance): (number | undefined)[] {
    const placed = words.map(({ start, end }: Word, index) => ({ id: wordId(id, index), start, end }));
    return this.words.assign(placed, this.diarizer.turns, this.parts.isReady());
  }

  /** Speakers of the words of a partial. */
  expected({ words }: Utterance): (number | undefined)[] {
    return this.words.expected(words, this.diarizer.turns);
  }

  /** Resolves when all audio was processed, or when the channel is stopped. Then compares the last words once more. */
  async finish(): Promise<void> {
    // A run that is about to end would not process the rest.
    await this.running;
    this.flush();
    await this.run();
    if (this.abort.signal.aborted) return;
    this.stop();
    this.parts.onRevised(this.words.revise(this.diarizer.turns, Number.POSITIVE_INFINITY, []));
  }

  stop(): void {
    this.abort.abort();
  }

  private flush(): void {
    this.diarizer.append(joinedSamples(this.pending));
    this.pending = [];
    this.pendingSamples = 0;
  }

  /** Keeps a window that is complete, and that the diarization of recordings has too. */
  private keepRow({ window: { index, row } }: LiveStep, from: number, until: number): void {
    if (until - from === WINDOW_SAMPLES && from >= this.startSample && Number.isInteger(index))
      this.rows.set(index, row);
  }

  private run(): Promise<void> {
    this.running ??= this.process().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async process(): Promise<void> {
    let failures = 0;
    while (this.diarizer.isDue && !this.abort.signal.aborted) {
      try {
        const { from, until } = this.diarizer.nextWindow;
        const isExamined = this.parts.mayHaveSpeech(from, until);
        const step = await this.diarizer.step(isExamined);
        if (this.abort.signal.aborted || !step) break;
        failures = 0;
        if (isExamined) this.keepRow(step, from, until);
        this.parts.onRevised(this.words.revise(this.diarizer.turns, step.endSeconds, step.joined));
      } catch (thrown) {
        if (this.abort.signal.aborted) break;
        const error = toParlanceError(thrown);
        if (isFailure(error) && ++failures >= MOST_FAILURES) {
          this.stop();
          this.parts.onFailed(error);
          break;
        }
        await sleep(RETRY_MILLISECONDS, this.abort.signal);
      }
    }
  }
}
