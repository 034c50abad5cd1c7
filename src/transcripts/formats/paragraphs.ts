// Utterances as people read them: one paragraph for what one speaker says without a long pause.
import type { Utterance } from "../../jobs/transcript.ts";
import { type CorrectedTranscription, speakerName } from "../corrections.ts";

export interface Paragraph {
  /** Seconds. */
  start: number;
  /** Missing where speakers are not told apart. */
  speaker?: string;
  text: string;
}

const LONG_PAUSE_SECONDS = 2;
const LONGEST_SECONDS = 60;

export function paragraphsOf({ utterances, speaker_names }: CorrectedTranscription): Paragraph[] {
  const paragraphs: (Paragraph & { last: Utterance })[] = [];
  for (const utterance of utterances) {
    const text = utterance.text.trim();
    if (text === "") continue;
    const current = paragraphs.at(-1);
    const goesOn =
      current &&
      current.last.speaker === utterance.speaker &&
      current.last.channel === utterance.channel &&
      utterance.start - current.last.end < LONG_PAUSE_SECONDS &&
      utterance.end - current.start < LONGEST_SECONDS;
    if (goesOn) {
      current.text += ` ${text}`;
      current.last = utterance;
      continue;
    }
    const { speaker } = utterance;
    paragraphs.push({
      start: utterance.start,
      text,
      last: utterance,
      ...(speaker === undefined ? {} : { speaker: speakerName(speaker, speaker_names) }),
    });
  }
  return paragraphs.map(({ last: _, ...paragraph }) => paragraph);
}

/** 1:02:03, or 02:03 below an hour. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return `${hours > 0 ? `${hours}:` : ""}${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}
