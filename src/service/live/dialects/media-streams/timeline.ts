// Puts the audio of one or two tracks on the clock of their stream: in the order of its chunks, with silence where audio is missing, and
// interleaved. Telephony platforms send no frames for lost packets or suppressed silence, and may send frames out of order.

/** @property chunk  number within its track; @property milliseconds  time of the first sample, on the clock of the stream */
export interface TrackAudio {
  track: number;
  chunk: number | undefined;
  milliseconds: number | undefined;
  bytes: Buffer;
}

export interface TimelineOptions {
  tracks: number;
  sampleRate: number;
  sampleBytes: number;
  silence: number;
  /** Milliseconds since any time. */
  now(): number;
}

/** Longest time for which later chunks wait for an earlier one, and one track for the other. */
const WAIT_SECONDS = 0.3;
/** Chunks that wait for an earlier one. A number that lies further back begins a new count. */
const MOST_WAITING = 64;
const FIRST_CHUNK = 1;
/** Greatest difference between a timestamp and the end of the earlier audio that is ignored: networks delay frames, and clocks differ. */
const TOLERANCE_SECONDS = 0.2;
/** Timestamps that lie further back do not belong to the clock so far. */
const MOST_BACK_SECONDS = 1;
/** The silence that replaces missing audio may exceed the duration of the connection by this. */
const SPARE_SILENCE_SECONDS = 10;
/** Long silence is sent in pieces, which share their memory. */
const PIECE_SECONDS = 1;

interface Track {
  /** What is not yet sent: audio, and numbers of silent samples. */
  readonly parts: (Buffer | number)[];
  /** Samples so far, of those sent and those that are not. */
  end: number;
  hasBegun: boolean;
  nextChunk: number | undefined;
  /** By chunk. */
  readonly waiting: Map<number, TrackAudio>;
  waitingSamples: number;
  /** Samples by which timestamps are shifted, after a jump that silence cannot fill. */
  shift: number;
}

export class Timeline {
  private readonly tracks: Track[];
  private readonly begun: number;
  /** A piece of all tracks. */
  private readonly silence: Buffer;
  private originMilliseconds: number | undefined;
  /** Samples that were sent. */
  private sent = 0;
  private insertedSilence = 0;
  private readonly reported = new Set<string>();

  constructor(private readonly options: TimelineOptions) {
    this.begun = options.now();
    const { tracks, sampleBytes, silence } = options;
    this.silence = Buffer.alloc(this.samplesIn(PIECE_SECONDS) * sampleBytes * tracks, silence);
    this.tracks = Array.from({ length: options.tracks }, () => ({
      ...{ parts: [], end: 0, hasBegun: false, nextChunk: undefined },
      ...{ waiting: new Map(), waitingSamples: 0, shift: 0 },
    }));
  }

  /** Each is reported once in a stream. */
  readonly problems: string[] = [];

  private report(problem: string): void {
    if (this.reported.has(problem)) return;
    this.reported.add(problem);
    this.problems.push(problem);
  }

  private samplesIn(seconds: number): number {
    return Math.round(seconds * this.options.sampleRate);
  }

  /** @returns interleaved samples that are complete, in pieces of at most a second; they must not be changed */
  push(audio: TrackAudio): Buffer[] {
    const track = this.tracks[audio.track] as Track;
    const { chunk } = audio;
    // The first frames may be out of order, too.
    if (chunk !== undefined && chunk > FIRST_CHUNK && chunk <= MOST_WAITING) track.nextChunk ??= FIRST_CHUNK;
    const { nextChunk } = track;
    const isNext = chunk === undefined || nextChunk === undefined || chunk === nextChunk;
    if (isNext || nextChunk - chunk > MOST_WAITING) this.place(track, audio, 0);
    else if (chunk < nextChunk || track.waiting.has(chunk)) {
      this.report("frames came twice or too late to be put in order, and were left out");
    } else {
      track.waiting.set(chunk, audio);
      track.waitingSamples += this.samplesOf(audio);
    }
    this.release(track);
    return this.complete();
  }

  /** @returns what is left, at the end of the stream */
  end(): Buffer[] {
    for (const track of this.tracks) this.release(track, 0);
    return this.take(Math.max(...this.tracks.map(({ end }) => end)));
  }

  private samplesOf({ bytes }: TrackAudio): number {
    return bytes.length / this.options.sampleBytes;
  }

  /** Places chunks that follow, and passes over a missing one once the later ones have waited for long enough. */
  private release(track: Track, mostSamples = this.samplesIn(WAIT_SECONDS)): void {
    while (track.waiting.size > 0) {
      const { nextChunk = 0 } = track;
      const following = track.waiting.get(nextChunk);
      if (!following && track.waitingSamples <= mostSamples && track.waiting.size <= MOST_WAITING) return;
      const audio = following ?? (track.waiting.get(Math.min(...track.waiting.keys())) as TrackAudio);
      const chunk = audio.chunk as number;
      track.waiting.delete(chunk);
      track.waitingSamples -= this.samplesOf(audio);
      this.place(track, audio, chunk - nextChunk);
    }
  }

  /** @param missing  chunks before this one that did not come */
  private place(track: Track, audio: TrackAudio, missing: number): void {
    const samples = this.samplesOf(audio);
    const expected = track.end + missing * samples;
    const position = this.positionOf(track, audio, expected);
    if (audio.chunk !== undefined) track.nextChunk = audio.chunk + 1;
    track.hasBegun = true;
    if (position > track.end) this.fill(track, position - track.end);
    // Frames without audio would take memory, and time when audio follows.
    if (samples > 0) track.parts.push(audio.bytes);
    track.end += samples;
  }

  /** @param expected  the position after the audio so far @returns the position by the timestamp where it differs too much */
  private positionOf(track: Track, { milliseconds }: TrackAudio, expected: number): number {
    if (milliseconds === undefined) return expected;
    this.originMilliseconds ??= milliseconds;
    const given = this.samplesIn((milliseconds - this.originMilliseconds) / 1000) - track.shift;
    if (!track.hasBegun) return Math.max(0, given);
    if (expected - given > this.samplesIn(MOST_BACK_SECONDS)) {
      this.report("timestamps went back by more than a second; the audio was put after what came before");
      track.shift += given - expected;
      return expected;
    }
    return Math.abs(given - expected) <= this.samplesIn(TOLERANCE_SECONDS) ? expected : given;
  }

  private fill(track: Track, wanted: number): void {
    const lasted = (this.options.now() - this.begun) / 1000;
    const most = this.samplesIn(lasted + SPARE_SILENCE_SECONDS) * this.tracks.length - this.insertedSilence;
    if (wanted > most) {
      this.report("the clock of the stream jumped by more than the stream lasts; the jump was left out");
      track.shift += wanted;
      return;
    }
    this.insertedSilence += wanted;
    this.pad(track, wanted);
  }

  private pad(track: Track, samples: number): void {
    track.parts.push(samples);
    track.end += samples;
  }

  /** All tracks are sent up to the end of the shortest, or further if it lags. */
  private complete(): Buffer[] {
    const ends = this.tracks.map(({ end }) => end);
    return this.take(Math.max(Math.min(...ends), Math.max(...ends) - this.samplesIn(WAIT_SECONDS)));
  }

  private take(until: number): Buffer[] {
    const pieces: Buffer[] = [];
    for (const track of this.tracks) if (track.end < until) this.pad(track, until - track.end);
    while (this.sent < until) {
      const samples = Math.min(until - this.sent, this.samplesIn(PIECE_SECONDS));
      const taken = this.tracks.map((track) => this.cut(track, samples));
      this.sent += samples;
      pieces.push(this.pieceOf(taken, samples));
    }
    return pieces;
  }

  private pieceOf(taken: readonly (Buffer | undefined)[], samples: number): Buffer {
    if (taken.every((bytes) => bytes === undefined)) return this.quiet(samples, taken.length);
    const tracks = taken.map((bytes) => bytes ?? this.quiet(samples));
    return tracks.length === 1 ? (tracks[0] as Buffer) : this.interleaved(tracks, samples);
  }

  private quiet(samples: number, tracks = 1): Buffer {
    return this.silence.subarray(0, samples * tracks * this.options.sampleBytes);
  }

  /** @returns undefined for silence alone */
  private cut({ parts }: Track, samples: number): Buffer | undefined {
    const { sampleBytes } = this.options;
    const cut: Buffer[] = [];
    let isSilent = true;
    for (let left = samples; left > 0; ) {
      const part = parts[0] as Buffer | number;
      const has = typeof part === "number" ? part : part.length / sampleBytes;
      const taken = Math.min(left, has);
      if (typeof part === "number") cut.push(this.quiet(taken));
      else cut.push(part.subarray(0, taken * sampleBytes));
      isSilent &&= typeof part === "number" || taken === 0;
      if (taken === has) parts.shift();
      else parts[0] = typeof part === "number" ? part - taken : part.subarray(taken * sampleBytes);
      left -= taken;
    }
    if (isSilent) return undefined;
    return cut.length === 1 ? cut[0] : Buffer.concat(cut);
  }

  private interleaved(tracks: readonly Buffer[], samples: number): Buffer {
    const { sampleBytes } = this.options;
    const whole = Buffer.alloc(samples * sampleBytes * tracks.length);
    for (const [index, bytes] of tracks.entries()) {
      for (let sample = 0; sample < samples; sample++) {
        const at = (sample * tracks.length + index) * sampleBytes;
        for (let byte = 0; byte < sampleBytes; byte++) whole[at + byte] = bytes[sample * sampleBytes + byte] as number;
      }
    }
    return whole;
  }
}
