// Every model that can be added by its name, of all catalogues in one form.
import type { SpeechModel } from "../../contract/system.ts";
import { engineOf } from "../../speech/engines/registry.ts";
import { CATALOGUE } from "./catalogue.ts";
import { LANGUAGE_MODELS } from "./language-model-catalogue.ts";
import { PUBLISHED_DIRECTIONS, TRANSLATION_LICENCE } from "./translation-catalogue.ts";

type Purpose = SpeechModel["purpose"];

export interface OfferedModel {
  id: string;
  purpose: Purpose;
  /** How many. */
  languages: number;
  /** ISO 639; empty where only their number is known. */
  codes: readonly string[];
  licence: string;
  note: string;
  /** To fetch; undefined where only the registry states it. */
  downloadBytes?: number;
}

export const purposeOf = (engine: string): Purpose => engineOf({ engine }).purpose ?? "recognition";

export const OFFERED_MODELS: readonly OfferedModel[] = [
  ...CATALOGUE.map(({ id, engine, languages, licence, note, downloadBytes }) => {
    const codes = typeof languages === "number" ? [] : languages;
    const count = typeof languages === "number" ? languages : codes.length;
    return { id, purpose: purposeOf(engine), languages: count, codes, licence, note, downloadBytes };
  }),
  ...LANGUAGE_MODELS.map(({ id, languages, licence, note, downloadBytes }) => ({
    id,
    purpose: "language-model" as const,
    languages: languages.length,
    codes: languages,
    licence,
    note,
    downloadBytes,
  })),
  ...PUBLISHED_DIRECTIONS.map(({ id, source, target }) => ({
    id,
    purpose: "translation" as const,
    languages: 2,
    codes: [source, target],
    licence: TRANSLATION_LICENCE,
    note: "",
  })),
];

export const offeredModel = (id: string): OfferedModel | undefined => OFFERED_MODELS.find((one) => one.id === id);
