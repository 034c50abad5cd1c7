// Finds whether the utterance of a final was cut: it reached the maximum length, and its speech continues in the next utterance. A final is
// sent after the end of its speech is known, so it belongs to the first end after its midpoint.
import { type SpeechEnd, SpeechEnds } from "./speech-ends.ts";

interface Ending {
  /** Seconds. */
  seconds: number;
  isCut: boolean;
}

/** Most finals follow the report about the end of their speech within this time; short speech without words has none. */
const FINAL_SECONDS = 2;

export class CutSpeech {
  /** Of each channel, in order; those before its last final are dropped. */
  private readonly endings = new Map<number, Ending[]>();
  /** Channels whose last speech was cut. */
  private readonly open = new Set<number>();
  /** Ends of what followed a cut: if it has no words, no final states its end. */
  private readonly rests = new SpeechEnds(FINAL_SECONDS);

  /** Whether an end may have to be stated later. */
  get isWaiting(): boolean {
    return this.rests.isWaiting;
  }

  /** @param reportedSeconds  of the audio, when the end is reported: `seconds` is where the silence began */
  ended(channel: number, { seconds, isCut }: Ending, reportedSeconds: number): void {
    const known = this.endings.get(channel) ?? [];
    known.push({ seconds, isCut });
    this.endings.set(channel, known);
    if (isCut) this.open.add(channel);
    else if (this.open.delete(channel)) this.rests.speechEnded(channel, reportedSeconds);
  }

  speechStarted(channel: number, seconds: number): SpeechEnd[] {
    return this.rests.speechStarted(channel, seconds);
  }

  /** A final is sent. @returns whether its speech continues */
  isCut(channel: number, { start, end }: { start: number; end: number }): boolean {
    const middle = (start + end) / 2;
    const later = (this.endings.get(channel) ?? []).filter(({ seconds }) => seconds >= middle);
    this.endings.set(channel, later);
    const isCut = later[0]?.isCut ?? this.open.has(channel);
    if (!isCut) this.rests.stated(channel);
    return isCut;
  }

  /** @param seconds  speech before this time is known */
  reached(seconds: number): SpeechEnd[] {
    return this.rests.reached(seconds);
  }

  /** No more audio follows. @param seconds  its length */
  finish(seconds: number): SpeechEnd[] {
    return this.rests.finish(seconds);
  }
}
