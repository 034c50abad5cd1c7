// Decides from the arrival times of audio whether a client has stopped sending. A client that sends in real time has stopped when its
// audio has run out for long enough. A client that sends a file faster or slower than real time leaves gaps that mean nothing.
// Pure state; the caller passes the time.

/** Shortest time without audio that counts as silence. Network jitter of 300 ms stays below it. */
const LEAST_SILENCE_SECONDS = 0.6;
/** Comfort noise: frames at most this long that carry at most this share of the time. RFC 3389 senders send 20 ms every 400 ms. */
const MOST_COMFORT_SECONDS = 0.1;
const MOST_COMFORT_SHARE = 0.2;
/** A client that sends less than this share of real time is slow: its gaps mean nothing. */
const LEAST_PACE = 0.7;
/** A client that sends more than this share of real time is not a microphone. */
const MOST_PACE = 1.3;
/** Evidence of real time: seconds of audio above LEAST_PACE; 0.03 s are 0.1 s of audio in real time. */
const EVIDENCE_SECONDS = 0.03;
const MOST_EVIDENCE_SECONDS = 0.3;
/** How long evidence is valid: the network may delay the last chunk of a turn. */
const EVIDENCE_AGE_SECONDS = 2;
/** The pace is measured over windows of this length. */
const PACE_WINDOW_SECONDS = 1;
/** The silence must be longer than this share of the last chunk: large chunks come with large jitter. */
const CHUNK_SHARE = 0.5;
/**
 * Chunks that arrive later than their length after the previous one extend the silence, by this multiple of the mean
 * delay.
 */
const DELAY_FACTOR = 3;
/** Weight of a chunk in the mean delay. */
const DELAY_WEIGHT = 1 / 8;
/** Without evidence, the silence must be this many times longer than the longest gap, or than the only chunk, up to a bound. */
const UNPROVEN_FACTOR = 4;
const UNPROVEN_SECONDS = 2;
const MOST_UNPROVEN_SECONDS = 4;
/** A client that has just reconnected needs time to resend audio that was not acknowledged. */
const RECONNECT_SECONDS = 2;
/** The same if the client's pace is unknown: the service has restarted. */
const UNKNOWN_SECONDS = 4;

export class SendingPace {
  private silenceSeconds = LEAST_SILENCE_SECONDS;
  /** Time of the last chunk, or of the connection; seconds. */
  private lastAt = 0;
  /** Time of the last chunk that is not comfort noise. */
  private lastSolidAt = 0;
  /** How far the received audio is ahead of real time at `lastAt`, seconds; negative where it is behind. */
  private lead = 0;
  /** When the received audio ran out, while only comfort noise has followed. */
  private emptySince: number | undefined;
  private chunks = 0;
  private lastChunkSeconds = 0;
  private longestGapSeconds = 0;
  private meanDelaySeconds = 0;
  private evidence = 0;
  private evidenceAt = Number.NEGATIVE_INFINITY;
  /** Whether the client has sent in real time before. */
  private isProven = false;
  private hasJustConnected = false;
  /** Time in which audio of the connection waited for the session to start, seconds. */
  private heldSeconds = 0;
  private hasEnded = true;
  private windowStart = 0;
  private windowSeconds = 0;
  private windowLead = Number.POSITIVE_INFINITY;

  /** @param endpointingSeconds  silence that ends an utterance */
  constructor(endpointingSeconds: number) {
    this.configure(endpointingSeconds);
  }

  configure(endpointingSeconds: number): void {
    this.silenceSeconds = Math.max(LEAST_SILENCE_SECONDS, endpointingSeconds);
  }

  /** A client has connected. @param hasAudio  the session has received audio before */
  connected(now: number, hasAudio: boolean): void {
    if (this.chunks > 0) this.lead -= now - this.lastAt;
    else if (hasAudio) this.hasEnded = false;
    this.hasJustConnected = true;
    this.emptySince = undefined;
    this.lastAt = now;
  }

  /** The service starts reading from the connection. Audio that arrives first may have waited since `connected`. */
  opened(now: number): void {
    this.heldSeconds = now - this.lastAt;
  }

  /** @param seconds  length of the audio that has arrived */
  received(seconds: number, now: number): void {
    if (seconds <= 0) return;
    const gap = now - this.lastAt;
    const { ranOut } = this;
    const isShort = seconds <= MOST_COMFORT_SECONDS && seconds <= MOST_COMFORT_SHARE * gap;
    // If the client has never sent in real time, short chunks mean a slow client, not comfort noise.
    const isSparse = now > ranOut && isShort && (this.hasEnded || this.isInRealTime);
    if (this.hasEnded && isSparse) {
      this.lastAt = now;
      return;
    }
    const isResent = this.hasJustConnected;
    this.hasJustConnected = false;
    this.emptySince = isSparse ? (this.emptySince ?? ranOut) : undefined;
    this.lastAt = now;
    if (this.hasEnded) {
      this.begin(seconds, now);
      return;
    }
    this.lead += seconds - gap;
    if (isSparse) return;
    this.chunks++;
    this.lastSolidAt = now;
    this.lastChunkSeconds = seconds;
    this.longestGapSeconds = Math.max(this.longestGapSeconds, gap);
    this.meanDelaySeconds += DELAY_WEIGHT * (Math.max(0, gap - seconds) - this.meanDelaySeconds);
    const evidence = this.evidence + seconds - LEAST_PACE * gap;
    this.evidence = Math.min(MOST_EVIDENCE_SECONDS, Math.max(0, evidence));
    if (this.evidence >= EVIDENCE_SECONDS) this.evidenceAt = now;
    // The first chunk after a reconnect may have waited for it: its delay says nothing about the pace.
    if (isResent) this.restartWindow(now);
    else this.measure(seconds, now);
  }

  /** The service did not read from the client until now. */
  wasPaused(now: number): void {
    this.lastAt = now;
    this.emptySince = undefined;
  }

  /** @returns seconds from now on without audio until the client counts as silent; undefined where no turn is open */
  remaining(now: number): number | undefined {
    if (this.hasEnded) return undefined;
    const since = this.emptySince ?? this.ranOut;
    return since + this.neededSeconds - now;
  }

  /** The end of the turn was handled. Later audio starts another turn. */
  ended(): void {
    this.hasEnded = true;
  }

  /** The first chunk contains no information about the pace. */
  private begin(seconds: number, now: number): void {
    this.hasEnded = false;
    this.lead = seconds - this.heldSeconds;
    this.heldSeconds = 0;
    this.chunks = 1;
    this.lastSolidAt = now;
    this.lastChunkSeconds = seconds;
    this.longestGapSeconds = 0;
    this.meanDelaySeconds = 0;
    this.evidence = 0;
    this.evidenceAt = Number.NEGATIVE_INFINITY;
    this.restartWindow(now);
  }

  /**
   * A client that sends in real time leads by its last chunk, or by the chunks of its last burst, and by what it sent at the start. The lead is
   * smallest before a burst: the audio of the burst is no head start.
   */
  private measure(seconds: number, now: number): void {
    this.windowLead = Math.min(this.windowLead, this.lead - seconds);
    this.windowSeconds += seconds;
    const length = now - this.windowStart;
    if (length < PACE_WINDOW_SECONDS) return;
    const pace = this.windowSeconds / length;
    if (pace >= LEAST_PACE && pace <= MOST_PACE) {
      this.lead -= this.windowLead;
      this.isProven = true;
    }
    this.restartWindow(now);
  }

  private restartWindow(now: number): void {
    this.windowStart = now;
    this.windowSeconds = 0;
    this.windowLead = Number.POSITIVE_INFINITY;
  }

  /** When the received audio runs out in real time. The next chunk takes as long as the last one to record. */
  private get ranOut(): number {
    return this.lastAt + Math.max(this.lastChunkSeconds, this.lead);
  }

  private get isInRealTime(): boolean {
    return this.lastSolidAt - this.evidenceAt <= EVIDENCE_AGE_SECONDS;
  }

  private get neededSeconds(): number {
    const needed = this.neededAtThisPace;
    return this.hasJustConnected ? Math.max(RECONNECT_SECONDS, needed) : needed;
  }

  private get neededAtThisPace(): number {
    if (this.chunks === 0) return Math.max(this.silenceSeconds, UNKNOWN_SECONDS);
    const steady = Math.max(this.silenceSeconds, CHUNK_SHARE * this.lastChunkSeconds);
    const usual = steady + DELAY_FACTOR * this.meanDelaySeconds;
    if (this.isInRealTime) return usual;
    if (this.chunks > 1) return Math.max(usual, UNPROVEN_SECONDS, UNPROVEN_FACTOR * this.longestGapSeconds);
    if (this.isProven) return usual;
    const unproven = Math.min(MOST_UNPROVEN_SECONDS, UNPROVEN_FACTOR * this.lastChunkSeconds);
    return Math.max(usual, 2 * this.silenceSeconds, unproven);
  }
}
