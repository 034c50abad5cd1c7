// The places of a repeated correction: each is shown as it reads and as it would read, before any is changed.
import { type Signal, signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { MOST_CORRECTED_PLACES } from "../../../src/contract/bounds.ts";
import { firstOf } from "../../../src/contract/first-of.ts";
import { at } from "../address.ts";
import { errorMessage } from "../api.ts";
import { jobName } from "../job-name.ts";
import { t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import { Check } from "../parts/check.tsx";
import { DialogHead, Problem } from "../parts/dialog-parts.tsx";
import type { AppliedPlaces, CorrectablePlace, PlacesPage, RepeatedCorrection } from "../shapes.ts";
import { clock, moment } from "../time.ts";
import { correctPlaces, nextPlaces, undoPlaces } from "./repeated.ts";

/** Before and after the words that are played. */
const AROUND_SECONDS = 1.5;

const keyOf = ({ job_id, index, start }: CorrectablePlace) => `${job_id} ${index} ${start}`;

interface Row extends CorrectablePlace {
  isChosen: Signal<boolean>;
}

function byRecording(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.job_id);
    if (group) group.push(row);
    else groups.set(row.job_id, [row]);
  }
  return groups;
}

/** Plays a stretch of one recording at a time. */
function stretchPlayer() {
  const audio = new Audio();
  let until = 0;
  audio.addEventListener("timeupdate", () => {
    if (audio.currentTime >= until) audio.pause();
  });
  return {
    play({ job_id, words }: CorrectablePlace) {
      const address = at(`/v2/transcription/${job_id}/file`);
      const [first, last] = [words[0]?.start ?? 0, words.at(-1)?.end ?? 0];
      if (audio.getAttribute("src") !== address) audio.src = address;
      until = last + AROUND_SECONDS;
      audio.currentTime = Math.max(0, first - AROUND_SECONDS);
      void audio.play().catch(() => undefined);
    },
    end() {
      audio.pause();
      audio.removeAttribute("src");
    },
  };
}

const shownName = ({ name, filename, created_at }: CorrectablePlace) =>
  jobName({
    ...{ name, created_at, kind: "pre-recorded" },
    file: filename === null ? null : { id: "", filename, source: null, audio_duration: null, number_of_channels: null },
  });

function PlaceRow({ row, onPlay }: { row: Row; onPlay(): void }) {
  const { text, replacement, text_before, text_after, words, language, has_audio } = row;
  return (
    <li class="place">
      <input
        type="checkbox"
        aria-label={t.teaching.choose(`${text_before} ${text} ${text_after}`.trim())}
        checked={row.isChosen.value}
        onChange={({ currentTarget }) => {
          row.isChosen.value = currentTarget.checked;
        }}
      />
      <span class="place-text" dir="auto" lang={language}>
        {text_before} <del>{text}</del>{" "}
        <span class="pointing" aria-hidden="true">
          →
        </span>{" "}
        <ins>{replacement}</ins> {text_after}
      </span>
      {has_audio ? (
        <button type="button" class="stamp" aria-label={t.teaching.play(clock(words[0]?.start ?? 0))} onClick={onPlay}>
          <span aria-hidden="true">▶</span> {clock(words[0]?.start ?? 0)}
        </button>
      ) : (
        <span class="hint">{clock(words[0]?.start ?? 0)}</span>
      )}
    </li>
  );
}

function Outcome({ applied, onUndo, isBusy }: { applied: AppliedPlaces; onUndo(): void; isBusy: boolean }) {
  const states = applied.transcripts.flatMap(({ places }) => places.map(({ state }) => state));
  const count = (wanted: string) => states.filter((state) => state === wanted).length;
  const messages = applied.transcripts.flatMap(({ message }) => message ?? []);
  return (
    <div role="status">
      <p>{t.teaching.corrected(applied.corrected)}</p>
      {count("changed") > 0 ? <p class="problem">{t.teaching.changed(count("changed"))}</p> : null}
      {count("deleted") > 0 ? <p class="problem">{t.teaching.deleted(count("deleted"))}</p> : null}
      {messages[0] ? <p class="problem">{t.teaching.refused(said(messages[0]))}</p> : null}
      {applied.corrected > 0 ? (
        <button type="button" disabled={isBusy} onClick={onUndo}>
          {t.teaching.undo}
        </button>
      ) : null}
    </div>
  );
}

/** State of the dialog. */
function usePlaces(repeated: RepeatedCorrection, first: PlacesPage | undefined) {
  const rowsOf = ({ items }: PlacesPage): Row[] => items.map((item) => ({ ...item, isChosen: signal(true) }));
  const rows = useSignal<Row[]>(first ? rowsOf(first) : []);
  const next = useSignal<string | null>(first?.next ?? null);
  const unread = useSignal(first?.unread ?? 0);
  const isLoading = useSignal(!first);
  const isBusy = useSignal(false);
  const problem = useSignal("");
  const applied = useSignal<AppliedPlaces | undefined>(undefined);
  const isUndone = useSignal(false);
  const gone = useRef(new AbortController());
  const load = async () => {
    isLoading.value = true;
    problem.value = "";
    try {
      const page = await nextPlaces(repeated, next.value, gone.current.signal);
      const known = new Set(rows.value.map(keyOf));
      rows.value = [...rows.value, ...rowsOf(page).filter((row) => !known.has(keyOf(row)))];
      next.value = page.next;
      unread.value += page.unread;
    } catch (error) {
      if (!gone.current.signal.aborted) problem.value = errorMessage(error);
    }
    isLoading.value = false;
  };
  const run = async (work: () => Promise<void>) => {
    isBusy.value = true;
    problem.value = "";
    await work().catch((error: unknown) => {
      problem.value = errorMessage(error);
    });
    isBusy.value = false;
  };
  const chosen = useComputed(() => rows.value.filter(({ isChosen }) => isChosen.value));
  const apply = () =>
    run(async () => {
      // The others stay in the list, and the button counts them.
      const { first: places } = firstOf(chosen.peek(), MOST_CORRECTED_PLACES);
      isUndone.value = false;
      applied.value = await correctPlaces(repeated, places);
      const done = new Set(places.map(keyOf));
      rows.value = rows.value.filter((row) => !done.has(keyOf(row)));
    });
  const undo = () =>
    run(async () => {
      const failures = applied.value ? await undoPlaces(applied.value) : [];
      if (failures[0]) throw new Error(failures[0]);
      applied.value = undefined;
      isUndone.value = true;
      rows.value = [];
      next.value = null;
      await load();
    });
  return { rows, next, unread, isLoading, isBusy, problem, applied, isUndone, gone, chosen, load, apply, undo };
}

interface PlacesDialogProps {
  repeated: RepeatedCorrection;
  /** Loaded already. */
  first?: PlacesPage | undefined;
  onClose(): void;
}

export function PlacesDialog({ repeated, first, onClose }: PlacesDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const player = useRef<ReturnType<typeof stretchPlayer> | undefined>(undefined);
  const places = usePlaces(repeated, first);
  const { rows, next, unread, isLoading, isBusy, problem, applied, isUndone, chosen } = places;
  useEffect(() => {
    dialog.current?.showModal();
    if (!first) void places.load();
    return () => {
      places.gone.current.abort();
      player.current?.end();
    };
  }, []);
  const play = (row: Row) => {
    player.current ??= stretchPlayer();
    player.current.play(row);
  };
  const isAll = rows.value.length > 0 && chosen.value.length === rows.value.length;
  return (
    <dialog ref={dialog} class="speaker-dialog places-dialog" aria-label={t.teaching.title} onClose={onClose}>
      <DialogHead of={dialog}>
        <del>{repeated.before}</del>{" "}
        <span class="pointing" aria-hidden="true">
          →
        </span>{" "}
        <ins>{repeated.after}</ins>
      </DialogHead>
      <Problem text={problem.value} />
      {applied.value ? (
        <Outcome applied={applied.value} onUndo={() => void places.undo()} isBusy={isBusy.value} />
      ) : null}
      {isUndone.value ? <p role="status">{t.teaching.undone}</p> : null}
      {rows.value.length > 1 ? (
        <Check
          isOn={isAll}
          onChange={(isOn) => {
            for (const { isChosen } of rows.value) isChosen.value = isOn;
          }}
        >
          {t.teaching.all}
        </Check>
      ) : null}
      <div class="places">
        {[...byRecording(rows.value)].map(([id, ofJob]) => (
          <section key={id}>
            <h3>
              <a href={at(`/jobs/${id}`)}>{shownName(ofJob[0] as Row)}</a>{" "}
              <small>{moment((ofJob[0] as Row).created_at)}</small>
            </h3>
            <ul class="plain">
              {ofJob.map((row) => (
                <PlaceRow key={keyOf(row)} row={row} onPlay={() => play(row)} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {unread.value > 0 ? <p class="hint">{t.teaching.unread(unread.value)}</p> : null}
      <p role="status" class="hint">
        {isLoading.value ? t.teaching.looking : ""}
        {!isLoading.value && rows.value.length === 0 && next.value === null && !applied.value
          ? t.teaching.noPlaces
          : ""}
      </p>
      <div class="row wrap">
        {rows.value.length > 0 ? (
          <button
            type="button"
            class="primary"
            disabled={isBusy.value || chosen.value.length === 0}
            onClick={() => void places.apply()}
          >
            {isBusy.value
              ? t.teaching.correcting
              : t.teaching.correct(Math.min(chosen.value.length, MOST_CORRECTED_PLACES))}
          </button>
        ) : null}
        {next.value !== null && !isLoading.value ? (
          <button type="button" onClick={() => void places.load()}>
            {t.teaching.lookForMore}
          </button>
        ) : null}
      </div>
    </dialog>
  );
}
