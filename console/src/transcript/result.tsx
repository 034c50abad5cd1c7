// A finished transcript: playback, tools, utterances, panels.

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { beforeLeaving } from "../leaving.ts";
import { storedSignal } from "../stored-signal.ts";
import { AddOnStatus } from "./add-on-status.tsx";
import { AlternativesBar, settleUnsure, useAlternatives } from "./alternatives.tsx";
import { assignSpeaker } from "./assign-speaker.ts";
import type { DocumentHandle } from "./document/handle.ts";
import type { StoredDraft } from "./drafts.ts";
import { editsByTyping, setEditable } from "./edit-switch.tsx";
import { Editing } from "./editing.ts";
import { Failures } from "./failures.tsx";
import { FIND_FIELD, useFind } from "./find.tsx";
import { createFollowing } from "./following.ts";
import { Heading } from "./heading.tsx";
import { KeyHelp } from "./key-help.tsx";
import { NoteDialog } from "./notes/note-dialog.tsx";
import { OfferBar } from "./offer-bar.tsx";
import { useRememberedPlace } from "./place.ts";
import { createPlayer } from "./player.ts";
import { PlayerBar } from "./player-bar.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { Panels } from "./side.tsx";
import { SpeakerDialog } from "./speaker-dialog.tsx";
import type { SpeakerChoice } from "./speaker-part.tsx";
import type { TranscriptStore } from "./store.ts";
import { Tools } from "./tools.tsx";
import { TranscriptDocument } from "./transcript-document.tsx";
import { undoActions } from "./undo.tsx";
import { Unsaved } from "./unsaved.tsx";
import { useUnsure } from "./unsure-bar.tsx";
import { useKeys } from "./use-keys.ts";
import { usePosition } from "./use-position.ts";
import { SubtitlesPlace, useView, ViewSwitch } from "./views.tsx";

/** Saves the open change when the page is left or the account signed out. */
function useEditing(store: TranscriptStore): Editing {
  const editing = useMemo(() => new Editing(store), [store]);
  useEffect(() => {
    const stopWaiting = beforeLeaving(() => editing.leave());
    return () => {
      stopWaiting();
      void editing.end();
    };
  }, [editing]);
  return editing;
}

/** What the parts of the page share. */
function usePage(store: TranscriptStore) {
  const { query } = useLocation();
  const player = useMemo(() => createPlayer(store.path), [store]);
  useEffect(() => () => player.end(), [player]);
  useEffect(() => store.questions.watch(), [store]);
  useEffect(() => () => store.questions.end(), [store]);
  useEffect(() => store.noteDrafts.watch(), [store]);
  const editing = useEditing(store);
  const choice = useSignal<SpeakerChoice | undefined>(undefined);
  const showsLowConfidence = useMemo(() => storedSignal("marks-unsure", true), []);
  const following = useMemo(createFollowing, [store]);
  const isEditable = useMemo(editsByTyping, []);
  const handle = useRef<DocumentHandle | undefined>(undefined);
  const show = (at: number) => handle.current?.show(at);
  const isEditing = () => handle.current?.hasFocus === true && isEditable.peek();
  const current = usePosition({ store, player, show, following, isEditing });
  const find = useFind({ store, editing, first: query["q"] ?? "", show });
  const hit = useComputed(() => find.hits.value[find.position.value]);
  const unsure = useUnsure(store, player, ({ at, start }) => {
    // The word is typed over where a person types already.
    if (isEditing()) return handle.current?.focus(at, start);
    // The bar of selected words would hide the alternatives.
    getSelection()?.removeAllRanges();
    show(at);
  });
  const alternatives = useAlternatives(store, unsure, editing);
  const isHelping = useSignal(false);
  const showHelp = () => {
    isHelping.value = true;
  };
  useRememberedPlace(store.id, player, store.seconds.value);
  const correctSpeaker = (utterance: number) => {
    const { value: reading } = store.reading;
    if (reading) choice.value = { place: { reading, at: utterance }, speaker: reading.utterances[utterance]?.speaker };
  };
  const place = () => handle.current?.caretAt ?? current.value;
  const edit = () => {
    setEditable({ isEditable, showsCorrected: store.showsCorrected }, true);
    const { value: word } = unsure.word;
    handle.current?.focus(word?.at ?? current.value, word?.start);
  };
  const resume = (draft: StoredDraft) =>
    attempt(async () => {
      const at = await editing.adopt(draft);
      if (at !== undefined) show(at);
    });
  const stored = undoActions(store);
  // Without the document, there is no typing to undo.
  const undo = {
    undo: () => (handle.current ? handle.current.undoOrRedo(false) : stored.undo()),
    redo: () => (handle.current ? handle.current.undoOrRedo(true) : stored.redo()),
  };
  useKeys({
    ...player,
    nextUnsure: () => unsure.step(1),
    previousUnsure: () => unsure.step(-1),
    find: () => document.getElementById(FIND_FIELD)?.focus(),
    help: showHelp,
    accept: unsure.accept,
    choose: alternatives.choose,
    edit,
    correctSpeaker: () => correctSpeaker(place()),
    speaker: (number) => void attempt(() => assignSpeaker(store, editing, place(), number)),
    ...undo,
  });
  return {
    player,
    editing,
    choice,
    showsLowConfidence,
    following,
    isEditable,
    handle,
    current,
    find,
    hit,
    unsure,
    alternatives,
    undo,
    stored,
    isHelping,
    showHelp,
    correctSpeaker,
    resume,
    show,
  };
}

interface PageProps {
  store: TranscriptStore;
  page: ReturnType<typeof usePage>;
}

function Overlays({ store, page: { choice, isHelping, showHelp } }: PageProps) {
  return (
    <>
      <NoteDialog store={store} />
      {choice.value ? (
        <SpeakerDialog
          choice={choice.value}
          store={store}
          onClose={() => {
            choice.value = undefined;
          }}
        />
      ) : null}
      <p class="hint keys">
        <button type="button" class="quiet" onClick={showHelp}>
          {t.keys.title}
        </button>
      </p>
      {isHelping.value ? (
        <KeyHelp
          onClose={() => {
            isHelping.value = false;
          }}
        />
      ) : null}
    </>
  );
}

function TextTools({ store, page }: PageProps) {
  return (
    <Tools
      store={store}
      editing={page.editing}
      find={page.find}
      unsure={page.unsure}
      following={page.following}
      showsLowConfidence={page.showsLowConfidence}
      isEditable={page.isEditable}
      undo={page.undo}
      onSpeaker={(speaker) => {
        page.choice.value = { speaker };
      }}
    />
  );
}

function TextView({ store, page }: PageProps) {
  const { player, editing, showsLowConfidence, following, isEditable, handle, find, unsure, alternatives } = page;
  const seek = (seconds: number) => {
    following.isAway.value = false;
    player.seek(seconds, true);
  };
  const clickSeek = (seconds: number, thenPlay: boolean) => {
    // The caret does not interrupt what is played.
    if (thenPlay) seek(seconds);
    else if (!player.isPlaying.peek()) player.seek(seconds);
  };
  return (
    <>
      <Unsaved editing={editing} store={store} onOpen={page.resume} />
      <OfferBar store={store} />
      <div class="transcript-columns">
        {store.reading.value?.utterances.length === 0 ? (
          <p class="empty">{t.transcript.nobodySpeaks}</p>
        ) : (
          <TranscriptDocument
            store={store}
            editing={editing}
            isEditable={isEditable}
            showsUnsure={showsLowConfidence}
            hits={find.hits}
            hit={page.hit}
            unsure={unsure.word}
            choices={alternatives.count}
            player={player}
            following={following}
            time={player.time}
            isPlaying={player.isPlaying}
            current={page.current}
            handle={handle}
            onReady={() => {
              if (player.time.peek() > 0) page.show(page.current.peek());
            }}
            onSeek={clickSeek}
            onSpeaker={page.correctSpeaker}
            onUnsure={(what) => settleUnsure(what, unsure, alternatives)}
            onNext={(at, time) => {
              if (!unsure.stepAfter(time)) handle.current?.focus(at + 1);
            }}
            onUndo={(isRedo) => (isRedo ? page.stored.redo() : page.stored.undo())}
          />
        )}
        <Panels store={store} onSeek={seek} />
      </div>
      <SelectionBar store={store} editing={editing} handle={handle} />
      <AlternativesBar alternatives={alternatives} unsure={unsure} />
    </>
  );
}

export function Result({ store }: { store: TranscriptStore }) {
  const page = usePage(store);
  const view = useView();
  const { player, editing, following } = page;
  if (!store.reading.value) return null;
  const isText = view.value === "text";
  return (
    <div class="transcript-page">
      <Heading store={store} player={player} />
      <AddOnStatus store={store} />
      <Failures store={store} />
      <PlayerBar player={player} seconds={store.seconds.value} following={following} />
      <div class="row wrap transcript-tools">
        <ViewSwitch
          view={view}
          onLeave={() => {
            if (isText) void editing.save();
          }}
        />
        {isText ? <TextTools store={store} page={page} /> : null}
      </div>
      {isText ? (
        <TextView store={store} page={page} />
      ) : (
        <>
          <Unsaved editing={editing} store={store} onOpen={page.resume} />
          <SubtitlesPlace store={store} player={player} editing={editing} following={following} undo={page.undo} />
        </>
      )}
      <Overlays store={store} page={page} />
    </div>
  );
}
