// What a correction changed, as lines "before → after", in the language of the interface.
import { firstOf } from "../../../src/contract/first-of.ts";
import type { Correction } from "../../../src/contract/transcript/correction.ts";
import type { Transcription } from "../../../src/contract/transcript/transcript.ts";
import { type CorrectedTranscription, corrected } from "../../../src/service/transcripts/corrections.ts";
import { t } from "../language/language.ts";
import { exactClock } from "../time.ts";
import { shownSpeaker } from "./speakers.ts";

export interface ChangeLine {
  what: string;
  before?: string;
  after?: string;
  /** Seconds: where it is in the recording. */
  start?: number;
}

/** Words beside a change that are shown with it. */
const CONTEXT_WORDS = 2;
/** Lines of one correction. */
const MOST_LINES = 8;
const BEGINNING_WORDS = 4;

/** The parts of two texts that differ, with a few words before and after. */
export function differenceOf(before: string, after: string): { before: string; after: string } {
  const [old, now] = [before, after].map((text) => text.split(/\s+/u).filter((word) => word !== "")) as [
    string[],
    string[],
  ];
  const most = Math.min(old.length, now.length);
  let front = 0;
  while (front < most && old[front] === now[front]) front++;
  let back = 0;
  while (back < most - front && old.at(-1 - back) === now.at(-1 - back)) back++;
  const [from, rest] = [Math.max(0, front - CONTEXT_WORDS), Math.max(0, back - CONTEXT_WORDS)];
  const part = (words: string[]) =>
    `${from > 0 ? "… " : ""}${words.slice(from, words.length - rest).join(" ")}${rest > 0 ? " …" : ""}`;
  return { before: part(old), after: part(now) };
}

const partsOf = ({ utterances, source_utterances }: CorrectedTranscription, index: number) =>
  utterances.filter((_, at) => source_utterances[at] === index);

const textOf = (reading: CorrectedTranscription, index: number) =>
  partsOf(reading, index)
    .map(({ text }) => text.trim())
    .join(" ");

function partAt(reading: CorrectedTranscription, index: number, time: number | undefined) {
  const parts = partsOf(reading, index);
  return parts.findLast(({ start }) => time === undefined || start <= time) ?? parts[0];
}

function wordsIn(reading: CorrectedTranscription, index: number, start = 0, end = Number.POSITIVE_INFINITY): string {
  const words = partsOf(reading, index).flatMap((part) => part.words);
  const chosen = words.filter((word) => {
    const middle = (word.start + word.end) / 2;
    return middle >= start && middle <= end;
  });
  return chosen
    .map(({ word }) => word.trim())
    .slice(0, BEGINNING_WORDS)
    .join(" ");
}

const nameIn = ({ speaker_names }: CorrectedTranscription, speaker: number | undefined) =>
  speaker === undefined ? t.names.noSpeaker : shownSpeaker(speaker, speaker_names);

type Readings = [before: CorrectedTranscription, after: CorrectedTranscription];

function utteranceLines({ utterances = [] }: Correction, [before, after]: Readings): ChangeLine[] {
  return utterances.flatMap(({ index, start, end, text, speaker, checked }): ChangeLine[] => {
    const place = start ?? partAt(before, index, undefined)?.start;
    const own = place === undefined ? {} : { start: place };
    const lines: ChangeLine[] = [];
    if (text !== undefined)
      lines.push({ what: t.corrections.text, ...differenceOf(textOf(before, index), textOf(after, index)), ...own });
    if (speaker !== undefined) {
      const former = nameIn(before, partAt(before, index, start)?.speaker);
      lines.push({ what: t.corrections.speaker, before: former, after: nameIn(after, speaker), ...own });
    }
    if (checked) lines.push({ what: t.corrections.checked, after: wordsIn(before, index, start, end), ...own });
    return lines;
  });
}

function paragraphLines({ joins = [], breaks = [] }: Correction, [before]: Readings): ChangeLine[] {
  const joined = [
    ...joins.map(({ index }) => ({ index, start: undefined })),
    ...breaks.filter(({ removed }) => removed),
  ];
  return [
    ...breaks
      .filter(({ removed }) => !removed)
      .map(({ index, start }) => ({
        what: t.corrections.newParagraph,
        after: `${wordsIn(before, index, start)} …`,
        start,
      })),
    ...joined.map(({ index, start }): ChangeLine => {
      const place = start ?? partAt(before, index, undefined)?.start;
      return {
        what: t.corrections.joined,
        after: `${wordsIn(before, index, start)} …`,
        ...(place === undefined ? {} : { start: place }),
      };
    }),
  ];
}

const cueTime = (seconds: number | undefined) => (seconds === undefined ? "" : exactClock(seconds));

function cueLines({ cues = [] }: Correction, [, after]: Readings): ChangeLine[] {
  return cues.map(({ channel, words_start, words_end, start, end, automatic }) => {
    const words = after.utterances
      .filter(
        (utterance) => utterance.channel === channel && utterance.start <= words_end && utterance.end >= words_start,
      )
      .flatMap((utterance) => utterance.words)
      .filter((word) => (word.start + word.end) / 2 >= words_start && (word.start + word.end) / 2 <= words_end);
    const { first, rest } = firstOf(words, BEGINNING_WORDS);
    const text = `${first.map(({ word }) => word.trim()).join(" ")}${rest > 0 ? " …" : ""}`;
    const times = automatic ? t.corrections.automatic : t.corrections.times(cueTime(start), cueTime(end));
    return { what: t.corrections.subtitle, after: `${text} (${times})`, start: start ?? words_start };
  });
}

function speakerLines(
  { merges = [], splits = [], speakers = [] }: Correction,
  [before, after]: Readings,
): ChangeLine[] {
  return [
    ...merges.map(({ speaker, into }) => ({
      what: t.corrections.samePerson,
      before: nameIn(before, speaker),
      after: nameIn(before, into),
    })),
    ...splits.map(({ speaker, start, into }) => ({
      what: t.corrections.otherPerson,
      before: nameIn(before, speaker),
      after: nameIn(after, into),
      start,
    })),
    ...speakers.map(({ speaker, name }) => ({
      what: t.corrections.name,
      before: nameIn(before, speaker),
      after: name || shownSpeaker(speaker, {}),
    })),
  ];
}

/**
 * @param corrections  all, in the order in which they were made
 * @returns for each of the last ones, the last one first
 */
export function changeLines(
  transcription: Transcription,
  corrections: readonly Correction[],
  count: number,
): { correction: Correction; lines: ChangeLine[]; more: number }[] {
  const first = Math.max(0, corrections.length - count);
  let before = corrected(transcription, corrections.slice(0, first));
  const shown = corrections.slice(first).map((correction, at) => {
    const earlier = corrections.slice(0, first + at);
    // An undone one is shown as it was.
    const after = corrected(transcription, [...earlier, { ...correction, undone_at: null }]);
    const readings: Readings = [before, after];
    const lines = [
      ...utteranceLines(correction, readings),
      ...paragraphLines(correction, readings),
      ...cueLines(correction, readings),
      ...speakerLines(correction, readings),
    ];
    if (correction.undone_at === null) before = after;
    const { first: shownLines, rest } = firstOf(lines, MOST_LINES);
    return { correction, lines: shownLines, more: rest };
  });
  return shown.reverse();
}
