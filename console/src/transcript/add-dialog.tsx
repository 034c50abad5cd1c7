// The dialog that adds a summary, a translation, speakers and others to a finished transcript.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { hasSpeakersOfPeople } from "../../../src/contract/transcript/correction.ts";
import { errorMessage } from "../api.ts";
import { formats, t } from "../language/language.ts";
import { loadModels, models } from "../models.ts";
import { neededModels } from "../needed-models.ts";
import { bodySchema, documentHint, loadDocument } from "../openapi.ts";
import { Check } from "../parts/check.tsx";
import { DialogHead, Problem } from "../parts/dialog-parts.tsx";
import { notice } from "../parts/notices.tsx";
import { ResetButton } from "../parts/reset-button.tsx";
import type { Schema } from "../parts/schema.ts";
import { SchemaForm, type Values } from "../parts/schema-form.tsx";
import { useTypedValues } from "../parts/typed-values.ts";
import { useWork } from "../parts/use-work.ts";
import type { TranscriptStore } from "./store.ts";

const COMMON = [
  "summarization",
  "summarization_config",
  "translation",
  "translation_config",
  "diarization",
  "diarization_config",
  "chapterization",
  "subtitles",
  "subtitles_config",
];
const NONE: Values = {};
/** A checkbox of this dialog, shown if people have corrected the speakers. */
const REPLACE = "replace_speakers";

/** Without names of known voices, which belong to a new transcript. */
function withoutNames(schema: Schema): Schema {
  const { diarization_config: config, ...others } = schema.properties ?? {};
  if (!config) return schema;
  const { identify_speakers: _, ...properties } = config.properties ?? {};
  return { ...schema, properties: { ...others, diarization_config: { ...config, properties } } };
}

/** Models that the service downloads for the choice, with their sizes. */
function Downloads({ values, languages }: { values: Values; languages: readonly string[] }) {
  useEffect(() => {
    loadModels().catch(() => undefined);
  }, []);
  // Nothing is recognised: the model of the words is there, or not needed.
  const needed = neededModels({ ...values, model: "", language_config: { languages } }, models.value ?? []);
  const names = needed.map(({ id, bytes }) => (bytes === null ? id : `${id} (${formats.bytes(bytes)})`));
  return (
    <p class="hint" role="status">
      {names.length > 0 ? t.transcribe.downloads(formats.list(names)) : null}
    </p>
  );
}

export function AddDialog({ store, onClose }: { store: TranscriptStore; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const values = useTypedValues("add", store.id, NONE);
  const problem = useSignal("");
  const { isRunning, run } = useWork();
  useEffect(() => {
    dialog.current?.showModal();
    void loadDocument();
  }, []);
  const given = bodySchema("post", "/v2/transcription/{id}/add-ons");
  const schema = given && withoutNames(given);
  const others = Object.keys(schema?.properties ?? {}).filter((name) => !COMMON.includes(name) && name !== REPLACE);
  const change = (changed: Values | undefined) => {
    values.value = changed ?? {};
  };
  const asksToReplace =
    values.value["diarization"] === true && hasSpeakersOfPeople(store.corrections.value, store.addOns.ids.value);
  const submit = async () => {
    problem.value = "";
    try {
      await store.addOns.request(values.value);
      values.sent();
      dialog.current?.close();
    } catch (error) {
      problem.value = errorMessage(error);
      if (!dialog.current) notice(problem.value, "bad");
    }
  };
  return (
    <dialog ref={dialog} class="option-dialog" aria-label={t.addOns.title} onClose={onClose}>
      <DialogHead of={dialog}>{t.addOns.title}</DialogHead>
      <p class="hint">{t.addOns.hint}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(submit);
        }}
      >
        {schema ? (
          <>
            <SchemaForm key={values.resets} schema={schema} values={values.value} names={COMMON} onChange={change} />
            {asksToReplace ? (
              <>
                <Check
                  isOn={values.value[REPLACE] === true}
                  onChange={(isOn) => change({ ...values.value, [REPLACE]: isOn })}
                >
                  {t.addOns.replaceSpeakers}
                </Check>
                <p class="hint">{t.addOns.replaceHint}</p>
              </>
            ) : null}
            <details class="more">
              <summary>{t.transcribe.more}</summary>
              <SchemaForm key={values.resets} schema={schema} values={values.value} names={others} onChange={change} />
            </details>
            <Downloads values={values.value} languages={store.job.value?.result?.transcription.languages ?? []} />
          </>
        ) : (
          <p class="hint">{documentHint.value}</p>
        )}
        <Problem text={problem.value} />
        <div class="row wrap dialog-end">
          <button type="submit" class="primary" disabled={isRunning.value}>
            {t.addOns.add}
          </button>
          <ResetButton values={values} />
        </div>
      </form>
    </dialog>
  );
}
