// Segments of the models that distinguish speakers: the words of one speaker in a final.
import { randomUUID } from "node:crypto";
import type { Utterance, Word } from "../../../../contract/transcript/transcript.ts";
import { speakerLetter } from "../../../transcripts/openai-answer.ts";

export interface Segment {
  id: string;
  start: number;
  end: number;
  text: string;
  speaker: string;
}

/** Of words that were recognised before the speakers of the session were known. */
const NO_SPEAKER = "unknown";

const labelOf = (speaker: number | undefined) => (speaker === undefined ? NO_SPEAKER : speakerLetter(speaker));

function segmentOf(words: readonly [Word, ...Word[]], speaker: number | undefined): Segment {
  const [{ start, end: firstEnd }] = words;
  const text = words.map(({ word }) => word).join("");
  const id = `seg_${randomUUID().replaceAll("-", "")}`;
  return { id, start, end: words.at(-1)?.end ?? firstEnd, text: text.trim(), speaker: labelOf(speaker) };
}

/** A word without a speaker belongs to the speaker of the word before it. */
export function segmentsOf({ words, speaker: ofMost }: Utterance): Segment[] {
  const segments: Segment[] = [];
  let run: [Word, ...Word[]] | undefined;
  let speaker = words.find((word) => word.speaker !== undefined)?.speaker ?? ofMost;
  for (const word of words) {
    const isSame = word.speaker === undefined || word.speaker === speaker;
    if (run && isSame) run.push(word);
    else {
      if (run) segments.push(segmentOf(run, speaker));
      run = [word];
      speaker = word.speaker ?? speaker;
    }
  }
  return run ? [...segments, segmentOf(run, speaker)] : segments;
}
