// Stretches of a finished transcript whose audio is recognised again: further texts, and the words of another model or language.
import type { Static } from "typebox";
import * as Type from "typebox";
import { Name } from "./fields.ts";
import { SpokenLanguage } from "./language-fields.ts";

/** Longest stretch with alternatives, seconds: a phrase. */
export const MOST_STRETCH_SECONDS = 10;
/** Longest stretch that is recognised again, seconds: a long paragraph. */
export const MOST_RECOGNIZED_SECONDS = 120;
export const MOST_ALTERNATIVES = 3;
const MOST_TEXT_CHARACTERS = 1_000;
const MOST_CHANNEL = 7;
/** Later than the end of any recording. */
const LATEST_SECONDS = 1e7;

const range = {
  start: Type.Number({ minimum: 0, maximum: LATEST_SECONDS, description: "Seconds" }),
  end: Type.Number({ minimum: 0, maximum: LATEST_SECONDS, description: "Seconds" }),
  channel: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MOST_CHANNEL, default: 0, description: "As in the utterance" }),
  ),
  language: Type.Optional(SpokenLanguage({ description: "As in the utterance; that of the job if left out" })),
  model: Type.Optional(Name({ description: "An installed model; that of the job, or of the language, if left out" })),
};

export const AlternativesBody = Type.Object(
  {
    ...range,
    text: Type.Optional(
      Type.String({
        maxLength: MOST_TEXT_CHARACTERS,
        description: "The words as they stand: they are not among the alternatives, and their probability is given",
      }),
    ),
  },
  { title: "AlternativesRequest" },
);
export type AlternativesBody = Static<typeof AlternativesBody>;

const Probability = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

export const StretchAlternatives = Type.Object(
  {
    model: Type.String({ description: "The model that was used" }),
    language: Type.String({ description: "ISO 639 code" }),
    probability: Type.Optional(Probability("Of the given text, if the model finds it, too")),
    alternatives: Type.Array(
      Type.Object({
        text: Type.String({ description: "Empty if nothing may have been said" }),
        probability: Probability("Share of this text among all that the model finds for the stretch"),
      }),
      { maxItems: MOST_ALTERNATIVES, description: "The likeliest first" },
    ),
    further_alternatives: Type.Optional(Type.Integer({ minimum: 1, description: "Number of less likely ones" })),
  },
  { title: "Alternatives" },
);
export type StretchAlternatives = Static<typeof StretchAlternatives>;

export const RecognitionBody = Type.Object(range, { title: "RecognitionRequest" });
export type RecognitionBody = Static<typeof RecognitionBody>;

export const StretchWords = Type.Object(
  {
    model: Type.String({ description: "The model that was used" }),
    language: Type.Optional(
      Type.String({ description: "ISO 639 code; absent if it is unknown and no word was found" }),
    ),
    text: Type.String(),
    words: Type.Array(
      Type.Object({
        word: Type.String({ description: "With the space before it" }),
        start: Type.Number({ description: "Seconds in the recording" }),
        end: Type.Number(),
        confidence: Type.Number({ minimum: 0, maximum: 1 }),
      }),
    ),
  },
  { title: "StretchWords" },
);
export type StretchWords = Static<typeof StretchWords>;
