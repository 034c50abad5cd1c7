// Creates jobs from files, an address or the microphone, and lists those in progress.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { errorMessage } from "../api.ts";
import { t } from "../language/language.ts";
import { bodySchema, documentHint, loadDocument } from "../openapi.ts";
import { notice } from "../parts/notices.tsx";
import { SchemaForm, type Values } from "../parts/schema-form.tsx";
import { Snippets } from "../parts/snippets.tsx";
import { isEnded, isUnsent } from "../task.ts";
import { addAddress, addFiles, dropEnded, options, rememberOptions, tasks } from "../tasks.ts";
import { useTyped } from "../typed-text.ts";
import { useTitle } from "../use-title.ts";
import { Recorder } from "./recorder.tsx";
import { TaskRow } from "./task-row.tsx";

/** Most frequently used options; the others are in a collapsed section. */
const COMMON = [
  "language_config",
  "diarization",
  "diarization_config",
  "subtitles",
  "subtitles_config",
  "custom_vocabulary",
  "custom_vocabulary_config",
  "vocabulary_lists",
];
/** The page remembers the options: a part of one recording would also apply to the next one. */
const NOT_HERE = ["audio_url", "audio_range"];

function addFileList(list: FileList | null | undefined): void {
  addFiles([...(list ?? [])]);
}

const isAddress = (text: string) => /^https?:\/\/\S+$/i.test(text.trim());

function Sources() {
  const address = useTyped({ field: "address" });
  const isOver = useSignal(false);
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const { target } = event;
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
      const { clipboardData } = event;
      if (clipboardData?.files.length) addFileList(clipboardData.files);
      else if (isAddress(clipboardData?.getData("text") ?? "")) addAddress(clipboardData?.getData("text").trim() ?? "");
    };
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
  return (
    <section
      class={`card drop ${isOver.value ? "over" : ""}`}
      aria-label={t.transcribe.recordings}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => {
        isOver.value = false;
      }}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        addFileList(event.dataTransfer?.files);
      }}
    >
      <p class="drop-title">{t.transcribe.drop}</p>
      <div class="row centre">
        <label class="button primary">
          {t.transcribe.chooseFiles}
          <input
            type="file"
            name="files"
            class="unseen"
            multiple
            accept="audio/*,video/*,.mka,.opus,.amr,.wma"
            onChange={({ currentTarget }) => {
              addFileList(currentTarget.files);
              currentTarget.value = "";
            }}
          />
        </label>
        <Recorder />
      </div>
      <form
        class="row address"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isAddress(address.value)) return notice(t.transcribe.notAddress, "bad");
          addAddress(address.value.trim());
          address.value = "";
        }}
      >
        <label class="unseen" for="address">
          {t.transcribe.address}
        </label>
        <input
          id="address"
          type="url"
          placeholder={t.transcribe.addressExample}
          value={address.value}
          onInput={({ currentTarget }) => {
            address.value = currentTarget.value;
          }}
        />
        <button type="submit">{t.transcribe.add}</button>
      </form>
      <p class="hint">{t.transcribe.hint}</p>
    </section>
  );
}

function Options() {
  const schema = bodySchema("post", "/v2/pre-recorded");
  const change = (values: Values | undefined) => rememberOptions(values ?? {});
  const others = Object.keys(schema?.properties ?? {}).filter(
    (name) => !COMMON.includes(name) && !NOT_HERE.includes(name),
  );
  const chosen = others.filter((name) => options.value[name] !== undefined).length;
  return (
    <section class="card" aria-labelledby="options-title">
      <div class="row between">
        <h2 id="options-title">{t.transcribe.options}</h2>
        {Object.keys(options.value).length > 0 ? (
          <button type="button" class="quiet" onClick={() => rememberOptions({})}>
            {t.transcribe.reset}
          </button>
        ) : null}
      </div>
      {schema ? (
        <>
          <SchemaForm schema={schema} values={options.value} onChange={change} names={COMMON} />
          <details>
            <summary>{chosen > 0 ? t.transcribe.moreChosen(chosen) : t.transcribe.more}</summary>
            <SchemaForm schema={schema} values={options.value} onChange={change} names={others} />
          </details>
        </>
      ) : (
        <p class="hint">{documentHint.value}</p>
      )}
      <Snippets options={options.value} />
    </section>
  );
}

/** Files that were not sent stay unless the person agrees: this browser may have the only copy. */
function clearList(): void {
  const unsent = tasks.value.filter(isUnsent).length;
  dropEnded(unsent > 0 && confirm(t.tasks.removeQuestion(unsent)));
}

export function Transcribe() {
  useTitle(t.frame.transcribe);
  useEffect(() => {
    loadDocument().catch((error: unknown) => notice(errorMessage(error), "bad"));
  }, []);
  const all = tasks.value;
  const ended = all.filter(isEnded).length;
  return (
    <div class="columns">
      <h1 class="unseen">{t.frame.transcribe}</h1>
      <div>
        <Sources />
        {all.length > 0 ? (
          <section class="card" aria-labelledby="tasks-title">
            <div class="row between">
              <h2 id="tasks-title">{t.transcribe.done(ended, all.length)}</h2>
              {ended > 0 ? (
                <button type="button" class="quiet" onClick={clearList}>
                  {t.transcribe.clear}
                </button>
              ) : null}
            </div>
            <ul class="tasks">
              {all.map((task) => (
                <TaskRow key={task.key} task={task} />
              ))}
            </ul>
          </section>
        ) : null}
      </div>
      <Options />
    </div>
  );
}
