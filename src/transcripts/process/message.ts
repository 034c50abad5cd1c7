// Between the service and the process that writes transcripts.
import type { Answer, AnswerRequest } from "../../openai/answer.ts";
import type { Correction, TranscriptChange } from "../corrections.ts";
import type { Format } from "../formats/format.ts";

interface Source {
  /** File of the stored result. */
  result: string;
  corrections: readonly Correction[];
}

export type ClerkRequest =
  | ({ kind: "write"; format: Format; title: string; createdAt: string; output: string } & Source)
  | ({ kind: "text" } & Source)
  | { kind: "answer"; result: string; request: AnswerRequest }
  | { kind: "check"; result: string; change: TranscriptChange };

export type ClerkResponse =
  | { kind: "written" }
  | { kind: "text"; text: string }
  | { kind: "answered"; answer: Answer }
  /** A sentence for each thing that the transcript does not have. */
  | { kind: "checked"; problems: string[] };
