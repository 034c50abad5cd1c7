// Messages between the service and the transcript process.

import type { Note } from "../../../contract/notes.ts";
import type { PrintedCorrection, TranscriptChange } from "../../../contract/transcript/correction.ts";
import type { SpeakerIdentity } from "../../../contract/transcript/transcript.ts";
import type { JobPart } from "../../../contract/voices.ts";
import type { SubtitlesConfig } from "../../../speech/subtitles/requested-limits.ts";
import type { Answer } from "../answer-parts.ts";
import type { TranscriptShape } from "../formats/format.ts";
import type { WrittenFormat } from "../formats/write.ts";
import type { AnswerRequest } from "../interface-answer.ts";
import type { NotedWords } from "../noted-words.ts";
import type { SpokenStretch } from "../spoken-stretches.ts";
import type { Phrase, PhrasePlace, PlaceTime } from "../teaching/phrase-places.ts";
import type { ReplacedPhrase } from "../teaching/replaced-phrases.ts";
import type { PageRequest, TranscriptPage } from "../transcript-pages.ts";

interface Source {
  /** File of the stored result. */
  result: string;
  corrections: readonly PrintedCorrection[];
}

/** What is written to a file, and how. */
export interface Paper extends TranscriptShape {
  format: WrittenFormat;
  title: string;
  createdAt: string;
  /** File that is written. */
  output: string;
  /** Of the request. */
  subtitlesConfig?: SubtitlesConfig;
  notes?: readonly Note[];
}

/** What a page of text is made from. */
export type PagePaper = Omit<Paper, "format" | "output"> & { page: PageRequest };

/** What lists and the search show of a corrected transcript. */
export interface SearchableTranscript {
  text: string;
  languages: string[];
  /** In order of their numbers. */
  speakers: { speaker: number; name: string | null }[];
  /** What people replaced in it. */
  replaced: ReplacedPhrase[];
}

export type TranscriptRequest =
  | ({ kind: "write"; names: readonly SpeakerIdentity[] } & Paper & Source)
  /** A page of the transcript as text. */
  | ({ kind: "page"; names: readonly SpeakerIdentity[] } & PagePaper & Source)
  /** Writes the result with the names of its speakers. */
  | { kind: "name"; result: string; names: readonly SpeakerIdentity[]; output: string }
  | ({ kind: "stretches"; part: JobPart } & Source)
  | ({ kind: "text" } & Source)
  /** Checks whether the result is readable. */
  | { kind: "read"; result: string }
  | ({ kind: "answer"; request: AnswerRequest } & Source)
  /** The places of a phrase behind one of them, or all. */
  | ({ kind: "places"; phrase: Phrase; after: PlaceTime | undefined; most: number } & Source)
  | ({ kind: "quote"; words: NotedWords } & Source)
  | ({ kind: "check"; change: TranscriptChange } & Source);

export type TranscriptResponse =
  | { kind: "written" }
  /** Longest first, without those of several speakers at once; the speaker of all of them, if they have one. */
  | { kind: "stretches"; stretches: SpokenStretch[]; speaker?: number }
  /** `problem`: why it is unreadable. */
  | { kind: "readable"; problem?: string }
  | ({ kind: "text" } & SearchableTranscript)
  | ({ kind: "page" } & TranscriptPage)
  | { kind: "answered"; answer: Answer }
  /** `rest`: number of places behind these. */
  | { kind: "places"; places: PhrasePlace[]; rest: number }
  /** Missing if there are no such words. */
  | { kind: "quote"; quote?: string }
  /** One sentence for each part that does not match the transcript. */
  | { kind: "checked"; problems: string[] };
