// Removes overlaps between neighbouring words: alignment assigns the frame between two words to both of them.

export interface TimedWord {
  startSeconds: number;
  endSeconds: number;
}

/**
 * Words of one channel without overlaps: a word ends at the latest where the next one begins. Words with the same start
 * share their time evenly.
 * @param words          in the order of the text; a word that begins before its predecessor is moved to the
 *   predecessor's start
 * @param latestSeconds  end of the audio; no word begins or ends after it
 * @returns copies; starts and ends never decrease
 */
export function separatedWords<Word extends TimedWord>(
  words: readonly Word[],
  latestSeconds = Number.POSITIVE_INFINITY,
): Word[] {
  let earliest = 0;
  const separated = words.map((word) => {
    const startSeconds = Math.max(earliest, Math.min(word.startSeconds, latestSeconds));
    earliest = startSeconds;
    return { ...word, startSeconds, endSeconds: Math.max(startSeconds, Math.min(word.endSeconds, latestSeconds)) };
  });
  for (let from = 0; from < separated.length; ) {
    const { startSeconds } = separated[from] as Word;
    let to = from + 1;
    while (to < separated.length && (separated[to] as Word).startSeconds <= startSeconds) to++;
    const together = separated.slice(from, to);
    const nextStart = separated[to]?.startSeconds ?? Number.POSITIVE_INFINITY;
    const end = Math.min(nextStart, Math.max(...together.map(({ endSeconds }) => endSeconds)));
    let begin = startSeconds;
    for (const [index, word] of together.entries()) {
      word.startSeconds = begin;
      // The last word ends exactly at `end`, which rounding could exceed.
      begin = index + 1 < together.length ? begin + (end - begin) / (together.length - index) : end;
      word.endSeconds = begin;
    }
    from = to;
  }
  return separated;
}
