// Diarization error rate as commonly defined: missed speech, false alarms and speaker confusion as a
// share of all speech, overlapping speech included; by default with a collar of 0.25 s around every reference boundary.

export interface SpeakerSpan {
  start: number;
  end: number;
  speaker: string | number;
}

/** Seconds. */
export interface DiarizationErrors {
  missed: number;
  invented: number;
  confused: number;
  speech: number;
}

const COLLAR_SECONDS = 0.25;
const STEP_SECONDS = 0.01;

const steps = (seconds: number) => Math.round(seconds / STEP_SECONDS);

/** The speakers of each step. */
function timeline(spans: readonly SpeakerSpan[], length: number): Set<SpeakerSpan["speaker"]>[] {
  const line = Array.from({ length }, () => new Set<SpeakerSpan["speaker"]>());
  for (const { start, end, speaker } of spans) {
    for (let at = Math.max(0, steps(start)); at < Math.min(length, steps(end)); at++) line[at]?.add(speaker);
  }
  return line;
}

/** Assignment of rows to columns with the greatest sum, each used once; exact, for few rows. */
export function bestPairing(counts: number[][]): number {
  const columns = counts[0]?.length ?? 0;
  const known = new Map<string, number>();
  const best = (row: number, used: number): number => {
    if (row === counts.length) return 0;
    const key = `${row}:${used}`;
    const earlier = known.get(key);
    if (earlier !== undefined) return earlier;
    let most = best(row + 1, used);
    for (let column = 0; column < columns; column++) {
      if (used & (1 << column)) continue;
      most = Math.max(most, (counts[row]?.[column] ?? 0) + best(row + 1, used | (1 << column)));
    }
    known.set(key, most);
    return most;
  };
  return best(0, 0);
}

export function diarizationErrors(
  reference: readonly SpeakerSpan[],
  found: readonly SpeakerSpan[],
  seconds: number,
  collarSeconds = COLLAR_SECONDS,
): DiarizationErrors {
  const length = steps(seconds);
  const wanted = timeline(reference, length);
  const heard = timeline(found, length);
  const counted = new Uint8Array(length).fill(1);
  for (const boundary of reference.flatMap(({ start, end }) => [start, end])) {
    counted.fill(0, Math.max(0, steps(boundary - collarSeconds)), Math.max(0, steps(boundary + collarSeconds)));
  }
  const rows = [...new Set(reference.map(({ speaker }) => speaker))];
  const columns = [...new Set(found.map(({ speaker }) => speaker))];
  const together = rows.map(() => columns.map(() => 0));
  const errors: DiarizationErrors = { missed: 0, invented: 0, confused: 0, speech: 0 };
  let both = 0;
  for (let at = 0; at < length; at++) {
    if (!counted[at]) continue;
    const right = wanted[at] as Set<string | number>;
    const said = heard[at] as Set<string | number>;
    errors.speech += right.size;
    errors.missed += Math.max(0, right.size - said.size);
    errors.invented += Math.max(0, said.size - right.size);
    both += Math.min(right.size, said.size);
    for (const [row, speaker] of rows.entries()) {
      if (!right.has(speaker)) continue;
      for (const [column, other] of columns.entries()) {
        if (said.has(other)) (together[row] as number[])[column] = (together[row]?.[column] ?? 0) + 1;
      }
    }
  }
  errors.confused = both - bestPairing(together);
  for (const name of ["missed", "invented", "confused", "speech"] as const) errors[name] *= STEP_SECONDS;
  return errors;
}
