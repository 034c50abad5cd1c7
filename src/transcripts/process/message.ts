// Messages between the service and the transcript process.

import type { Correction, TranscriptChange } from "../../transcript/correction.ts";
import type { Format } from "../formats/format.ts";
import type { Answer, AnswerRequest } from "../openai-answer.ts";

interface Source {
  /** File of the stored result. */
  result: string;
  corrections: readonly Correction[];
}

/** What is written to a file, and how. */
export interface Paper {
  format: Format;
  title: string;
  createdAt: string;
  /** File that is written. */
  output: string;
  maximumCharactersPerRow?: number;
}

export type TranscriptRequest =
  | ({ kind: "write" } & Paper & Source)
  | ({ kind: "text" } & Source)
  /** Checks whether the result is readable. */
  | { kind: "read"; result: string }
  | { kind: "answer"; result: string; request: AnswerRequest }
  | ({ kind: "check"; change: TranscriptChange } & Source);

export type TranscriptResponse =
  | { kind: "written" }
  /** `problem`: why it is unreadable. */
  | { kind: "readable"; problem?: string }
  | { kind: "text"; text: string }
  | { kind: "answered"; answer: Answer }
  /** One sentence for each part that does not match the transcript. */
  | { kind: "checked"; problems: string[] };
