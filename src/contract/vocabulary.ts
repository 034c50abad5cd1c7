// The vocabulary of an account, which its requests use without naming it, and vocabulary lists, which they name.
import type { Static } from "typebox";
import * as Type from "typebox";
import { MOST_LISTS, MOST_NAME_CHARACTERS, MOST_VARIANTS } from "./bounds.ts";
import { DateTime, Name, Nullable, Phrase, Version } from "./fields.ts";
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

export const LISTS_OF_PAGE = 50;

/** A word of a list as it is stored. */
const ListedWordBody = Type.Object(
  {
    value: Type.String(),
    pronunciations: Type.Optional(Type.Array(Type.String())),
    language: Type.Optional(Type.String()),
    intensity: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  },
  { title: "ListedWord" },
);
export type ListedWord = Static<typeof ListedWordBody>;

const ListName = () => Phrase({ minLength: 1, description: "No other list of the account has it" });
const ListWords = () =>
  Type.Array(Type.Union([Phrase({ minLength: 1 }), NewVocabularyWord]), {
    maxItems: MOST_ACCOUNT_WORDS,
    "x-most-forms": MOST_ACCOUNT_FORMS,
    description: "Words, or objects with a value and what belongs to it",
  });

export const NewVocabularyList = Type.Object({ name: ListName(), words: ListWords() }, { title: "NewVocabularyList" });
export type NewVocabularyList = Static<typeof NewVocabularyList>;

export const VocabularyListChange = Type.Object(
  {
    name: Type.Optional(ListName()),
    words: Type.Optional({ ...ListWords(), description: "In place of all its words" }),
    version: Type.Optional(Version("Of the list that was changed; if it is not the current one, answered 409")),
  },
  { title: "VocabularyListChange" },
);
export type VocabularyListChange = Static<typeof VocabularyListChange>;

const ofList = {
  id: Type.String({ format: "uuid" }),
  name: Type.String(),
  created_at: DateTime(),
  changed_at: DateTime(),
  version: Version("Every change increases it by one"),
  made_by: Type.String({ description: "Name of the key" }),
  word_count: Type.Integer({ minimum: 0 }),
};

const VocabularyListItem = Type.Object(ofList, { title: "VocabularyListItem" });
export type VocabularyListItem = Static<typeof VocabularyListItem>;

export const VocabularyListBody = Type.Object(
  { ...ofList, words: Type.Array(ListedWordBody) },
  { title: "VocabularyList" },
);
export type VocabularyListBody = Static<typeof VocabularyListBody>;

export const VocabularyListsPage = Type.Object(
  {
    items: Type.Array(VocabularyListItem, { description: "Without their words, the oldest first" }),
    next: Nullable(Type.String({ description: "cursor of the next page" })),
  },
  { title: "VocabularyLists" },
);
export type VocabularyListsPage = Static<typeof VocabularyListsPage>;

export const VocabularyListsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_LISTS, default: LISTS_OF_PAGE })),
  cursor: Type.Optional(
    Type.String({ maxLength: MOST_NAME_CHARACTERS, description: "next of the page before; absent: the first page" }),
  ),
});

export const VocabularyListParams = Type.Object({ list_id: Name() });
