// Extends utterances to the turns that contain them: word times are tight, and where people talk at once, words of one of them are often
// not recognised. Pure.

interface Spoken {
  channel: number;
  speaker?: number;
  /** Seconds. */
  start: number;
  end: number;
}

/** Longest extension on either side, as long as the pause within an utterance. */
const MOST_SECONDS = 2;

function grouped<Item extends Spoken>(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = `${item.channel} ${item.speaker}`;
    const known = groups.get(key);
    if (known) known.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/**
 * @param utterances  in time order; modified
 * @param turns       with the numbers of the utterances' speakers, in order
 * @returns the utterances in order of their new starts; those of one speaker do not overlap
 */
export function extendToTurns<Utterance extends Spoken>(
  utterances: readonly Utterance[],
  turns: readonly Spoken[],
): Utterance[] {
  const turnsOf = grouped(turns);
  for (const [key, own] of grouped(utterances)) {
    const talked = turnsOf.get(key) ?? [];
    let from = 0;
    for (const [index, utterance] of own.entries()) {
      const { start, end } = utterance;
      while (from < talked.length && (talked[from] as Spoken).end < start) from++;
      let [earliest, latest] = [start, end];
      for (let at = from; at < talked.length && (talked[at] as Spoken).start <= end; at++) {
        const turn = talked[at] as Spoken;
        earliest = Math.min(earliest, turn.start);
        latest = Math.max(latest, turn.end);
      }
      utterance.start = Math.max(earliest, start - MOST_SECONDS, Math.min(start, own[index - 1]?.end ?? 0));
      utterance.end = Math.min(latest, end + MOST_SECONDS, Math.max(end, own[index + 1]?.start ?? latest));
    }
  }
  return [...utterances].sort((left, right) => left.start - right.start || left.channel - right.channel);
}
