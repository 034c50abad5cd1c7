// Questions about a transcript: the request, and the server-sent events of the answer.
import type { Static } from "typebox";
import * as Type from "typebox";

const MOST_QUESTION_CHARACTERS = 2_000;

export const FetchModel = () =>
  Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "Whether the service may download the language model that the answer needs. If it is not installed and this is false, the answer is 409 with the size of the download",
    }),
  );

export const QuestionBody = Type.Object(
  {
    question: Type.String({ minLength: 1, maxLength: MOST_QUESTION_CHARACTERS, pattern: "\\S" }),
    fetch_model: FetchModel(),
  },
  { title: "Question" },
);

const Citation = Type.Object({
  index: Type.Integer({ minimum: 0, description: "Of the utterance, from 0; its marker in the text is [index]" }),
  start: Type.Number({ description: "Seconds" }),
  end: Type.Number({ description: "Seconds" }),
  channel: Type.Integer({ minimum: 0 }),
  speaker: Type.Optional(Type.Integer({ minimum: 0 })),
  text: Type.String(),
  verified: Type.Boolean({
    description: "Whether the statement has a word of the utterance; never in an answer in another language",
  }),
});
export type Citation = Static<typeof Citation>;

const CitedAnswer = Type.Object({
  answer: Type.String(),
  citations: Type.Array(Citation),
  unverified: Type.Array(Type.String(), {
    description: "Names, numbers and quotes in the answer that the transcript does not contain",
  }),
});
export type CitedAnswer = Static<typeof CitedAnswer>;

/** Events by their names. */
export const QUESTION_EVENTS = {
  progress: Type.Object({
    type: Type.Literal("progress"),
    done: Type.Integer({ minimum: 0, description: "Parts of a long transcript that were read" }),
    parts: Type.Integer({ minimum: 1 }),
  }),
  citation: Type.Object({ type: Type.Literal("citation"), citation: Citation }),
  text: Type.Object({ type: Type.Literal("text"), text: Type.String() }),
  done: Type.Object({ type: Type.Literal("done"), ...CitedAnswer.properties }),
  error: Type.Object({
    type: Type.Literal("error"),
    code: Type.String(),
    status: Type.Integer(),
    message: Type.String(),
  }),
};

type Sent = typeof QUESTION_EVENTS;
/** Every event of a stream; the last one is done or error. */
export type AnswerEvent = { [Name in keyof Sent]: Static<Sent[Name]> }[keyof Sent];
/** Events while the answer is written. */
export type QuestionEvent = Exclude<AnswerEvent, { type: "done" | "error" }>;
