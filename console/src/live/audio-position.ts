// The duration of the audio of a session, with the part that an earlier page has sent. Pauses are not part of it.
import { computed, signal } from "@preact/signals";
import { BYTES_PER_SAMPLE } from "./session-request.ts";

/** Hertz, until the captured audio has one. */
const FIRST_SAMPLE_RATE = 16_000;

export class AudioPosition {
  sampleRate = FIRST_SAMPLE_RATE;
  /** Whole seconds. */
  readonly shown = computed(() => Math.floor(this.seconds));
  private readonly samples = signal(0);
  private isKnown = true;

  get seconds(): number {
    return this.samples.value / this.sampleRate;
  }

  /** Whether the samples are counted from the beginning of the session. */
  get isAligned(): boolean {
    return this.isKnown;
  }

  /** @param isRejoined  whether an earlier page has sent audio, whose length is not known yet */
  reset(isRejoined: boolean, sampleRate = FIRST_SAMPLE_RATE): void {
    this.sampleRate = sampleRate;
    this.samples.value = 0;
    this.isKnown = !isRejoined;
  }

  /** Adds audio that this page has sent. */
  add(samples: number): void {
    this.samples.value += samples;
  }

  /**
   * The service has acknowledged a piece of this page.
   * @param from  start of the piece, bytes from the beginning of the session
   * @param end   its end; equal to `from` for an empty piece
   */
  acknowledged(from: number, end: number): void {
    if (this.isKnown) return;
    // An empty piece gives the length only if this page has sent no audio.
    if (from === end && this.samples.peek() > 0) return;
    this.isKnown = true;
    this.add(from / BYTES_PER_SAMPLE);
  }
}
