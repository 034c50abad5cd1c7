// The samples of a WAV file in windows, each with a vote for their format (sample-votes.ts), and the section of the file that the votes
// find in another format than the header states. A right recording must never be read in another format: unclear votes change nothing.
import { RANDOM } from "../../likely-format.ts";
import { STEP_BYTES } from "../../signal-check.ts";
import type { Steps } from "../../steps.ts";
import { bytesPerFrame, bytesPerSecond, decodeFrames, type SampleFormat } from "../../stream-format.ts";
import { spreadPlace } from "../spread.ts";
import type { FileBytes } from "./file-bytes.ts";
import { BIG_ENDIAN, OUT_OF_STEP, STATED, voteOf } from "./sample-votes.ts";

/** What windows read the samples from. */
export type SampleSource = Pick<FileBytes, "read">;

const WINDOW_SECONDS = 0.5;
const MOST_WINDOW_BYTES = 2 ** 21;
/** Windows with sound that are examined, and all windows: a recording may begin with minutes of silence. */
const MOST_SOUNDING = 24;
const MOST_WINDOWS = 400;
/** Votes for a format, as a number, a share of the windows with sound, and in relation to the next format. */
const LEAST_VOTES = 2;
const LEAST_SHARE = 0.2;
const LEAST_LEAD = 2;
/** Least ratio of the windows that agree to those that disagree, in a section. */
const CLEAR_MAJORITY = 4;
/** Of one channel that is read as two: its quiet windows are smooth as two, too. */
const CLEAR_COUNT_MAJORITY = 3;
/** Number of further windows that are examined to confirm a section, and least number of windows that agree. */
const CONFIRMING_WINDOWS = 12;
const LEAST_CONFIRMED = 2;
/** A shorter section within a file may be an unusual sound. */
const LEAST_SECTION = 4;
/** Windows without a vote, such as a pause, that are passed at a time in the search for a change. */
const MOST_UNDECIDED = 64;

/** Large floating-point numbers look like these: their low bytes are random, and their high ones vary little. */
const BYTES: ReadonlySet<string> = new Set(["unsigned 8-bit PCM", "signed 8-bit PCM", "mu-law", "A-law"]);

/** Windows of the file: the first one, and the one behind the last one. */
interface Section {
  first: number;
  end: number;
}

/**
 * Two channels of two sources: least energy of the difference of neighbours as a share of both, and least share of the quieter channel.
 * One channel with every sample twice, or with zeros between, has less.
 */
const LEAST_DIFFERENCE = 0.4;
const LEAST_QUIETER = 0.01;

export class SampleWindows {
  readonly bytes: number;
  readonly count: number;
  /** By window; "" for an undecided one, undefined for silence. */
  private readonly votes = new Map<number, string | undefined>();

  constructor(
    private readonly file: SampleSource,
    private readonly soundBytes: number,
    lengthBytes: number,
    private readonly format: SampleFormat,
  ) {
    const stepBytes = STEP_BYTES * bytesPerFrame(format);
    const wanted = Math.ceil((WINDOW_SECONDS * bytesPerSecond(format)) / stepBytes);
    this.bytes = stepBytes * Math.min(wanted, Math.floor(MOST_WINDOW_BYTES / stepBytes));
    this.count = Math.floor(lengthBytes / this.bytes);
  }

  *examine(): Steps<void> {
    const { count } = this;
    const order = Array.from({ length: Math.min(count, MOST_WINDOWS) }, (_, at) =>
      count <= MOST_WINDOWS ? at : Math.floor(spreadPlace(at) * count),
    );
    // A short file is examined in the same order as a long one.
    order.sort((left, right) => spreadPlace(left) - spreadPlace(right));
    let sounding = 0;
    for (const window of order) {
      if (this.voteOf(window) !== undefined) sounding++;
      yield 0;
      if (sounding >= MOST_SOUNDING) break;
    }
  }

  /** Name of the likely format, if the majority is clear. */
  *likelyName(): Steps<string | undefined> {
    const { bitDepth, channels } = this.format;
    const mayBeBoth = bitDepth === 16 && channels > 1;
    const counts = new Map<string, number>();
    for (const vote of this.votes.values()) {
      const name = mayBeBoth && vote === BIG_ENDIAN ? OUT_OF_STEP : vote;
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    // Loud windows of any wrong format look like random bytes.
    const random = counts.get(RANDOM.name) ?? 0;
    const isFloat = this.format.encoding === "float";
    const [first, second] = [...counts]
      .filter(([name]) => name !== "" && name !== STATED && name !== RANDOM.name && !(isFloat && BYTES.has(name)))
      .sort(([, left], [, right]) => right - left);
    const [name, count] = first ?? [RANDOM.name, random];
    const isClear = count >= LEAST_VOTES && count >= LEAST_SHARE * total;
    if (!isClear || count < LEAST_LEAD * (second?.[1] ?? 0)) return undefined;
    return mayBeBoth && name === OUT_OF_STEP && (yield* this.isBigEndian()) ? BIG_ENDIAN : name;
  }

  /**
   * Samples of several channels that are a byte out of step look like big-endian ones with the low bytes of another channel, and the
   * reverse. Only in the right reading, the low bytes are smooth, too.
   */
  private *isBigEndian(): Steps<boolean> {
    let [big, little] = [0, 0];
    const stepBytes = bytesPerFrame(this.format);
    for (const [window, vote] of this.votes) {
      if (vote !== BIG_ENDIAN && vote !== OUT_OF_STEP) continue;
      const bytes = this.read(window);
      for (let at = 1; at + stepBytes + 2 <= bytes.length; at += 2) {
        big += (bytes.readInt16BE(at - 1 + stepBytes) - bytes.readInt16BE(at - 1)) ** 2;
        little += (bytes.readInt16LE(at + stepBytes) - bytes.readInt16LE(at)) ** 2;
      }
      yield 0;
    }
    return big < little;
  }

  /** Whether the windows that are not in the stated format outnumber by far those that are. */
  get isWhole(): boolean {
    return this.agrees({ first: 0, end: this.count }, true, CLEAR_COUNT_MAJORITY);
  }

  /** The section that is not in the stated format; undefined if windows of both formats are mixed. */
  *section(): Steps<Section | undefined> {
    const decided = [...this.votes.keys()]
      .filter((window) => this.isOther(window) !== undefined)
      .sort((left, right) => left - right);
    const others = decided.filter((window) => this.isOther(window));
    const [first, last] = [others[0], others.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const before = decided.filter((window) => window < first).at(-1);
    const behind = decided.find((window) => window > last);
    const found: Section = { first: 0, end: this.count };
    if (before !== undefined) {
      const end = yield* this.changeBetween(before, first);
      if (yield* this.isConfirmed({ first: 0, end }, false)) found.first = end;
    }
    if (behind !== undefined) {
      const from = (yield* this.changeBetween(behind, last)) + 1;
      if (yield* this.isConfirmed({ first: from, end: this.count }, false)) found.end = from;
    }
    const isPart = found.first > 0 || found.end < this.count;
    if (isPart && found.end - found.first < LEAST_SECTION) return undefined;
    return (yield* this.isConfirmed(found, true)) ? found : undefined;
  }

  /** Whether the windows with a vote have two channels of two sources, one sample after the other, in the stated one channel. */
  *hasTwoSources(name: string): Steps<boolean> {
    let [even, odd, within, between] = [0, 0, 0, 0];
    for (const [window, vote] of this.votes) {
      if (vote !== name) continue;
      const [samples = new Float32Array()] = decodeFrames(this.read(window), this.format);
      for (let at = 0; at + 2 < samples.length; at += 2) {
        const first = samples[at] as number;
        const second = samples[at + 1] as number;
        const next = samples[at + 2] as number;
        even += first * first;
        odd += second * second;
        within += (second - first) ** 2;
        between += (next - second) ** 2;
      }
      yield 0;
    }
    const areApart = Math.min(within, between) >= LEAST_DIFFERENCE * (even + odd);
    return areApart && Math.min(even, odd) >= LEAST_QUIETER * Math.max(even, odd);
  }

  /** Bisects. @returns the window in another format that is next to those in the stated one */
  private *changeBetween(stated: number, other: number): Steps<number> {
    const step = Math.sign(other - stated);
    let [low, high, found] = [stated, other, other];
    while (Math.abs(high - low) > 1) {
      const middle = low + Math.trunc((high - low) / 2);
      let at = middle;
      for (let passed = 0; at !== high && passed < MOST_UNDECIDED; passed++, at += step) {
        if (!this.votes.has(at)) yield 0;
        if (this.isOther(at) !== undefined) break;
      }
      const isOther = at === high ? undefined : this.isOther(at);
      if (isOther === false) low = at;
      else high = isOther ? at : middle;
      if (isOther) found = at;
    }
    return found;
  }

  /** Examines further windows of a section. @param isOther  whether it is to be in another format, or in the stated one */
  private *isConfirmed(section: Section, isOther: boolean): Steps<boolean> {
    const length = section.end - section.first;
    for (let at = 0; at < Math.min(CONFIRMING_WINDOWS, length); at++) {
      const place = length <= CONFIRMING_WINDOWS ? at : Math.floor(spreadPlace(at) * length);
      this.voteOf(section.first + place);
      yield 0;
    }
    return this.agrees(section, isOther);
  }

  private agrees({ first, end }: Section, isOther: boolean, majority = CLEAR_MAJORITY): boolean {
    let [agreeing, total] = [0, 0];
    for (const window of this.votes.keys()) {
      const vote = window >= first && window < end ? this.isOther(window) : undefined;
      if (vote === undefined) continue;
      total++;
      if (vote === isOther) agreeing++;
    }
    const least = Math.min(LEAST_CONFIRMED, Math.ceil((end - first) / 2));
    return agreeing >= least && agreeing >= majority * (total - agreeing);
  }

  /** undefined if the window is undecided */
  private isOther(window: number): boolean | undefined {
    const name = this.voteOf(window);
    return name === undefined || name === "" ? undefined : name !== STATED;
  }

  private voteOf(window: number): string | undefined {
    if (!this.votes.has(window)) this.votes.set(window, voteOf(this.read(window), this.format));
    return this.votes.get(window);
  }

  private read(window: number): Buffer {
    return this.file.read(this.soundBytes + window * this.bytes, this.bytes);
  }
}
