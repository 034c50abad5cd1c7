// Results of add-ons: of a job under the name of each add-on, and in messages of live sessions.
import { type Static, Type } from "@sinclair/typebox";
import { Nullable } from "./fields.ts";
import { WordBody } from "./job.ts";

const Seconds = Type.Number({ minimum: 0, description: "Seconds from the start of the recording or session" });

export const EntityBody = Type.Object({
  entity_type: Type.String(),
  text: Type.String(),
  start: Seconds,
  end: Seconds,
});
export type Entity = Static<typeof EntityBody>;

export const SentimentBody = Type.Object({
  sentiment: Type.String(),
  emotion: Type.String(),
  text: Type.String(),
  start: Seconds,
  end: Seconds,
  channel: Type.Integer({ minimum: 0 }),
  speaker: Type.Optional(Type.Integer({ minimum: 0 })),
});
/** Sentiment and emotion of one sentence. */
export type SentenceSentiment = Static<typeof SentimentBody>;

export const ChapterBody = Type.Object({
  headline: Type.String(),
  gist: Type.String(),
  summary: Type.String(),
  extractive_summary: Type.String(),
  abstractive_summary: Type.Optional(Type.String({ description: "Only from a language model" })),
  keywords: Type.Array(Type.String()),
  start: Seconds,
  end: Seconds,
  sentences: Type.Array(
    Type.Object({ sentence: Type.String(), start: Seconds, end: Seconds, words: Type.Array(WordBody) }),
  ),
  text: Type.String(),
});
export type Chapter = Static<typeof ChapterBody>;

/** Where an item is said. */
const place = {
  start: Seconds,
  end: Seconds,
  channel: Type.Integer({ minimum: 0 }),
  speaker: Type.Optional(Type.Integer({ minimum: 0 })),
};

const ActionItemBody = Type.Object({
  task: Type.String(),
  assignee: Nullable(Type.String()),
  due: Nullable(Type.String({ description: "In the words of the transcript" })),
  ...place,
});
/** A task that is said in the recording; null for what is not said. */
export type ActionItem = Static<typeof ActionItemBody>;

const SpokenQuestionBody = Type.Object({ question: Type.String(), answer: Nullable(Type.String()), ...place });
/** A question that is said in the recording; its answer is null if no later sentence gives one. */
export type SpokenQuestion = Static<typeof SpokenQuestionBody>;
