// A finished transcript: playback, tools, utterances, panels.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { speakersOf } from "../../../src/contract/transcript/speaker-names.ts";
import { useEvery } from "../every.ts";
import { jobName } from "../job-name.ts";
import { beforeLeaving } from "../leaving.ts";
import { Check } from "../parts/check.tsx";
import type { TranscriptionResult } from "../shapes.ts";
import { clock, moment } from "../time.ts";
import { Editing } from "./editing.ts";
import { ExportPanel } from "./export-panel.tsx";
import { FindForm, useFind } from "./find.tsx";
import { KeepVoice } from "./keep-voice.tsx";
import { createPlayer, type Player } from "./player.ts";
import { PlayerBar } from "./player-bar.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { Panels } from "./side.tsx";
import { type SpeakerChoice, SpeakerDialog } from "./speaker-dialog.tsx";
import { Speakers } from "./speaker-names.tsx";
import type { TranscriptStore } from "./store.ts";
import { UndoButtons, undoActions } from "./undo.tsx";
import { SaveStatus, Unsaved } from "./unsaved.tsx";
import { useKeys } from "./use-keys.ts";
import { usePosition } from "./use-position.ts";
import { Utterance } from "./utterance.tsx";
import { type ListHandle, VirtualList } from "./virtual-list.tsx";

/** Interval at which the page requests the corrections of other people. */
const REFRESH_MILLISECONDS = 5_000;

/** Which track of a file with several was transcribed. Numbers are those of `audio_track`. */
function trackText({ audio_track, number_of_audio_tracks = 1 }: TranscriptionResult["metadata"]): string {
  return audio_track === undefined || number_of_audio_tracks < 2
    ? ""
    : ` · audio track ${audio_track} (of ${number_of_audio_tracks}, counted from 0)`;
}

function Heading({ store, player }: { store: TranscriptStore; player: Player }) {
  const job = store.job.value;
  const result = job?.result;
  if (!job || !result) return null;
  return (
    <div class="row between wrap">
      <div>
        <h1>{jobName(job)}</h1>
        <p class="hint">
          {moment(job.created_at)} · {clock(result.metadata.audio_duration)} ·{" "}
          {result.transcription.languages.join(", ")}
          {trackText(result.metadata)}
        </p>
        {result.metadata.warnings?.map((warning) => (
          <p key={warning} class="hint problem">
            {warning}
          </p>
        ))}
      </div>
      <ExportPanel store={store} player={player} />
    </div>
  );
}

function KeyHints() {
  return (
    <p class="hint keys">
      <kbd>Space</kbd> play, <kbd>J</kbd> back, <kbd>L</kbd> ahead, <kbd>&lt;</kbd> <kbd>&gt;</kbd> speed, <kbd>E</kbd>{" "}
      edit, <kbd>S</kbd> speaker, <kbd>Ctrl</kbd>+<kbd>Z</kbd> undo
    </p>
  );
}

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

export function Result({ store }: { store: TranscriptStore }) {
  const { query } = useLocation();
  const player = useMemo(() => createPlayer(store.path), [store]);
  useEffect(() => () => player.end(), [player]);
  const editing = useEditing(store);
  const choice = useSignal<SpeakerChoice | undefined>(undefined);
  const showsLowConfidence = useSignal(true);
  const follows = useSignal(true);
  const list = useRef<ListHandle | undefined>(undefined);
  const body = useRef<HTMLDivElement>(null);
  const isEditing = () => editing.edit.peek() !== undefined;
  const current = usePosition({ store, player, list, body, follows, isEditing });
  const find = useFind(store, query["q"] ?? "", (index) => list.current?.show(index));
  const correctSpeaker = (utterance: number) => {
    choice.value = { utterance, speaker: store.reading.value?.utterances[utterance]?.speaker };
  };
  const edit = (at: number) => {
    editing.open(at);
    list.current?.show(at);
  };
  useEvery(REFRESH_MILLISECONDS, store.refresh);
  useKeys(player, {
    edit: () => edit(current.value),
    correctSpeaker: () => correctSpeaker(current.value),
    ...undoActions(store),
  });
  const reading = store.reading.value;
  if (!reading) return null;
  const speakers = speakersOf(reading);
  const seek = (seconds: number) => player.seek(seconds, true);

  return (
    <div class="transcript-page">
      <Heading store={store} player={player} />
      <PlayerBar player={player} />
      <div class="row wrap transcript-tools">
        <FindForm find={find} />
        <Check
          isOn={follows.value}
          onChange={(isOn) => {
            follows.value = isOn;
          }}
        >
          Follow the playback
        </Check>
        <Check
          isOn={showsLowConfidence.value}
          onChange={(isOn) => {
            showsLowConfidence.value = isOn;
          }}
        >
          Mark uncertain words
        </Check>
        {speakers.length > 0 ? (
          <Speakers
            speakers={speakers}
            names={reading.speaker_names}
            onChoose={(speaker) => {
              choice.value = { speaker };
            }}
          />
        ) : null}
        {speakers.length > 0 ? (
          <KeepVoice jobId={store.id} speakers={speakers} names={reading.speaker_names} onKept={store.load} />
        ) : null}
        <UndoButtons store={store} />
        <SaveStatus editing={editing} />
      </div>
      <Unsaved editing={editing} store={store} onOpen={edit} />
      <div class="transcript-columns" ref={body}>
        {reading.utterances.length === 0 ? (
          <p class="empty">Nobody speaks in this recording.</p>
        ) : (
          <VirtualList
            count={reading.utterances.length}
            label="Transcript"
            handle={list}
            render={(at) => (
              <Utterance
                at={at}
                reading={reading}
                editing={editing}
                showsLowConfidence={showsLowConfidence.value}
                search={find.pattern.value}
                onSeek={seek}
                onSpeaker={() => correctSpeaker(at)}
              />
            )}
          />
        )}
        <Panels store={store} onSeek={seek} />
      </div>
      <SelectionBar store={store} container={body} />
      {choice.value ? (
        <SpeakerDialog
          choice={choice.value}
          store={store}
          onClose={() => {
            choice.value = undefined;
          }}
        />
      ) : null}
      <KeyHints />
    </div>
  );
}
