// State of the transcript page: the job, its corrections, and the corrected transcript.
import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Correction, CueEdit, TranscriptChange } from "../../../src/contract/transcript/correction.ts";
import { type CorrectedTranscription, corrected } from "../../../src/service/transcripts/corrections.ts";
import { ApiError, get, send } from "../api.ts";
import { t } from "../language/language.ts";
import { oneAfterAnother, runsInTurn } from "../runs-in-turn.ts";
import type { Corrections, Deliveries, Delivery, Job } from "../shapes.ts";
import { addOnStore } from "./add-ons.ts";
import { isCorrectedSince } from "./corrected-since.ts";
import { lastOf, type MadeHere, madeHere } from "./made-here.ts";
import { noteDrafts } from "./note-drafts.ts";
import { noteStore } from "./note-store.ts";
import { questionStore } from "./question-store.ts";
import { changeOf, isUnanswered, type MayRepeat, UnansweredChanges, untilAnswered } from "./unanswered.ts";

export type { Correction, TranscriptChange };

const CONFLICT = 409;

/** The part of the transcript that a change depends on: the utterances and cues that it names, or the speakers of all. */
function subjectOf(change: TranscriptChange, reading: CorrectedTranscription): string {
  const { merges, splits, utterances = [], joins = [], breaks = [], cues = [] } = change;
  if (merges || splits) return JSON.stringify(reading.utterances.map(({ start, speaker }) => [start, speaker]));
  const indexes = new Set([...utterances, ...breaks, ...joins].map(({ index }) => index));
  for (const { into } of joins) indexes.add(into);
  const named = reading.utterances.filter((_, at) => indexes.has(reading.source_utterances[at] ?? -1));
  const isNamed = (edit: CueEdit) =>
    cues.some(
      ({ channel, words_start, words_end }) =>
        channel === edit.channel && words_start <= edit.words_end && edit.words_start <= words_end,
    );
  return JSON.stringify([named, cues.length > 0 ? (reading.cue_edits ?? []).filter(isNamed) : []]);
}

/** The transcript as it is stored, and as it is shown: with changes that the service does not have yet. */
function shownTranscript(
  job: ReadonlySignal<Job | undefined>,
  corrections: ReadonlySignal<Correction[]>,
  showsCorrected: ReadonlySignal<boolean>,
) {
  /** Changes that are shown before the service has stored them. */
  const pending = signal<TranscriptChange[]>([]);

  const recognised = computed(() => job.value?.result?.transcription);
  const stored = computed(
    () => recognised.value && corrected(recognised.value, showsCorrected.value ? corrections.value : []),
  );
  const withChanges = (changes: readonly TranscriptChange[]) =>
    recognised.value &&
    corrected(recognised.value, [...corrections.value, ...changes.map((change) => ({ ...change, undone_at: null }))]);
  const reading = computed(() =>
    showsCorrected.value && pending.value.length > 0 ? withChanges(pending.value) : stored.value,
  );
  return { pending, recognised, stored, withChanges, reading };
}

interface Shown {
  pending: Signal<TranscriptChange[]>;
  corrections: Signal<Correction[]>;
  stored: ReadonlySignal<CorrectedTranscription | undefined>;
  made: MadeHere;
}

/** The corrections that the service has. */
function storedCorrections(path: string, { pending, corrections, stored, made }: Shown) {
  let version = 0;
  const unanswered = new UnansweredChanges();
  const loadCorrections = runsInTurn(async () => {
    const before = version;
    const list = await get<Corrections>(`${path}/corrections`);
    // Every change increases the version. A list with a lower one is outdated if this page has stored a change since the request. Otherwise the
    // service was restored from a backup.
    if (list.version === version || (list.version < version && version !== before)) return;
    version = list.version;
    batch(() => {
      corrections.value = list.items;
      for (const id of unanswered.found(list.items)) made.add(id);
    });
  });

  const put = async (change: TranscriptChange) => {
    const known = corrections.value;
    const body = { ...change, version };
    const request = send<Correction & { version: number }>("PATCH", `${path}/transcript`, body);
    const correction = await request.catch((error: unknown) => {
      if (isUnanswered(error)) unanswered.add(change, known);
      throw error;
    });
    unanswered.answered(change);
    version = Math.max(version, correction.version);
    batch(() => {
      pending.value = pending.value.filter((one) => one !== change);
      corrections.value = [...corrections.value.filter(({ id }) => id !== correction.id), correction];
      made.add(correction.id);
    });
  };
  /** Repeats a change if the part of the transcript that it depends on has not changed. @throws ApiError */
  const correctNow = async (change: TranscriptChange, basis: string | undefined) => {
    const former = version;
    const before = stored.value && subjectOf(change, stored.value);
    if (basis !== undefined && before !== basis) throw new ApiError(CONFLICT, t.saving.changedMeanwhile);
    try {
      await put(change);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== CONFLICT) throw error;
      const wasUnanswered = unanswered.has(change);
      await loadCorrections();
      // An earlier request for it, whose answer was lost, has stored it.
      if (wasUnanswered && !unanswered.has(change)) return;
      if (version === former) throw error;
      if (!stored.value || subjectOf(change, stored.value) !== before)
        throw new ApiError(CONFLICT, t.saving.changedMeanwhile);
      await put(change);
    }
  };
  return { loadCorrections, correctNow, isUnansweredChange: (change: TranscriptChange) => unanswered.has(change) };
}

interface HistoryParts {
  path: string;
  loadCorrections(): Promise<void>;
  correct(change: TranscriptChange): Promise<void>;
  inTurn: ReturnType<typeof oneAfterAnother>;
  made: MadeHere;
  lastMade: ReadonlySignal<Correction | undefined>;
  undone: Signal<TranscriptChange[]>;
}

/** Undoes and redoes corrections. */
function historyOf({ path, loadCorrections, correct, inTurn, made, lastMade, undone }: HistoryParts) {
  const undo = async (correction: string) => {
    await send<Correction>("DELETE", `${path}/corrections/${correction}`);
    made.drop(correction);
    await loadCorrections();
  };
  return {
    /** @throws ApiError */
    undo,
    /** Undoes the last correction that was made in this browser, also before a reload. @throws ApiError */
    undoLast: () =>
      inTurn(async () => {
        const { value: correction } = lastMade;
        if (!correction) return;
        await undo(correction.id);
        undone.value = [changeOf(correction), ...undone.value];
      }),
    /** @throws ApiError */
    async redoLast() {
      // An event may show the undo on this page before the request for it has its answer, with which the change joins the list.
      await inTurn(async () => undefined);
      const [last, ...rest] = undone.value;
      if (!last) return;
      // Taken from the list first: the next redo may come before the service has answered.
      undone.value = rest;
      try {
        await correct(last);
      } catch (error) {
        undone.value = [last, ...undone.value];
        throw error;
      }
    },
  };
}

/** @param account  name of the account that opened the transcript */
export function transcriptStore(id: string, account: string | undefined) {
  const job = signal<Job | undefined>(undefined);
  const corrections = signal<Correction[]>([]);
  const deliveries = signal<Delivery[]>([]);
  const showsCorrected = signal(true);
  /** Corrections that were made in this browser, and those that were undone on this page; the last one first. */
  const made = madeHere(id, account);
  const lastMade = computed(() => lastOf(made.ids.value, corrections.value));
  const undone = signal<TranscriptChange[]>([]);
  const path = `/v2/transcription/${id}`;
  const { pending, recognised, stored, withChanges, reading } = shownTranscript(job, corrections, showsCorrected);

  const shown = { pending, corrections, stored, made };
  const { loadCorrections, correctNow, isUnansweredChange } = storedCorrections(path, shown);
  const notes = noteStore(path);
  const reloadJob = runsInTurn(async () => {
    job.value = await get<Job>(path);
  });
  const addOns = addOnStore(path, () => Promise.all([reloadJob(), loadCorrections()]));
  const loadChanges = () => Promise.all([loadCorrections(), notes.load(), addOns.load()]);
  const inTurn = oneAfterAnother();
  /**
   * Shows a change, then stores it. Each change names the version before it.
   * @param basis  a transcript whose utterances the change must still find as they are
   * @param mayRepeat  called when a request gets no answer; true sends it again @throws ApiError
   */
  const correct = (change: TranscriptChange, basis = reading.peek(), mayRepeat?: MayRepeat) => {
    const subject = basis && subjectOf(change, basis);
    showsCorrected.value = true;
    pending.value = [...pending.value, change];
    const store = async () => {
      // New speakers may divide the paragraphs: the change must still find its own.
      if (addOns.open.peek()) await addOns.load();
      return correctNow(change, subject);
    };
    const repeated = () => untilAnswered(store, () => isUnansweredChange(change), mayRepeat);
    return inTurn(repeated).finally(() => {
      if (pending.value.includes(change)) pending.value = pending.value.filter((one) => one !== change);
    });
  };
  const history = historyOf({ path, loadCorrections, correct, inTurn, made, lastMade, undone });

  return {
    id,
    account,
    path,
    job,
    corrections,
    /** Ids of the corrections that were made in this browser, the last one first. */
    made: made.ids,
    notes,
    noteDrafts: noteDrafts(id, account),
    questions: questionStore(id, path),
    deliveries,
    showsCorrected,
    reading,
    /** As it was recognised. */
    recognised,
    /** The shown transcript as it would read with one more change. */
    preview: (change: TranscriptChange) => withChanges([...pending.peek(), change]),
    /** Length of the recording. */
    seconds: computed(() => job.value?.result?.metadata.audio_duration ?? 0),
    canUndo: computed(() => lastMade.value !== undefined),
    /** What is added later. */
    addOns,
    /** Whether the text was corrected after an add-on was made. */
    isOlder(addon: string): boolean {
      const { completed_at, result } = job.value ?? {};
      return isCorrectedSince(result?.metadata.added_at?.[addon] ?? completed_at, corrections.value);
    },
    canRedo: computed(() => undone.value.length > 0),
    /** @throws ApiError */
    load: runsInTurn(async () => {
      // Before the job: if add-ons end in between, the next load of them reads the job again.
      await addOns.load();
      const found = await get<Job>(path);
      if (found.status === "done") await Promise.all([loadCorrections(), notes.load()]);
      job.value = found;
    }),
    /** Requests the corrections and notes of other people. If the service does not answer, the page keeps its own lists. */
    refresh: () => loadChanges().catch(() => undefined),
    /** As `refresh`, for the corrections alone. */
    refreshCorrections: () => loadCorrections().catch(() => undefined),
    async loadDeliveries() {
      deliveries.value = (await get<Deliveries>(`${path}/deliveries?limit=100`)).items;
    },
    /** @throws ApiError */
    async correct(change: TranscriptChange, basis?: CorrectedTranscription, mayRepeat?: MayRepeat) {
      await correct(change, basis, mayRepeat);
      undone.value = [];
    },
    ...history,
  };
}

export type TranscriptStore = ReturnType<typeof transcriptStore>;
