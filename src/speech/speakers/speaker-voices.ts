// The voice of each speaker of a recording: the mean of the pieces in which this speaker is alone. Pure.
import { lowestPlace } from "../../contract/lowest-place.ts";
import { meanVoice, type SpeakerVoice } from "./known-voices.ts";
import { printsOf, type SpeakerLine } from "./recorded-speakers.ts";
import { frameSeconds } from "./speaker-networks.ts";

/** A stretch of a speaker, in seconds of the recording. */
interface Stretch {
  channel: number;
  speaker: number;
  start: number;
  end: number;
}

/** A piece belongs to a speaker who talks in more than this share of it. */
const OWN_SHARE = 0.5;

/**
 * @param turns  with the numbers of the transcript; those of several speakers may overlap
 * @param recordingTime  time in the recording of a time in the stored samples, seconds
 * @returns in order of the numbers; speakers without a piece are missing
 */
export function speakerVoices(
  lines: readonly SpeakerLine[],
  turns: readonly Stretch[],
  recordingTime: (storedSeconds: number) => number,
): SpeakerVoice[] {
  const found = new Map<number, { prints: Float32Array[]; seconds: number[] }>();
  const inOrder = [...turns].sort((left, right) => left.start - right.start);
  const longest = inOrder.reduce((most, { start, end }) => Math.max(most, end - start), 0);
  for (const { channel, piece, print } of printsOf(lines)) {
    const [start, end] = [recordingTime(frameSeconds(piece.start)), recordingTime(frameSeconds(piece.end))];
    const shares = new Map<number, number>();
    for (let at = firstFrom(inOrder, start - longest); at < inOrder.length; at++) {
      const turn = inOrder[at] as Stretch;
      if (turn.start >= end) break;
      const shared = Math.min(end, turn.end) - Math.max(start, turn.start);
      if (turn.channel === channel && shared > 0) shares.set(turn.speaker, (shares.get(turn.speaker) ?? 0) + shared);
    }
    const [best] = [...shares].sort((left, right) => right[1] - left[1]);
    if (!best || best[1] <= OWN_SHARE * (end - start)) continue;
    const own = found.get(best[0]) ?? { prints: [], seconds: [] };
    own.prints.push(print);
    own.seconds.push(end - start);
    found.set(best[0], own);
  }
  return [...found]
    .sort(([left], [right]) => left - right)
    .map(([speaker, { prints, seconds }]) => ({
      speaker,
      print: [...meanVoice(prints, seconds)],
      seconds: seconds.reduce((sum, one) => sum + one, 0),
    }));
}

/** Index of the first turn that starts at `time` or later. */
function firstFrom(turns: readonly Stretch[], time: number): number {
  return lowestPlace(turns.length, (place) => (turns[place] as Stretch).start >= time);
}
