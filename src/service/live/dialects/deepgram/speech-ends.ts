// Ends of speech that no final states: where `endpointing` is longer than `utterance_end_ms`, an utterance ends before its speech does, and
// what follows a cut utterance may have no words. Counts audio time only.

export interface SpeechEnd {
  channel: number;
  /** Where the silence became long enough, seconds. */
  seconds: number;
}

export class SpeechEnds {
  /** End of the last speech of each channel, until it is stated, seconds. */
  private readonly silentSince = new Map<number, number>();

  /** @param silenceSeconds  from the end of the speech */
  constructor(private readonly silenceSeconds: number) {}

  /** @returns the end that precedes this speech, if the silence before it was long enough */
  speechStarted(channel: number, seconds: number): SpeechEnd[] {
    const since = this.silentSince.get(channel) ?? Number.POSITIVE_INFINITY;
    this.silentSince.delete(channel);
    const end = since + this.silenceSeconds;
    return end <= seconds ? [{ channel, seconds: end }] : [];
  }

  speechEnded(channel: number, seconds: number): void {
    this.silentSince.set(channel, seconds);
  }

  /** Whether an end may have to be stated later. */
  get isWaiting(): boolean {
    return this.silentSince.size > 0;
  }

  /** A message has stated the end of the last speech. */
  stated(channel: number): void {
    this.silentSince.delete(channel);
  }

  /** @param seconds  speech before this time is known */
  reached(seconds: number): SpeechEnd[] {
    const ends = [...this.silentSince].map(([channel, since]) => ({ channel, seconds: since + this.silenceSeconds }));
    return this.taken(ends.filter((end) => end.seconds <= seconds));
  }

  /** No more audio follows. @param seconds  its length */
  finish(seconds: number): SpeechEnd[] {
    return this.taken([...this.silentSince.keys()].map((channel) => ({ channel, seconds })));
  }

  private taken(ends: SpeechEnd[]): SpeechEnd[] {
    for (const { channel } of ends) this.silentSince.delete(channel);
    return ends;
  }
}
