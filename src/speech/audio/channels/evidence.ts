// Decides when two channels count as different: several windows close together in which one channel has sound that the
// other does not explain. Pure.
import type { WindowMatch } from "./relation.ts";
import { WINDOW_SECONDS } from "./windows.ts";

/** Evidence of a window for two sources: none (0), weak (1), strong (2). */
export type Suspicion = 0 | 1 | 2;

/**
 * Thresholds above the effect of lossy codecs (-7 dB) and fitting errors; chosen on half of the variants of
 * bench/channels.ts, like the next two.
 */
const UNEXPLAINED = 0.2;
const DOUBTFUL_AGREEMENT = 0.62;
const CLEAR_AGREEMENT = 0.55;

export function suspicionOf({ unexplained, agreement }: WindowMatch): Suspicion {
  if (unexplained < UNEXPLAINED) return 0;
  const levels = agreement();
  if (levels > DOUBTFUL_AGREEMENT) return 0;
  return levels < CLEAR_AGREEMENT ? 2 : 1;
}

/** Length of the span over which evidence is counted: 10 s. */
export const SPAN_WINDOWS = Math.round(10 / WINDOW_SECONDS);
/** Half a second, the length of a "yes". Reverberation and codecs only affect single windows. */
const CLEAR_WINDOWS = 2;
const DOUBTFUL_WINDOWS = 10;

/** Evidence of the last 10 s. Windows must be added in time order. */
export class Evidence {
  private readonly recent: { window: number; suspicion: Suspicion }[] = [];

  /** @returns whether the channels differ, by the evidence so far */
  add(window: number, suspicion: Suspicion): boolean {
    if (suspicion === 0) return false;
    const { recent } = this;
    recent.push({ window, suspicion });
    while ((recent[0]?.window ?? window) <= window - SPAN_WINDOWS) recent.shift();
    return recent.length >= DOUBTFUL_WINDOWS || recent.filter((one) => one.suspicion === 2).length >= CLEAR_WINDOWS;
  }

  /** First window of the decisive evidence. */
  get firstWindow(): number | undefined {
    return this.recent[0]?.window;
  }
}

/** @param suspicions  one per window; @returns those that could contribute to a decision, others set to 0 */
export function decisive(suspicions: readonly Suspicion[]): Suspicion[] {
  const kept: Suspicion[] = suspicions.map(() => 0);
  const evidence = new Evidence();
  for (const [window, suspicion] of suspicions.entries()) {
    if (!evidence.add(window, suspicion)) continue;
    for (let at = evidence.firstWindow ?? window; at <= window; at++) kept[at] = suspicions[at] as Suspicion;
  }
  return kept;
}
