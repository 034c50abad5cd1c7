// Creates jobs from files, an address or the microphone, and lists those in progress.
import { useEffect } from "preact/hooks";
import { errorMessage } from "../api.ts";
import { isDragged } from "../dropped-files.ts";
import { t } from "../language/language.ts";
import { loadDocument } from "../openapi.ts";
import { notice } from "../parts/notices.tsx";
import { isEnded, isUnsent, type Task, wantedFile } from "../task.ts";
import { addAddress, addFiles, dropEnded, retryAll, tasks } from "../tasks.ts";
import { useTyped } from "../typed-text.ts";
import { useTitle } from "../use-title.ts";
import { ChooseFiles } from "./choose-files.tsx";
import { Recorder } from "./recorder.tsx";
import { Options } from "./recording-options.tsx";
import { TaskRow } from "./task-row.tsx";

function addFileList(list: FileList | null | undefined): void {
  addFiles([...(list ?? [])]);
}

function isRepeatable(task: Task): boolean {
  const { value: state } = task.state;
  return state.kind === "failed" && !state.isFinal && !wantedFile(task);
}

const isAddress = (text: string) => /^https?:\/\/\S+$/i.test(text.trim());

function Sources() {
  const address = useTyped({ field: "address" });
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
    <section class={`card drop ${isDragged.value ? "over" : ""}`} aria-label={t.transcribe.recordings}>
      <p class="drop-title">{t.transcribe.drop}</p>
      <div class="row wrap centre">
        <ChooseFiles />
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
              {all.filter(isRepeatable).length > 1 ? (
                <button type="button" class="quiet" onClick={retryAll}>
                  {t.tasks.allAgain}
                </button>
              ) : null}
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
