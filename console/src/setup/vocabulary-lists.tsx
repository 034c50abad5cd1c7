// Vocabulary lists of the account: made, renamed, their words edited, deleted.
import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { MOST_PHRASE_CHARACTERS } from "../../../src/contract/bounds.ts";
import { get, send } from "../api.ts";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { linesOf, wordsOfLines } from "../parts/lines.ts";
import type { VocabularyListBody, VocabularyListItem } from "../shapes.ts";
import { loadVocabularyLists, vocabularyLists } from "../vocabulary-lists.ts";

const ROUTE = "/v2/vocabulary-lists";

interface ListFormProps {
  /** Undefined for a new one. */
  list: VocabularyListBody | undefined;
  onClose(): void;
}

function ListForm({ list, onClose }: ListFormProps) {
  const name = useSignal(list?.name ?? "");
  const lines = useSignal(linesOf(list?.words ?? []));
  const id = useId();
  return (
    <form
      class="list-form"
      aria-label={list ? t.lists.editFor(list.name) : t.lists.newList}
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(async () => {
          const body = { name: name.value, words: wordsOfLines(lines.value, list?.words ?? []) };
          await (list ? send("PATCH", `${ROUTE}/${list.id}`, body) : send("POST", ROUTE, body));
          onClose();
          await loadVocabularyLists();
        });
      }}
    >
      <div class="field">
        <label for={`${id}-name`}>{t.lists.name}</label>
        <input
          id={`${id}-name`}
          type="text"
          dir="auto"
          required
          maxLength={MOST_PHRASE_CHARACTERS}
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
      </div>
      <div class="field">
        <label for={`${id}-words`}>{t.lists.field}</label>
        <textarea
          id={`${id}-words`}
          dir="auto"
          rows={8}
          value={lines.value}
          onInput={({ currentTarget }) => {
            lines.value = currentTarget.value;
          }}
        />
        <small>{t.lists.hint}</small>
      </div>
      <div class="row">
        <button type="submit" class="primary">
          {t.lists.save}
        </button>
        <button type="button" onClick={onClose}>
          {t.frame.cancel}
        </button>
      </div>
    </form>
  );
}

interface ListRowProps {
  list: VocabularyListItem;
  /** Whether another list is being edited. Its text would be lost. */
  isLocked: boolean;
  onEdit(): void;
}

function ListRow({ list: { id, name, word_count }, isLocked, onEdit }: ListRowProps) {
  return (
    <div class="row wrap between">
      <span dir="auto" class="grow break">
        {name} <small>{t.lists.words(word_count)}</small>
      </span>
      <button type="button" class="quiet" aria-label={t.lists.editFor(name)} disabled={isLocked} onClick={onEdit}>
        {t.lists.edit}
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={t.lists.deleteFor(name)}
        onClick={() => {
          if (!confirm(t.lists.deleteQuestion(name))) return;
          void attempt(async () => {
            await send("DELETE", `${ROUTE}/${id}`);
            await loadVocabularyLists();
          });
        }}
      >
        {t.lists.delete}
      </button>
    </div>
  );
}

export function VocabularyLists() {
  /** The list that is edited, or "new". */
  const opened = useSignal<VocabularyListBody | "new" | undefined>(undefined);
  useEffect(() => {
    void attempt(loadVocabularyLists);
  }, []);
  const close = () => {
    opened.value = undefined;
  };
  const { value: edited } = opened;
  const editedList = edited === "new" ? undefined : edited;
  return (
    <section class="card" aria-labelledby="vocabulary-lists">
      <h2 id="vocabulary-lists">{t.lists.title}</h2>
      <p>{t.lists.explanation}</p>
      {vocabularyLists.value?.length === 0 ? <p class="hint">{t.lists.none}</p> : null}
      <ul class="plain">
        {vocabularyLists.value?.map((list) => (
          <li key={list.id}>
            {list.id === editedList?.id ? (
              <ListForm key={list.id} list={editedList} onClose={close} />
            ) : (
              <ListRow
                list={list}
                isLocked={edited !== undefined}
                onEdit={() =>
                  void attempt(async () => {
                    opened.value = await get<VocabularyListBody>(`${ROUTE}/${list.id}`);
                  })
                }
              />
            )}
          </li>
        ))}
      </ul>
      {edited === "new" ? (
        <ListForm list={undefined} onClose={close} />
      ) : (
        <button
          type="button"
          disabled={edited !== undefined}
          onClick={() => {
            opened.value = "new";
          }}
        >
          {t.lists.newList}
        </button>
      )}
    </section>
  );
}
