// One transcript: playback, corrections, export.

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { ApiError, errorMessage } from "../api.ts";
import { useEvery } from "../every.ts";
import { Bar } from "../parts/bar.tsx";
import { Check } from "../parts/check.tsx";
import { progressText } from "../progress-text.ts";
import type { TranscriptionResult } from "../shapes.ts";
import { clock, moment } from "../time.ts";
import { ExportPanel } from "../transcript/export-panel.tsx";
import { KeepVoice } from "../transcript/keep-voice.tsx";
import { createPlayer } from "../transcript/player.ts";
import { PlayerBar } from "../transcript/player-bar.tsx";
import { Panels } from "../transcript/side.tsx";
import { Speakers } from "../transcript/speaker-names.tsx";
import { type TranscriptStore, transcriptStore } from "../transcript/store.ts";
import { Utterance } from "../transcript/utterance.tsx";
import { type ListHandle, VirtualList } from "../transcript/virtual-list.tsx";
import { jobName } from "./jobs.tsx";

const POLL_MILLISECONDS = 1_000;

export function Transcript() {
  const { params } = useRoute();
  const id = params["id"] ?? "";
  return <Page key={id} id={id} />;
}

function Page({ id }: { id: string }) {
  const store = useMemo(() => transcriptStore(id), [id]);
  const problem = useSignal("");
  const load = () =>
    store.load().then(
      () => {
        problem.value = "";
      },
      (error: unknown) => {
        problem.value =
          error instanceof ApiError && error.status === 404 ? "There is no such job." : errorMessage(error);
      },
    );
  useEffect(() => {
    void load();
  }, [id]);
  const { value: job } = store.job;
  const isOpen = job?.status === "queued" || job?.status === "processing";
  useEvery(POLL_MILLISECONDS, async () => {
    if (isOpen || problem.value !== "") await load();
  });
  if (problem.value) return <p class="empty problem">{problem.value}</p>;
  if (!job) return <p class="empty">Loading…</p>;
  if (job.status === "done" && job.result) return <Result store={store} />;
  return (
    <div class="page">
      <h1>{jobName(job)}</h1>
      {job.status === "error" ? (
        <p class="problem" role="alert">
          {job.error_message}
        </p>
      ) : (
        <div class="card" aria-live="polite">
          <p>{job.kind === "live" ? "The session is still live." : progressText(job.progress)}</p>
          <Bar share={job.progress?.share ?? 0} name="Work on this job" />
        </div>
      )}
    </div>
  );
}

/** Marks the word being played directly in the DOM: rendering the list 60 times a second is too slow. */
function markWord(container: HTMLElement | null, time: number): void {
  container?.querySelector(".word.heard")?.classList.remove("heard");
  for (const word of container?.querySelectorAll<HTMLElement>(".word") ?? []) {
    const { start, end } = word.dataset;
    if (Number(start) <= time && time < Number(end)) {
      word.classList.add("heard");
      return;
    }
  }
}

/** Which track of a file with several was transcribed. Numbers are those of `audio_track`. */
function trackText({ audio_track, number_of_audio_tracks = 1 }: TranscriptionResult["metadata"]): string {
  return audio_track === undefined || number_of_audio_tracks < 2
    ? ""
    : ` · audio track ${audio_track} (of ${number_of_audio_tracks}, counted from 0)`;
}

function Result({ store }: { store: TranscriptStore }) {
  const { query } = useLocation();
  const player = useMemo(() => createPlayer(store.path), [store]);
  const editing = useSignal<number | undefined>(undefined);
  const showsLowConfidence = useSignal(true);
  const follows = useSignal(true);
  const search = useSignal(query["q"] ?? "");
  const list = useRef<ListHandle | undefined>(undefined);
  const body = useRef<HTMLDivElement>(null);
  const job = store.job.value;
  const result = job?.result;
  const reading = store.reading.value;
  useEffect(() => () => player.end(), [player]);

  const current = useComputed(() => {
    const utterances = store.reading.value?.utterances ?? [];
    const { value: time } = player.time;
    let [low, high] = [0, utterances.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((utterances[middle]?.start ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  });
  useEffect(() => player.time.subscribe((time) => markWord(body.current, time)), [player]);
  useEffect(
    () =>
      current.subscribe((index) => {
        if (follows.peek() && player.isPlaying.peek() && editing.peek() === undefined) list.current?.show(index);
      }),
    [player],
  );
  // The address may contain a position: ?t=62 for 1:02.
  useEffect(() => {
    const from = Number(query["t"] ?? Number.NaN);
    if (!Number.isFinite(from)) return;
    player.seek(from);
    list.current?.show(current.value);
  }, [player]);
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target instanceof HTMLElement && target.closest("input, textarea, select, [role=dialog]")) return;
      const isOnControl = target instanceof HTMLElement && target.closest("button, a, summary") !== null;
      const actions: Record<string, () => void> = {
        ...(isOnControl ? {} : { " ": player.toggle }),
        k: player.toggle,
        j: player.back,
        l: player.ahead,
        ">": player.faster,
        "<": player.slower,
        e: () => {
          editing.value = current.value;
          list.current?.show(current.value);
        },
      };
      const action = actions[key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", keys);
    return () => document.removeEventListener("keydown", keys);
  }, [player]);

  const pattern = useComputed(() => {
    const words = search.value.match(/[\p{L}\p{N}]+/gu);
    return words ? new RegExp(words.join("|"), "iu") : undefined;
  });
  const hits = useComputed(() => {
    const { value: searchPattern } = pattern;
    if (!searchPattern) return [];
    return (store.reading.value?.utterances ?? []).flatMap(({ text }, index) =>
      searchPattern.test(text) ? [index] : [],
    );
  });
  const hit = useSignal(-1);
  const nextHit = () => {
    const { value: found } = hits;
    if (found.length === 0) return;
    hit.value = (hit.value + 1) % found.length;
    list.current?.show(found[hit.value] ?? 0);
  };
  useEffect(() => {
    if (search.value) setTimeout(nextHit, 100);
  }, []);

  if (!job || !result || !reading) return null;
  const speakers = [...new Set(reading.utterances.map(({ speaker }) => speaker))]
    .filter((speaker) => speaker !== undefined)
    .sort((left, right) => left - right);
  const seek = (seconds: number) => player.seek(seconds, true);

  return (
    <div class="transcript-page">
      <div class="row between wrap">
        <div>
          <h1>{jobName(job)}</h1>
          <p class="hint">
            {moment(job.created_at)} · {clock(result.metadata.audio_duration)} · {reading.languages.join(", ")}
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
      <PlayerBar player={player} />
      <div class="row wrap transcript-tools">
        <search>
          <form
            class="row"
            onSubmit={(event) => {
              event.preventDefault();
              nextHit();
            }}
          >
            <input
              type="search"
              aria-label="Find in the transcript"
              placeholder="Find in the transcript"
              value={search.value}
              onInput={({ currentTarget }) => {
                search.value = currentTarget.value;
                hit.value = -1;
              }}
            />
            {search.value ? (
              <button type="submit">{hits.value.length === 0 ? "Not there" : `Next of ${hits.value.length}`}</button>
            ) : null}
          </form>
        </search>
        <Check
          isOn={follows.value}
          onChange={(isOn) => {
            follows.value = isOn;
          }}
        >
          Follow the sound
        </Check>
        <Check
          isOn={showsLowConfidence.value}
          onChange={(isOn) => {
            showsLowConfidence.value = isOn;
          }}
        >
          Mark unsure words
        </Check>
        {speakers.length > 0 ? <Speakers speakers={speakers} names={reading.speaker_names} store={store} /> : null}
        {speakers.length > 0 ? (
          <KeepVoice jobId={store.id} speakers={speakers} names={reading.speaker_names} onKept={store.load} />
        ) : null}
      </div>
      <div class="transcript-columns" ref={body}>
        {reading.utterances.length === 0 ? (
          <p class="empty">Nobody speaks in this recording.</p>
        ) : (
          <VirtualList
            count={reading.utterances.length}
            label="Transcript"
            handle={list}
            render={(index) => {
              const utterance = reading.utterances[index];
              return utterance ? (
                <Utterance
                  index={index}
                  utterance={utterance}
                  names={reading.speaker_names}
                  speakers={speakers}
                  isCorrected={reading.corrected_utterances.includes(index)}
                  isEditing={editing.value === index}
                  showsLowConfidence={showsLowConfidence.value}
                  search={pattern.value}
                  store={store}
                  onSeek={seek}
                  onEdit={(isEditing) => {
                    editing.value = isEditing ? index : undefined;
                  }}
                />
              ) : null;
            }}
          />
        )}
        <Panels store={store} onSeek={seek} />
      </div>
      <p class="hint keys">
        <kbd>Space</kbd> play, <kbd>J</kbd> back, <kbd>L</kbd> ahead, <kbd>&lt;</kbd> <kbd>&gt;</kbd> speed,{" "}
        <kbd>E</kbd> edit
      </p>
    </div>
  );
}
