// Vocabulary lists of the account: made, renamed, their words edited, deleted.
import { useSignal } from "@preact/signals";
import { useEffect, useId, useMemo } from "preact/hooks";
import { MOST_PHRASE_CHARACTERS } from "../../../src/contract/bounds.ts";
import { shownAccountName } from "../account.ts";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { Problem } from "../parts/dialog-parts.tsx";
import { useWork } from "../parts/use-work.ts";
import type { VocabularyListBody, VocabularyListItem } from "../shapes.ts";
import { loadVocabularyLists, vocabularyLists } from "../vocabulary-lists.ts";
import {
  deleteList,
  draftOf,
  type ListDraft,
  type ListOutcome,
  linesOfList,
  listDrafts,
  readList,
  saveList,
} from "./list-drafts.ts";

/** The list that is edited. The text of an earlier visit is continued. @param owner  name of the account */
function useListEditor(owner: string) {
  const drafts = useMemo(() => listDrafts(owner), [owner]);
  const draft = useSignal(drafts.any());
  const outcome = useSignal<ListOutcome>("saved");
  const put = (change: Partial<ListDraft>) => {
    if (!draft.value) return;
    draft.value = { ...draft.value, ...change };
    drafts.put(draft.value);
  };
  const open = (list: VocabularyListBody | undefined) => {
    outcome.value = "saved";
    draft.value = draftOf(list);
  };
  const close = () => {
    if (draft.value) drafts.drop(draft.value);
    draft.value = undefined;
  };
  const save = async () => {
    const { value: sent } = draft;
    if (!sent) return;
    const result = await saveList(sent);
    outcome.value = result;
    if (result === "saved") close();
    else {
      // The next attempt replaces the present version, or creates the list again.
      drafts.drop(sent);
      put({ list: result === "deleted" ? undefined : result });
    }
    await loadVocabularyLists();
  };
  return { draft, outcome, put, open, close, save };
}
type ListEditor = ReturnType<typeof useListEditor>;

/** Shows the version of the list that another person has stored, or that the list was deleted. */
function OtherVersion({ outcome, onTake }: { outcome: ListOutcome; onTake(list: VocabularyListBody): void }) {
  if (outcome === "saved") return null;
  if (outcome === "deleted") return <Problem text={t.lists.deletedMeanwhile} />;
  return (
    <div class="other-version">
      <Problem text={t.lists.changedMeanwhile} />
      <strong dir="auto">{outcome.name}</strong>
      <pre class="wrapped" dir="auto">
        {linesOfList(outcome)}
      </pre>
      <button type="button" onClick={() => onTake(outcome)}>
        {t.saving.useTheirs}
      </button>
    </div>
  );
}

interface ListFormProps {
  editor: ListEditor;
  draft: ListDraft;
}

function ListForm({ editor, draft }: ListFormProps) {
  const { outcome, put, save, close } = editor;
  const { isRunning, run } = useWork();
  const id = useId();
  const { list, name, lines } = draft;
  return (
    <form
      class="list-form"
      aria-label={list ? t.lists.editFor(list.name) : t.lists.newList}
      onSubmit={(event) => {
        event.preventDefault();
        void run(() => attempt(save));
      }}
    >
      <OtherVersion outcome={outcome.value} onTake={(theirs) => put(draftOf(theirs))} />
      <div class="field">
        <label for={`${id}-name`}>{t.lists.name}</label>
        <input
          id={`${id}-name`}
          type="text"
          dir="auto"
          required
          maxLength={MOST_PHRASE_CHARACTERS}
          value={name}
          onInput={({ currentTarget }) => put({ name: currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for={`${id}-words`}>{t.lists.field}</label>
        <textarea
          id={`${id}-words`}
          dir="auto"
          rows={8}
          value={lines}
          onInput={({ currentTarget }) => put({ lines: currentTarget.value })}
        />
        <small>{t.lists.hint}</small>
      </div>
      <div class="row">
        <button type="submit" class="primary" disabled={isRunning.value}>
          {t.lists.save}
        </button>
        <button type="button" onClick={close}>
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
            await deleteList(id);
            await loadVocabularyLists();
          });
        }}
      >
        {t.lists.delete}
      </button>
    </div>
  );
}

function Lists({ owner }: { owner: string }) {
  const editor = useListEditor(owner);
  useEffect(() => {
    void attempt(loadVocabularyLists);
  }, []);
  const { value: edited } = editor.draft;
  const editedId = edited?.list?.id;
  // Another person may have deleted the list.
  const isAmongLists = vocabularyLists.value?.some(({ id }) => id === editedId) === true;
  const form = edited ? <ListForm editor={editor} draft={edited} /> : null;
  return (
    <section class="card" aria-labelledby="vocabulary-lists">
      <h2 id="vocabulary-lists">{t.lists.title}</h2>
      <p>{t.lists.explanation}</p>
      {vocabularyLists.value?.length === 0 ? <p class="hint">{t.lists.none}</p> : null}
      <ul class="plain">
        {vocabularyLists.value?.map((list) => (
          <li key={list.id}>
            {list.id === editedId ? (
              form
            ) : (
              <ListRow
                list={list}
                isLocked={edited !== undefined}
                onEdit={() =>
                  void attempt(async () => {
                    editor.open(await readList(list.id));
                  })
                }
              />
            )}
          </li>
        ))}
      </ul>
      {isAmongLists || (editedId !== undefined && !vocabularyLists.value) ? null : form}
      {edited ? null : (
        <button type="button" onClick={() => editor.open(undefined)}>
          {t.lists.newList}
        </button>
      )}
    </section>
  );
}

export function VocabularyLists() {
  const { value: name } = shownAccountName;
  return name === undefined ? null : <Lists owner={name} />;
}
