// Peaks of the stretches of a recording that the timeline shows, requested once each.
import { type Signal, signal } from "@preact/signals";
import { get } from "../../api.ts";
import type { Peaks } from "../../shapes.ts";

const STRETCH_SECONDS = 60;
/** The timeline shows no waveform after this many failed requests. */
const MOST_FAILURES = 3;

export class StretchPeaks {
  /** Counts the stretches that have arrived. */
  readonly version: Signal<number> = signal(0);
  readonly hasFailed = signal(false);
  private readonly stretches = new Map<number, Peaks | undefined>();
  private failures = 0;

  constructor(
    private readonly path: string,
    private readonly seconds: number,
  ) {}

  /** Requests the stretches between two times that were not requested yet. */
  need(from: number, until: number): void {
    const last = Math.floor(Math.min(until, this.seconds - 0.001) / STRETCH_SECONDS);
    for (let at = Math.max(0, Math.floor(from / STRETCH_SECONDS)); at <= last; at++) {
      if (this.stretches.has(at) || this.failures >= MOST_FAILURES) continue;
      this.stretches.set(at, undefined);
      const start = at * STRETCH_SECONDS;
      get<Peaks>(`${this.path}/peaks?start=${start}&end=${start + STRETCH_SECONDS}`).then(
        (peaks) => {
          this.stretches.set(at, peaks);
          this.version.value++;
        },
        () => {
          this.stretches.delete(at);
          this.failures++;
          this.hasFailed.value = this.failures >= MOST_FAILURES;
        },
      );
    }
  }

  /** The loudest sample between two times, 0 to 1. */
  between(from: number, until: number): number {
    const stretch = this.stretches.get(Math.floor(from / STRETCH_SECONDS));
    if (!stretch) return 0;
    const { peaks, peaks_per_second: rate = 1, start = 0 } = stretch;
    const first = Math.floor((from - start) * rate);
    let most = 0;
    for (let at = first; at < Math.max(first + 1, (until - start) * rate); at++) most = Math.max(most, peaks[at] ?? 0);
    return most;
  }
}
