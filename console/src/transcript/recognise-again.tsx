// Recognises selected words again, with another model or language, shows the difference, and stores it as a correction.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import { errorMessage, get } from "../api.ts";
import { formats, t } from "../language/language.ts";
import { languageName } from "../language-name.ts";
import { DialogHead, Problem } from "../parts/dialog-parts.tsx";
import type { SpeechModel, SpeechModels } from "../shapes.ts";
import { clock } from "../time.ts";
import { type Again, changeOf, recognised } from "./recognised-words.ts";
import type { WordRange } from "./selection.ts";
import type { TranscriptStore } from "./store.ts";

function Difference({ part: { start, old, changes } }: { part: Again }) {
  const shown: preact.ComponentChildren[] = [];
  let from = 0;
  for (const change of changes) {
    shown.push(`${old.slice(from, change.from).join(" ")} `);
    shown.push(<del key={`-${change.from}`}>{old.slice(change.from, change.until).join(" ")}</del>, " ");
    if (change.words.length > 0) shown.push(<ins key={`+${change.from}`}>{change.words.join(" ")}</ins>, " ");
    from = change.until;
  }
  shown.push(old.slice(from).join(" "));
  return (
    <p class="difference">
      <span class="hint">{clock(start)}</span> <bdi>{shown}</bdi>
    </p>
  );
}

const isRecogniser = ({ purpose, installed }: SpeechModel) => installed && purpose === "recognition";

interface RecogniseAgainProps {
  store: TranscriptStore;
  /** The transcript in which the words were selected. Other people may change it while the dialog is open. */
  reading: CorrectedTranscription;
  ranges: readonly WordRange[];
  onClose(): void;
}

function Choice({
  models,
  model,
  language,
  onModel,
  onLanguage,
}: {
  models: readonly SpeechModel[];
  model: string;
  language: string;
  onModel(model: string): void;
  onLanguage(language: string): void;
}) {
  const able = models.filter(({ id }) => model === "" || id === model);
  const codes = [...new Set(able.flatMap((one) => one.codes))].sort((left, right) =>
    formats.compare(languageName(left), languageName(right)),
  );
  return (
    <div class="row wrap">
      <label for="again-model">{t.again.model}</label>
      <select id="again-model" value={model} onChange={({ currentTarget }) => onModel(currentTarget.value)}>
        <option value="">{t.again.asBefore}</option>
        {models.map(({ id }) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
      <label for="again-language">{t.again.language}</label>
      <select id="again-language" value={language} onChange={({ currentTarget }) => onLanguage(currentTarget.value)}>
        <option value="">{t.again.asBefore}</option>
        {codes.map((code) => (
          <option key={code} value={code}>
            {languageName(code)}
          </option>
        ))}
      </select>
    </div>
  );
}

export function RecogniseAgain({ store, reading, ranges, onClose }: RecogniseAgainProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const gone = useRef(new AbortController());
  const models = useSignal<SpeechModel[]>([]);
  const model = useSignal("");
  const language = useSignal("");
  const isBusy = useSignal(false);
  const problem = useSignal("");
  const parts = useSignal<Again[] | undefined>(undefined);
  useEffect(() => {
    dialog.current?.showModal();
    get<SpeechModels>("/v2/models").then(
      ({ items }) => {
        models.value = items.filter(isRecogniser);
      },
      (error: unknown) => {
        problem.value = errorMessage(error);
      },
    );
    return () => gone.current.abort();
  }, []);
  const run = async (work: () => Promise<void>) => {
    isBusy.value = true;
    problem.value = "";
    try {
      await work();
    } catch (error) {
      if (!gone.current.signal.aborted) problem.value = errorMessage(error);
    }
    isBusy.value = false;
  };
  const recognise = () =>
    run(async () => {
      parts.value = undefined;
      const found: Again[] = [];
      for (const range of ranges) {
        const choice = { model: model.value, language: language.value };
        const part = await recognised(store.path, { reading, range }, choice, gone.current.signal);
        if (part) found.push(part);
      }
      parts.value = found;
    });
  const apply = () =>
    run(async () => {
      await store.correct(changeOf(reading, parts.value ?? []), reading);
      dialog.current?.close();
    });
  const { value: found } = parts;
  const isSame = found?.every(({ changes }) => changes.length === 0) ?? false;
  return (
    <dialog ref={dialog} class="speaker-dialog recognise-again" aria-label={t.again.title} onClose={onClose}>
      <DialogHead of={dialog}>{t.again.title}</DialogHead>
      <form
        aria-label={t.again.selected}
        onSubmit={(event) => {
          event.preventDefault();
          void recognise();
        }}
      >
        <Choice
          models={models.value}
          model={model.value}
          language={language.value}
          onModel={(chosen) => {
            model.value = chosen;
            const { codes = [] } = models.value.find(({ id }) => id === chosen) ?? {};
            if (chosen !== "" && !codes.includes(language.value)) language.value = "";
            parts.value = undefined;
          }}
          onLanguage={(chosen) => {
            language.value = chosen;
            parts.value = undefined;
          }}
        />
        <button type="submit" class={found ? "" : "primary"} disabled={isBusy.value}>
          {isBusy.value ? t.unsure.listening : t.again.recognise}
        </button>
      </form>
      <Problem text={problem.value} />
      <div role="status">
        {isSame ? <p>{t.again.same}</p> : null}
        {found && !isSame ? found.map((part) => <Difference key={part.start} part={part} />) : null}
      </div>
      {found && !isSame ? (
        <button type="button" class="primary" disabled={isBusy.value} onClick={() => void apply()}>
          {t.again.use}
        </button>
      ) : null}
    </dialog>
  );
}
