// The vocabulary of the account, and the corrections that were made several times.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { MOST_PHRASE_CHARACTERS } from "../../../src/contract/bounds.ts";
import { get, send } from "../api.ts";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { Check } from "../parts/check.tsx";
import { useWork } from "../parts/use-work.ts";
import type { AccountVocabulary, RepeatedCorrection, VocabularyWord } from "../shapes.ts";
import { PlacesDialog } from "../teaching/places-dialog.tsx";
import { correctionText, othersText, pronouncedText, repeatedPage, setDismissed, teach } from "../teaching/repeated.ts";
import { useTyped } from "../typed-text.ts";

function WordForm({ onAdded }: { onAdded(): Promise<void> }) {
  const value = useTyped({ field: "word" });
  const pronunciation = useTyped({ field: "pronunciation" });
  const { isRunning, run } = useWork();
  return (
    <form
      class="row wrap"
      onSubmit={(event) => {
        event.preventDefault();
        void run(() =>
          attempt(async () => {
            const pronunciations = pronunciation.value.trim() === "" ? [] : [pronunciation.value];
            await send("POST", "/v2/vocabulary/words", { value: value.value, pronunciations });
            value.value = "";
            pronunciation.value = "";
            await onAdded();
          }),
        );
      }}
    >
      {[
        { text: t.teaching.word, field: value, isRequired: true },
        { text: t.teaching.pronunciation, field: pronunciation, isRequired: false },
      ].map(({ text, field, isRequired }) => (
        <label key={text} class="grow">
          <span class="unseen">{text}</span>
          <input
            type="text"
            dir="auto"
            maxLength={MOST_PHRASE_CHARACTERS}
            required={isRequired}
            placeholder={text}
            value={field.value}
            onInput={({ currentTarget }) => {
              field.value = currentTarget.value;
            }}
          />
        </label>
      ))}
      <button type="submit" disabled={isRunning.value}>
        {t.teaching.addWord}
      </button>
    </form>
  );
}

function Word({ word, onRemove }: { word: VocabularyWord; onRemove(): void }) {
  const { value, pronunciations } = word;
  return (
    <li class="row between">
      <span dir="auto" class="break">
        {value} {pronunciations.length > 0 ? <small>{pronouncedText(pronunciations)}</small> : null}
      </span>
      <button type="button" class="quiet" aria-label={t.teaching.remove(value)} onClick={onRemove}>
        {t.teaching.removeShort}
      </button>
    </li>
  );
}

interface RepeatedRowProps {
  repeated: RepeatedCorrection;
  /** The vocabulary has its words. */
  isTaught: boolean;
  onTaught(): Promise<void>;
  onShow(): void;
  onChanged(): Promise<void>;
}

function RepeatedRow({ repeated, isTaught, onTaught, onShow, onChanged }: RepeatedRowProps) {
  const { before, dismissed } = repeated;
  return (
    <li class="row wrap between">
      <span dir="auto" class="grow break">
        {correctionText(repeated)} <small>{othersText(repeated)}</small>
      </span>
      {isTaught ? (
        <span class="tag">{t.teaching.inVocabulary}</span>
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
          {t.teaching.add}
        </button>
      )}
      <button type="button" onClick={onShow}>
        {t.teaching.showAny}
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={dismissed ? t.teaching.restoreFor(before) : t.teaching.dismissFor(before)}
        onClick={() =>
          attempt(async () => {
            await setDismissed(repeated, !dismissed);
            await onChanged();
          })
        }
      >
        {dismissed ? t.teaching.restore : t.teaching.dismiss}
      </button>
    </li>
  );
}

function Repeated({ words, onTaught }: { words: readonly VocabularyWord[]; onTaught(): Promise<void> }) {
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
      <h3>{t.teaching.repeated}</h3>
      {items.value?.length === 0 && !isDismissed.value ? <p class="hint">{t.teaching.noneRepeated}</p> : null}
      <ul class="plain">
        {items.value?.map((repeated) => (
          <RepeatedRow
            key={repeated.id}
            repeated={repeated}
            isTaught={words.some(({ value }) => value === repeated.after)}
            onTaught={onTaught}
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
            {t.teaching.showMore}
          </button>
        )}
        <Check
          isOn={isDismissed.value}
          onChange={(isOn) => {
            isDismissed.value = isOn;
          }}
        >
          {t.teaching.showDismissed}
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
      <h2 id="vocabulary">{t.teaching.vocabulary}</h2>
      <p>{t.teaching.explanation}</p>
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
          {t.teaching.enabled}
        </Check>
      ) : null}
      {value?.items.length === 0 ? <p class="hint">{t.teaching.noWords}</p> : null}
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
      <Repeated words={value?.items ?? []} onTaught={load} />
    </section>
  );
}
