// The vocabulary of the account, and the corrections that were made several times.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, send } from "../api.ts";
import { attempt } from "../attempt.ts";
import { Check } from "../parts/check.tsx";
import type { AccountVocabulary, RepeatedCorrection, VocabularyWord } from "../shapes.ts";
import { PlacesDialog } from "../teaching/places-dialog.tsx";
import { repeatedPage, setDismissed, teach } from "../teaching/repeated.ts";
import { TEACHING } from "../teaching/texts.ts";

function WordForm({ onAdded }: { onAdded(): Promise<void> }) {
  const value = useSignal("");
  const pronunciation = useSignal("");
  return (
    <form
      class="row wrap"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(async () => {
          const pronunciations = pronunciation.value.trim() === "" ? [] : [pronunciation.value];
          await send("POST", "/v2/vocabulary/words", { value: value.value, pronunciations });
          value.value = "";
          pronunciation.value = "";
          await onAdded();
        });
      }}
    >
      {[
        { text: TEACHING.word, field: value, isRequired: true },
        { text: TEACHING.pronunciation, field: pronunciation, isRequired: false },
      ].map(({ text, field, isRequired }) => (
        <label key={text} class="grow">
          <span class="unseen">{text}</span>
          <input
            type="text"
            dir="auto"
            maxLength={200}
            required={isRequired}
            placeholder={text}
            value={field.value}
            onInput={({ currentTarget }) => {
              field.value = currentTarget.value;
            }}
          />
        </label>
      ))}
      <button type="submit">{TEACHING.addWord}</button>
    </form>
  );
}

function Word({ word, onRemove }: { word: VocabularyWord; onRemove(): void }) {
  const { value, pronunciations } = word;
  return (
    <li class="row between">
      <span dir="auto" class="break">
        {value} {pronunciations.length > 0 ? <small>{TEACHING.pronounced(pronunciations)}</small> : null}
      </span>
      <button type="button" class="quiet" aria-label={TEACHING.remove(value)} onClick={onRemove}>
        {TEACHING.removeShort}
      </button>
    </li>
  );
}

interface RepeatedRowProps {
  repeated: RepeatedCorrection;
  onTaught(): Promise<void>;
  onShow(): void;
  onChanged(): Promise<void>;
}

function RepeatedRow({ repeated, onTaught, onShow, onChanged }: RepeatedRowProps) {
  const { before, dismissed, in_vocabulary, others, further_others = 0 } = repeated;
  return (
    <li class="row wrap between">
      <span dir="auto" class="grow break">
        {TEACHING.wasCorrected(repeated)}{" "}
        {others.length > 0 ? <small>{TEACHING.alsoCorrected(others, further_others)}</small> : null}
      </span>
      {in_vocabulary ? (
        <span class="tag">{TEACHING.inVocabulary}</span>
      ) : (
        <button
          type="button"
          onClick={() =>
            attempt(async () => {
              await teach(repeated);
              await onTaught();
            })
          }
        >
          {TEACHING.add}
        </button>
      )}
      <button type="button" onClick={onShow}>
        {TEACHING.showAny}
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={dismissed ? `${TEACHING.restore}: ${before}` : TEACHING.dismissFor(before)}
        onClick={() =>
          attempt(async () => {
            await setDismissed(repeated, !dismissed);
            await onChanged();
          })
        }
      >
        {dismissed ? TEACHING.restore : TEACHING.dismiss}
      </button>
    </li>
  );
}

function Repeated({ onTaught }: { onTaught(): Promise<void> }) {
  const items = useSignal<RepeatedCorrection[] | undefined>(undefined);
  const next = useSignal<string | null>(null);
  const isDismissed = useSignal(false);
  const opened = useSignal<RepeatedCorrection | undefined>(undefined);
  const load = async (cursor: string | null = null) => {
    const page = await repeatedPage(isDismissed.value, cursor);
    items.value = cursor === null ? page.items : [...(items.value ?? []), ...page.items];
    next.value = page.next;
  };
  useEffect(() => {
    void attempt(load);
  }, [isDismissed.value]);
  return (
    <>
      <h3>{TEACHING.repeated}</h3>
      {items.value?.length === 0 && !isDismissed.value ? <p class="hint">{TEACHING.noneRepeated}</p> : null}
      <ul class="plain">
        {items.value?.map((repeated) => (
          <RepeatedRow
            key={repeated.id}
            repeated={repeated}
            onTaught={async () => {
              await onTaught();
              await load();
            }}
            onShow={() => {
              opened.value = repeated;
            }}
            onChanged={load}
          />
        ))}
      </ul>
      <div class="row wrap">
        {next.value === null ? null : (
          <button type="button" onClick={() => attempt(() => load(next.value))}>
            {TEACHING.showMore}
          </button>
        )}
        <Check
          isOn={isDismissed.value}
          onChange={(isOn) => {
            isDismissed.value = isOn;
          }}
        >
          {TEACHING.showDismissed}
        </Check>
      </div>
      {opened.value ? (
        <PlacesDialog
          repeated={opened.value}
          onClose={() => {
            opened.value = undefined;
            void attempt(load);
          }}
        />
      ) : null}
    </>
  );
}

export function Vocabulary() {
  const vocabulary = useSignal<AccountVocabulary | undefined>(undefined);
  const load = async () => {
    vocabulary.value = await get<AccountVocabulary>("/v2/vocabulary");
  };
  useEffect(() => {
    void attempt(load);
  }, []);
  const { value } = vocabulary;
  return (
    <section class="card" aria-labelledby="vocabulary">
      <h2 id="vocabulary">{TEACHING.vocabulary}</h2>
      <p>{TEACHING.explanation}</p>
      {value ? (
        <Check
          isOn={value.enabled}
          onChange={(enabled) =>
            void attempt(async () => {
              await send("PUT", "/v2/vocabulary/settings", { enabled });
              await load();
            })
          }
        >
          {TEACHING.enabled}
        </Check>
      ) : null}
      {value?.items.length === 0 ? <p class="hint">{TEACHING.noWords}</p> : null}
      <ul class="plain vocabulary-words">
        {value?.items.map((word) => (
          <Word
            key={word.id}
            word={word}
            onRemove={() =>
              void attempt(async () => {
                await send("DELETE", `/v2/vocabulary/words/${word.id}`);
                await load();
              })
            }
          />
        ))}
      </ul>
      <WordForm onAdded={load} />
      <Repeated onTaught={load} />
    </section>
  );
}
