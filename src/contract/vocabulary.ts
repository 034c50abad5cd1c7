// The vocabulary of an account: words that its requests use without naming them.
import { type Static, Type } from "@sinclair/typebox";
import { MOST_VARIANTS } from "./bounds.ts";
import { DateTime, Name, Nullable, Phrase } from "./fields.ts";
import { SpokenLanguage } from "./language-fields.ts";

/** Of an account. */
export const MOST_ACCOUNT_WORDS = 1_000;
/** Words of an account and their pronunciations together: every recognised word is compared with all of them. */
export const MOST_ACCOUNT_FORMS = 3_000;

const parts = {
  value: Phrase({ minLength: 1, description: "As it is written" }),
  pronunciations: Type.Optional(
    Type.Array(Phrase({ minLength: 1 }), {
      maxItems: MOST_VARIANTS,
      description: "What the recogniser writes instead, or respellings of how it sounds",
    }),
  ),
  language: Type.Optional(SpokenLanguage({ description: "Absent: in every language" })),
  intensity: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: "0 has no effect, 1 is the strongest; absent: 0.5" }),
  ),
};

export const NewVocabularyWord = Type.Object(parts, { title: "NewVocabularyWord" });
export type NewVocabularyWord = Static<typeof NewVocabularyWord>;

export const VocabularyWordBody = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    created_at: DateTime(),
    made_by: Type.String({ description: "Name of the key" }),
    value: Type.String(),
    pronunciations: Type.Array(Type.String()),
    language: Nullable(Type.String()),
    intensity: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
  },
  { title: "VocabularyWord" },
);
export type VocabularyWord = Static<typeof VocabularyWordBody>;

const Enabled = () => Type.Boolean({ description: "Whether requests use it that do not have account_vocabulary" });

export const AccountVocabulary = Type.Object(
  { enabled: Enabled(), items: Type.Array(VocabularyWordBody, { description: "In the order of the alphabet" }) },
  { title: "AccountVocabulary" },
);
export type AccountVocabulary = Static<typeof AccountVocabulary>;

export const VocabularySettings = Type.Object({ enabled: Enabled() }, { title: "VocabularySettings" });
export type VocabularySettings = Static<typeof VocabularySettings>;

export const VocabularyWordParams = Type.Object({ word_id: Name() });
