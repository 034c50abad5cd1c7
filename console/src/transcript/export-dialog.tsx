// The dialog of an export: its choices, the beginning of the file, and the two ways to take it.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { at } from "../address.ts";
import { errorMessage, request } from "../api.ts";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { copyLoaded } from "../parts/copy.ts";
import { DialogHead } from "../parts/dialog-parts.tsx";
import { exportAddress } from "./export-choices.ts";
import { Choices, useChoices } from "./export-fields.tsx";
import type { TranscriptStore } from "./store.ts";

/** Of the preview: about two screens. The rest of the file is not read. */
const PREVIEW_CHARACTERS = 4_000;
/** A number is typed digit by digit. */
const PAUSE_MILLISECONDS = 250;

interface Preview {
  text: string;
  continues: boolean;
  problem: string;
}

/** @returns the beginning of a text file */
async function beginningOf(address: string, abort: AbortController): Promise<Preview> {
  const reader = (await request("GET", address, undefined, abort.signal)).body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (reader && text.length <= PREVIEW_CHARACTERS) {
    const { value, done } = await reader.read();
    if (done) return { text, continues: false, problem: "" };
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  // The last row may be cut: a whole one is shown.
  const end = text.lastIndexOf("\n", PREVIEW_CHARACTERS);
  return { text: text.slice(0, end > 0 ? end : PREVIEW_CHARACTERS), continues: true, problem: "" };
}

/** @param version  another value loads the preview again */
function usePreview(address: string | undefined, version: unknown) {
  const preview = useSignal<Preview | undefined>(undefined);
  useEffect(() => {
    if (address === undefined) return;
    const abort = new AbortController();
    const load = () =>
      beginningOf(address, abort)
        .catch((error: unknown): Preview => ({ text: "", continues: false, problem: errorMessage(error) }))
        .then((loaded) => {
          if (!abort.signal.aborted) preview.value = loaded;
        });
    const pause = setTimeout(() => void load(), PAUSE_MILLISECONDS);
    return () => {
      clearTimeout(pause);
      abort.abort();
    };
  }, [address, version]);
  return preview;
}

function Shown({ preview }: { preview: Preview | undefined }) {
  if (!preview) return <p class="hint">{t.frame.loading}</p>;
  if (preview.problem) return <p class="problem">{preview.problem}</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must with keys, too */}
      <section class="preview" tabIndex={0} aria-label={t.exported.preview}>
        <pre class="wrapped" dir="auto">
          {preview.text}
        </pre>
      </section>
      {preview.continues ? <p class="hint">{t.exported.continues}</p> : null}
    </>
  );
}

export function ExportDialog({ store, onClose }: { store: TranscriptStore; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { choices, change } = useChoices(store.showsCorrected.peek());
  useEffect(() => dialog.current?.showModal(), []);
  const isText = choices.value.format !== "docx";
  const address = exportAddress(store.path, choices.value);
  const preview = usePreview(isText ? address : undefined, store.corrections.value);
  const load = async () => (await request("GET", address)).text();
  return (
    <dialog ref={dialog} class="option-dialog" aria-label={t.exported.title} onClose={onClose}>
      <DialogHead of={dialog}>{t.exported.title}</DialogHead>
      <Choices choices={choices.value} change={change} />
      <h3>{t.exported.preview}</h3>
      {isText ? <Shown preview={preview.value} /> : <p class="hint">{t.exported.noPreview}</p>}
      <div class="row wrap">
        <a class="button primary" href={at(address)} download>
          {t.exported.download}
        </a>
        {isText ? (
          <button type="button" onClick={() => void attempt(() => copyLoaded(load(), t.transcript.copied))}>
            {t.frame.copy}
          </button>
        ) : null}
        <a class="button" href={at(`${store.path}/file`)} download>
          {t.exported.audio}
        </a>
      </div>
    </dialog>
  );
}
