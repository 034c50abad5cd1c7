// Results of add-ons: of a job under the name of each add-on, and in messages of live sessions.
import type { Static } from "typebox";
import * as Type from "typebox";
import { Nullable } from "./fields.ts";
import { WordBody } from "./job.ts";

const Seconds = Type.Number({ minimum: 0, description: "Seconds from the start of the recording or session" });

/** Place of a sentence in the recording or session. */
const place = {
  start: Seconds,
  end: Seconds,
  channel: Type.Integer({ minimum: 0 }),
  speaker: Type.Optional(Type.Integer({ minimum: 0 })),
};

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
  ...place,
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

const ActionItemBody = Type.Object({
  task: Type.String(),
  assignee: Nullable(Type.String()),
  due: Nullable(Type.String({ description: "In the words of the transcript" })),
  ...place,
});
/** A task that a sentence of the recording states. `assignee` and `due` are null if the transcript does not state them. */
export type ActionItem = Static<typeof ActionItemBody>;

const SpokenQuestionBody = Type.Object({ question: Type.String(), answer: Nullable(Type.String()), ...place });
/** A question in the recording. Its answer is null if no later sentence contains it. */
export type SpokenQuestion = Static<typeof SpokenQuestionBody>;
