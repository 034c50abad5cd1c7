// pii_redaction: what names a person or belongs to one is taken out of the text and the words, for English. What is
// found is what named_entity_recognition finds; what it misses stays.
import { errors } from "../errors.ts";
import type { Utterance } from "../jobs/transcript.ts";
import { type Addon, AddonUnavailable } from "./addon.ts";
import { entitySpans } from "./entities.ts";
import { wordsAt } from "./spans.ts";

const NAMES = ["NAME", "NAME_GIVEN", "NAME_FAMILY", "NAME_MEDICAL_PROFESSIONAL"];
const PLACES = ["LOCATION", "LOCATION_CITY", "LOCATION_STATE", "LOCATION_COUNTRY", "LOCATION_ADDRESS", "LOCATION_ZIP"];
const CONTACTS = ["EMAIL_ADDRESS", "PHONE_NUMBER", "URL", "IP_ADDRESS", "USERNAME"];
const NUMBERS = ["SSN", "PASSPORT_NUMBER", "DRIVER_LICENSE", "ACCOUNT_NUMBER", "HEALTHCARE_NUMBER", "NUMERICAL_PII"];
const PAYMENT = ["BANK_ACCOUNT", "CREDIT_CARD", "CREDIT_CARD_EXPIRATION", "CVV", "ROUTING_NUMBER"];
const TIMES = ["DATE", "DATE_INTERVAL", "DOB", "AGE"];
const HEALTH = ["BLOOD_TYPE", "CONDITION", "DOSE", "DRUG", "INJURY", "MEDICAL_PROCESS", "STATISTICS"];
const SENSITIVE = [
  "GENDER",
  "LANGUAGE",
  "ORIGIN",
  "PHYSICAL_ATTRIBUTE",
  "POLITICAL_AFFILIATION",
  "RELIGION",
  "SEXUALITY",
];
const PERSONAL = [...NAMES, ...PLACES, ...CONTACTS, ...NUMBERS, ...PAYMENT, ...TIMES];

/** What each preset takes out. */
const PRESETS: Record<string, string[]> = {
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

/** What can be found at all. */
const FINDABLE = new Set([
  ...NAMES,
  ...CONTACTS.filter((type) => type !== "USERNAME"),
  "LOCATION",
  "LOCATION_CITY",
  "LOCATION_STATE",
  "LOCATION_COUNTRY",
  "SSN",
  "CREDIT_CARD",
  "DATE",
  "AGE",
  "TIME",
  "DURATION",
  "MONEY",
  "ORGANIZATION",
  "LANGUAGE",
  "ORIGIN",
  "OCCUPATION",
  "STATISTICS",
]);

/**
 * The types that a request wants out of the text; by default those of the GDPR.
 * @throws AddonUnavailable when a single type is asked for that nothing here finds: the text must not pass as redacted
 */
export function redactedTypes(entityTypes: string | string[] | undefined): Set<string> {
  const asked = entityTypes === undefined ? ["GDPR"] : [entityTypes].flat();
  const missing = asked.filter((type) => !(type in PRESETS) && !FINDABLE.has(type));
  if (missing.length > 0) throw new AddonUnavailable(`pii_redaction cannot find ${missing.join(", ")} here`);
  return new Set(asked.flatMap((type) => PRESETS[type] ?? [type]));
}

type Marker = (type: string, text: string) => string;

function numbered(): Marker {
  const numbers = new Map<string, Map<string, number>>();
  return (type, text) => {
    const known = numbers.get(type) ?? new Map<string, number>();
    numbers.set(type, known);
    const same = text.toLowerCase();
    if (!known.has(same)) known.set(same, known.size + 1);
    return `[${type}_${known.get(same)}]`;
  };
}

const masked: Marker = (_, text) => text.replace(/\S/g, "#");

/** Whole words go: what stands beside an entity in the same word goes with it, but for marks at its edges. */
function redacted(utterance: Utterance, types: Set<string>, marker: Marker): Utterance {
  const replaced = new Map(utterance.words.map((word) => [word, word]));
  for (const { type, from, to } of entitySpans(utterance.text)) {
    if (!types.has(type)) continue;
    const [first, ...others] = wordsAt(utterance, from, to);
    if (!first) continue;
    const last = others.at(-1) ?? first;
    const space = /^\s*/.exec(first.word)?.[0] ?? "";
    const mark = /[.,!?;:]*$/.exec(last.word)?.[0] ?? "";
    const text = `${space}${marker(type, utterance.text.slice(from, to))}${mark}`;
    replaced.set(first, { ...first, word: text, end: last.end });
    for (const other of others) replaced.delete(other);
  }
  const words = [...replaced.values()];
  return { ...utterance, words, text: words.map(({ word }) => word).join("") };
}

export const redactionAddon: Addon = {
  name: "pii_redaction",
  changesTranscript: true,
  async run({ transcription, params }) {
    const config = (params["pii_redaction_config"] ?? {}) as {
      entity_types?: string | string[];
      processed_text_type?: string;
    };
    const foreign = [...new Set(transcription.utterances.map(({ language }) => language))].filter(
      (one) => one !== "en",
    );
    // Text in which nothing can be found must not pass as redacted.
    if (foreign.length > 0) {
      throw new AddonUnavailable(`pii_redaction works in English here, and some of this is ${foreign.join(", ")}`);
    }
    const types = redactedTypes(config.entity_types);
    const marker = config.processed_text_type === "MASK" ? masked : numbered();
    transcription.utterances = transcription.utterances.map((utterance) => redacted(utterance, types, marker));
  },
  // A transcript that was to be redacted is not handed out as it is: the job fails instead.
  place(_, __, answer) {
    if (!answer.success) throw errors.redactionUnavailable(answer.error?.message ?? "pii_redaction failed");
  },
};
