// The options of recordings: those that most people need, and the others in groups.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formats, t } from "../language/language.ts";
import { loadModels, models } from "../models.ts";
import { neededModels } from "../needed-models.ts";
import { bodySchema, documentHint } from "../openapi.ts";
import { SchemaForm, type Values } from "../parts/schema-form.tsx";
import { Snippets } from "../parts/snippets.tsx";
import { options, rememberOptions } from "../tasks.ts";
import { PresetBar } from "./preset-bar.tsx";

const COMMON = [
  "language_config",
  "diarization",
  "diarization_config",
  "custom_vocabulary",
  "custom_vocabulary_config",
  "vocabulary_lists",
  "summarization",
  "summarization_config",
  "translation",
  "translation_config",
  "subtitles",
  "subtitles_config",
];

type GroupName = keyof typeof t.transcribe.groups;

const GROUPS: readonly (readonly [GroupName, readonly string[]])[] = [
  [
    "text",
    [
      "numerals",
      "punctuation_enhanced",
      "filler_words",
      "profanity_filter",
      "custom_spelling",
      "custom_spelling_config",
      "name_consistency",
      "sentences",
      "display_mode",
    ],
  ],
  [
    "findings",
    [
      "chapterization",
      "named_entity_recognition",
      "sentiment_analysis",
      "moderation",
      "action_items",
      "questions",
      "audio_to_llm",
      "audio_to_llm_config",
      "structured_data_extraction",
      "structured_data_extraction_config",
    ],
  ],
  ["privacy", ["pii_redaction", "pii_redaction_config"]],
  ["recognition", ["model", "audio_track", "account_vocabulary"]],
  ["delivery", ["callback", "callback_config", "custom_metadata", "tags"]],
];
/** The page remembers the options: a part of one recording would also apply to the next one. */
const NOT_HERE = ["audio_url", "audio_range"];

/** @param names  of every option of the interface: the last group has those of a later version */
function groupsOf(names: readonly string[]): (readonly [GroupName, readonly string[]])[] {
  const placed = new Set([...COMMON, ...NOT_HERE, ...GROUPS.flatMap(([, own]) => own)]);
  const others = names.filter((name) => !placed.has(name));
  return others.length > 0 ? [...GROUPS, ["others", others]] : [...GROUPS];
}

/** Models that the service downloads for the options, with their sizes. */
function Downloads() {
  useEffect(() => {
    loadModels().catch(() => undefined);
  }, []);
  const needed = neededModels(options.value, models.value ?? []);
  const names = needed.map(({ id, bytes }) => (bytes === null ? id : `${id} (${formats.bytes(bytes)})`));
  return (
    <p class="hint" role="status">
      {names.length > 0 ? t.transcribe.downloads(formats.list(names)) : null}
    </p>
  );
}

export function Options() {
  const schema = bodySchema("post", "/v2/pre-recorded");
  const change = (values: Values | undefined) => rememberOptions(values ?? {});
  const replacements = useSignal(0);
  // New fields: those of before may show typed text that has no value, such as "{".
  const replace = (values: Values) => {
    rememberOptions(values);
    replacements.value++;
  };
  const formOf = (names: readonly string[]) =>
    schema ? (
      <SchemaForm key={replacements.value} schema={schema} values={options.value} onChange={change} names={names} />
    ) : null;
  const properties = schema?.properties ?? {};
  const groups = groupsOf(Object.keys(properties).filter((name) => !properties[name]?.deprecated));
  const chosen = groups.flatMap(([, names]) => names).filter((name) => options.value[name] !== undefined).length;
  return (
    <section class="card" aria-labelledby="options-title">
      <div class="row between">
        <h2 id="options-title">{t.transcribe.options}</h2>
        {Object.keys(options.value).length > 0 ? (
          <button type="button" class="quiet" onClick={() => replace({})}>
            {t.transcribe.reset}
          </button>
        ) : null}
      </div>
      {schema ? (
        <>
          <PresetBar options={options.value} onChange={replace} />
          {formOf(COMMON)}
          <details class="more">
            <summary>{chosen > 0 ? t.transcribe.moreChosen(chosen) : t.transcribe.more}</summary>
            {groups.map(([name, names]) => (
              <section key={name} aria-labelledby={`options-${name}`}>
                <h3 id={`options-${name}`}>{t.transcribe.groups[name]}</h3>
                {formOf(names)}
              </section>
            ))}
          </details>
          <Downloads />
        </>
      ) : (
        <p class="hint">{documentHint.value}</p>
      )}
      <Snippets options={options.value} />
    </section>
  );
}
