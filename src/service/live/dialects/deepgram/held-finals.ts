// Finalize messages and their answers: on each channel, the last final of the audio before a Finalize is marked. Until it is known that no
// other final of that audio follows, a final is held back.
import type { ListenResults } from "../../../../contract/deepgram-live.ts";

/** A Finalize whose finals are not all known. */
interface Finalize {
  /** End of its audio, seconds. */
  seconds: number;
  /** Whose results it marks. */
  channels: readonly number[];
  /** Channels on which a final of later audio has come, so that all finals before it were sent. */
  passed: Set<number>;
}

export interface Final {
  channel: number;
  /** Seconds. */
  start: number;
  results: ListenResults;
  lastWordEnd: number;
}

/** Most Finalize messages that wait for their answer. */
const MOST_FINALIZING = 100;

export class HeldFinals {
  private readonly finalizing: Finalize[] = [];
  /** The last final of each channel since a Finalize. */
  private readonly held = new Map<number, Final>();
  private readonly waitingForRelease: (() => void)[] = [];
  /** Finalize messages that were received and not answered. */
  private unanswered = 0;

  /**
   * @param channels  of the session
   * @param empty     makes results without words for a channel, at a time in seconds
   * @param onSent    called for each final when its results are sent
   */
  constructor(
    private readonly channels: number,
    private readonly empty: (channel: number, seconds: number) => ListenResults,
    private readonly onSent: (final: Final) => void,
  ) {}

  /** Whether a further Finalize may wait for its answer; it then counts. */
  mayFinalize(): boolean {
    if (this.unanswered >= MOST_FINALIZING) return false;
    this.unanswered++;
    return true;
  }

  /** Whether a Finalize waits for its answer. */
  get isFinalizing(): boolean {
    return this.finalizing.length > 0;
  }

  /** Resolves when no final is held back. */
  released(): Promise<void> {
    if (this.held.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.waitingForRelease.push(resolve));
  }

  /** Called when the session begins to end its utterances. @param channel  undefined for all @param seconds  of the audio so far */
  finalize(channel: number | undefined, seconds: number): void {
    const channels = channel === undefined ? [...Array(this.channels).keys()] : [channel];
    this.finalizing.push({ seconds, channels, passed: new Set() });
  }

  /** @returns what is sent now, in order */
  add(final: Final): ListenResults[] {
    const { channel, start } = final;
    const passed = this.pass(channel, start);
    if (this.hasPassed(channel)) return [...passed, this.sent(final)];
    const before = this.held.get(channel);
    this.held.set(channel, final);
    return [...passed, ...(before ? [this.sent(before)] : [])];
  }

  /** The session has emitted every final of the oldest Finalize. @param seconds  end of its audio @returns what is sent now, in order */
  finalized(seconds: number): ListenResults[] {
    this.unanswered = Math.max(0, this.unanswered - 1);
    const { channels = [], passed } = this.finalizing.shift() ?? {};
    const marked = channels.filter((one) => !passed?.has(one)).map((channel) => this.marked(channel, seconds));
    // The others may be the last ones of a later Finalize.
    const others = [...this.held.values()].filter(({ channel }) => this.hasPassed(channel));
    for (const { channel } of others) this.held.delete(channel);
    this.release();
    return [...others.map((final) => this.sent(final)), ...marked];
  }

  /** Whether no Finalize waits for finals of a channel. */
  private hasPassed(channel: number): boolean {
    return this.finalizing.every(({ passed }) => passed.has(channel));
  }

  /** A final that begins at `start` answers, on its channel, each Finalize of earlier audio. */
  private pass(channel: number, start: number): ListenResults[] {
    const before = this.finalizing.filter(({ seconds, passed }) => seconds <= start && !passed.has(channel));
    const marked = before.flatMap((one) => {
      one.passed.add(channel);
      return one.channels.includes(channel) ? [this.marked(channel, one.seconds)] : [];
    });
    this.release();
    return marked;
  }

  /** The last results of a channel for a Finalize. They are empty if it has no final. */
  private marked(channel: number, seconds: number): ListenResults {
    const held = this.held.get(channel);
    this.held.delete(channel);
    return { ...(held ? this.sent(held) : this.empty(channel, seconds)), from_finalize: true };
  }

  private sent(final: Final): ListenResults {
    this.onSent(final);
    return final.results;
  }

  private release(): void {
    if (this.held.size > 0) return;
    for (const resolve of this.waitingForRelease.splice(0)) resolve();
  }
}
