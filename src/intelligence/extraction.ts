// structured_data_extraction: objects of the asked classes out of the transcript, by a language model.
import type { Addon } from "./addon.ts";
import { jsonOverTranscript, languageModelOf } from "./providers/language-model.ts";

/** Fields of each class; where none are listed, what the model finds fit. */
const FIELDS: Record<string, string[]> = {
  Addresses: ["street", "city", "state", "zipcode", "country"],
  Appointments: ["title", "date", "time", "location", "participants"],
  DateTimeEntities: ["text", "date", "time"],
  Events: ["event_name", "event_date", "event_location", "event_organizer"],
  Locations: ["city", "state", "zipcode", "country"],
  Moneys: ["amount", "currency", "purpose"],
  Organizations: ["organization_name", "organization_location", "organization_type"],
  Persons: ["name", "role", "organization"],
  Products: ["name", "description", "price"],
  Quantities: ["amount", "unit", "of"],
  Questions: ["question", "answer", "asker", "asked"],
};

/** HealthRecords → health_records */
const keyOf = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();

function schemaFor(classes: string[]): object {
  const item = (name: string) => {
    const fields = FIELDS[name];
    if (!fields) return { type: "object" };
    return {
      type: "object",
      properties: Object.fromEntries(fields.map((field) => [field, { type: ["string", "null"] }])),
    };
  };
  const properties = Object.fromEntries(classes.map((name) => [keyOf(name), { type: "array", items: item(name) }]));
  return { type: "object", properties, required: Object.keys(properties) };
}

type Extracted = Record<string, object[]>;

export const extractionAddon: Addon = {
  name: "structured_data_extraction",
  async run({ transcription, params, providers }) {
    const model = languageModelOf(providers, "structured_data_extraction");
    const { classes } = params["structured_data_extraction_config"] as { classes: string[] };
    const keys = classes.map(keyOf);
    const isRight = (value: unknown): value is Extracted =>
      typeof value === "object" && value !== null && keys.every((key) => Array.isArray((value as Extracted)[key]));
    const task = `Find every one of these in the transcript: ${classes.join(", ")}. An empty list where there is none.`;
    const parts = await jsonOverTranscript(task, transcription.full_transcript, model, schemaFor(classes), isRight);
    return Object.fromEntries(keys.map((key) => [key, parts.flatMap((part) => part[key] ?? [])]));
  },
};
