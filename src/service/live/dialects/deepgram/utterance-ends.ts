// UtteranceEnd: the silence since the last word of a channel is long enough. Counts audio time only, so that the messages do not depend
// on how fast audio arrives.

interface ChannelSpeech {
  /** End of the last final word that no UtteranceEnd has followed, seconds. */
  lastWordEnd: number | undefined;
  /** End of the last speech; undefined during speech. */
  silentSince: number | undefined;
  /** The last cut: words before it may be in the next final. Seconds. */
  cutAt: number;
  /** Speech began after the last final. */
  awaitsFinal: boolean;
}

export interface UtteranceEnd {
  channel: number;
  lastWordEnd: number;
}

/** Most finals follow their speech within this time; speech without words has none. */
const FINAL_SECONDS = 2;

export class UtteranceEnds {
  private readonly channels = new Map<number, ChannelSpeech>();

  /** @param silenceSeconds  from the last word */
  constructor(private readonly silenceSeconds: number) {}

  private of(channel: number): ChannelSpeech {
    const known = this.channels.get(channel) ?? {
      lastWordEnd: undefined,
      silentSince: 0,
      cutAt: 0,
      awaitsFinal: false,
    };
    this.channels.set(channel, known);
    return known;
  }

  /** @returns the end that precedes this speech, if the silence before it was long enough */
  speechStarted(channel: number, seconds: number): UtteranceEnd[] {
    const ends = this.reachedOn(channel, seconds);
    Object.assign(this.of(channel), { silentSince: undefined, awaitsFinal: true });
    return ends;
  }

  /** @param isCut  whether the speech continues in the next utterance */
  speechEnded(channel: number, seconds: number, isCut: boolean): void {
    Object.assign(this.of(channel), { silentSince: seconds, ...(isCut ? { cutAt: seconds } : {}) });
  }

  final(channel: number, lastWordEnd: number): void {
    Object.assign(this.of(channel), { lastWordEnd, awaitsFinal: false });
  }

  /** @param seconds  speech before this time is known */
  reached(seconds: number): UtteranceEnd[] {
    return [...this.channels.keys()].flatMap((channel) => this.reachedOn(channel, seconds));
  }

  private reachedOn(channel: number, seconds: number): UtteranceEnd[] {
    const speech = this.of(channel);
    const { lastWordEnd, silentSince, cutAt, awaitsFinal } = speech;
    if (lastWordEnd === undefined || silentSince === undefined) return [];
    // Speech after the last final has no final yet, and may still have words.
    const silence = seconds - (awaitsFinal ? silentSince + FINAL_SECONDS : Math.max(lastWordEnd, cutAt));
    if (silence < this.silenceSeconds) return [];
    speech.lastWordEnd = undefined;
    return [{ channel, lastWordEnd }];
  }
}
