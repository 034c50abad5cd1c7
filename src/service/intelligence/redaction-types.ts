// Types and presets of pii_redaction, and the languages in which rules find each type.
import { NUMERAL_LANGUAGES } from "../../speech/text/numerals/numerals.ts";
import { similarNames } from "../../speech/text/similar.ts";
import { ENTITY_TYPES } from "./entity-types.ts";

const NAMES = ["NAME", "NAME_GIVEN", "NAME_FAMILY", "NAME_MEDICAL_PROFESSIONAL"];
const PLACES = ["LOCATION", "LOCATION_CITY", "LOCATION_STATE", "LOCATION_COUNTRY", "LOCATION_ADDRESS", "LOCATION_ZIP"];
const CONTACTS = ["EMAIL_ADDRESS", "PHONE_NUMBER", "URL", "IP_ADDRESS", "USERNAME"];
const NUMBERS = ["SSN", "PASSPORT_NUMBER", "DRIVER_LICENSE", "ACCOUNT_NUMBER", "HEALTHCARE_NUMBER", "NUMERICAL_PII"];
const PAYMENT = ["BANK_ACCOUNT", "CREDIT_CARD", "CREDIT_CARD_EXPIRATION", "CVV", "ROUTING_NUMBER"];
const TIMES = ["DATE", "DATE_INTERVAL", "DOB", "AGE"];
const HEALTH = ["BLOOD_TYPE", "CONDITION", "DOSE", "DRUG", "INJURY", "MEDICAL_PROCESS", "STATISTICS"];
const SENSITIVE = ["GENDER_SEXUALITY", "LANGUAGE", "ORIGIN", "PHYSICAL_ATTRIBUTE", "POLITICAL_AFFILIATION", "RELIGION"];
const PERSONAL = [...NAMES, ...PLACES, ...CONTACTS, ...NUMBERS, ...PAYMENT, ...TIMES];

/** Types of each preset. */
const PRESETS: Readonly<Record<string, readonly string[]>> = {
  PCI: PAYMENT,
  NUMERICAL_EXCL_PCI: [...NUMBERS, "PHONE_NUMBER", "IP_ADDRESS", "AGE", "DATE"],
  HEALTH_INFORMATION: HEALTH,
  GDPR_SENSITIVE: SENSITIVE,
  APPI_SENSITIVE: [...SENSITIVE, ...HEALTH],
  CORE_ENTITIES: [...NAMES, ...PLACES, ...CONTACTS, ...TIMES, "ORGANIZATION", "MONEY"],
  HIPAA_SAFE_HARBOR: [...PERSONAL, ...HEALTH, "VEHICLE_ID"],
  GDPR: PERSONAL,
  APPI: PERSONAL,
  CPRA: [...PERSONAL, "OCCUPATION"],
  CCI: [...PERSONAL, "ORGANIZATION", "MONEY"],
  LIDI: PERSONAL,
  QUEBEC_PRIVACY_ACT: PERSONAL,
};
const DEFAULT_PRESET = "GDPR";

/** Found by form, checksum or the words around them, in each language that numbers are written in digits for. */
const FOUND_BY_FORM = new Set([
  "EMAIL_ADDRESS",
  "URL",
  "IP_ADDRESS",
  "PHONE_NUMBER",
  "SSN",
  "NUMERICAL_PII",
  "ACCOUNT_NUMBER",
  "LOCATION_ZIP",
  "DATE",
  "DOB",
  ...PAYMENT,
]);

/** Found by grammar, word lists and English words around them. */
const FOUND_IN_ENGLISH = new Set([
  ...FOUND_BY_FORM,
  ...NAMES,
  ...PLACES,
  ...CONTACTS,
  ...NUMBERS,
  ...TIMES,
  "TIME",
  "DURATION",
  "MONEY",
  "ORGANIZATION",
  "LANGUAGE",
  "ORIGIN",
  "OCCUPATION",
  "STATISTICS",
]);

const asked = (entityTypes: string | readonly string[] | undefined) => {
  const given = [entityTypes ?? []].flat();
  return given.length === 0 ? [DEFAULT_PRESET] : given;
};

/** @returns types of entities; a preset is replaced by its types */
export const redactedTypes = (entityTypes: string | readonly string[] | undefined): Set<string> =>
  new Set(asked(entityTypes).flatMap((type) => PRESETS[type] ?? [type]));

/** Those of the types that no rule finds in a language. */
export function unfindableTypes(types: Iterable<string>, language: string): string[] {
  const isWritten = (NUMERAL_LANGUAGES as readonly string[]).includes(language);
  const findable = language === "en" ? FOUND_IN_ENGLISH : isWritten ? FOUND_BY_FORM : new Set<string>();
  return [...types].filter((type) => !findable.has(type));
}

/** Types of a request that only a language model finds, in English or in one of the languages. */
export function typesForModel(
  entityTypes: string | readonly string[] | undefined,
  languages: readonly string[] = [],
): string[] {
  const types = redactedTypes(entityTypes);
  return [...new Set(["en", ...languages].flatMap((language) => unfindableTypes(types, language)))];
}

/**
 * @param languages  codes that may be spoken; none for any
 * @param hasModel   whether a language model is available for types without rules
 * @returns a sentence for each thing that cannot be redacted, before a job is accepted
 */
export function redactionProblems(
  entityTypes: string | readonly string[] | undefined,
  languages: readonly string[] = [],
  hasModel = false,
): string[] {
  const field = "pii_redaction_config.entity_types";
  const known = [...Object.keys(PRESETS), ...ENTITY_TYPES];
  const problems: string[] = [];
  for (const type of asked(entityTypes)) {
    if (!known.includes(type)) {
      const [similar] = similarNames(type, known, 1);
      problems.push(
        `${field} has ${type}, which is not an entity type${similar === undefined ? "" : `; did you mean ${similar}?`}`,
      );
      continue;
    }
    if (hasModel) continue;
    const types = PRESETS[type] ?? [type];
    const english = unfindableTypes(types, "en");
    if (english.length > 0) {
      const part = PRESETS[type] ? `, of which it cannot find ${english.join(", ")}` : "";
      problems.push(
        `${field} has ${type}${part}: pii_redaction has no rules for this. List the types to redact, or add a language model`,
      );
      continue;
    }
    const foreign = languages.filter((language) => unfindableTypes(types, language).length > 0);
    if (foreign.length > 0) {
      const [language = ""] = foreign;
      problems.push(
        `${field} has ${type}, which pii_redaction cannot find in ${foreign.join(", ")}: ${unfindableTypes(types, language).join(", ")}`,
      );
    }
  }
  return problems;
}
