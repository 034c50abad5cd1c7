// The places of a repeated correction in the transcripts of an account. The search finds the transcripts; each place is found in the
// transcript as it reads now. Places that a client chooses become ordinary corrections, one for each transcript.
import { firstOf } from "../../contract/first-of.ts";
import type { ChosenPlace, PLACE_STATES } from "../../contract/repeated-corrections.ts";
import { type Correction, type TranscriptChange, versionOf } from "../../contract/transcript/correction.ts";
import { errors, ParlanceError, toParlanceError } from "../../platform/errors.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import type { DatabaseTime } from "../../platform/storage/db/database-time.ts";
import { findFile } from "../../platform/storage/db/files/files.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import { insertCorrection, printedCorrections } from "../../platform/storage/db/jobs/corrections.ts";
import { findJobWithFile, type JobWithFile } from "../../platform/storage/db/jobs/job-files.ts";
import { jobsWithPhrase } from "../../platform/storage/db/jobs/replaced-phrases.ts";
import type { StoredResults } from "../jobs/stored-results.ts";
import type { TranscriptProcess } from "../transcripts/process/transcript-process.ts";
import type { Phrase, PhrasePlace, PlaceTime } from "../transcripts/teaching/phrase-places.ts";

export interface PlaceServices {
  database: Database;
  results: Pick<StoredResults, "path">;
  transcriptProcess: Pick<TranscriptProcess, "places">;
}

/** Transcripts that one page reads. */
const MOST_READ = 10;
const ALL_PLACES = 1_000_000;
/** Attempts to store a correction when other corrections of the transcript are stored at the same time. */
const MOST_ATTEMPTS = 5;

/** The position in the list of places at which a page begins: a job, and a place of it. */
export interface PagePosition {
  jobId: string;
  /** The page begins after this place; missing: with the first place of the job. Corrected places do not move the others. */
  after?: PlaceTime;
}

interface FoundPlaces {
  places: { row: JobWithFile; hasAudio: boolean; place: PhrasePlace }[];
  next: PagePosition | undefined;
  /** Transcripts that could not be read. */
  unread: number;
}

/** Of jobs that were deleted or whose transcript is gone or damaged. */
const UNREADABLE = new Set(["request.not_found", "job.no_transcript", "job.result_damaged", "job.result_remade"]);

interface Caller {
  accountId: string;
  signal: AbortSignal;
}

export async function findPlaces(
  { database, results, transcriptProcess }: PlaceServices,
  { accountId, signal }: Caller,
  phrase: Phrase,
  { position, limit }: { position: PagePosition | undefined; limit: number },
): Promise<FoundPlaces> {
  const search = { accountId, phrase: phrase.before, until: position?.jobId, limit: MOST_READ + 1 };
  const ids = await jobsWithPhrase(database, search);
  const found: FoundPlaces = { places: [], next: undefined, unread: 0 };
  for (const id of firstOf(ids, MOST_READ).first) {
    const after = id === position?.jobId ? position.after : undefined;
    const most = limit - found.places.length;
    if (most === 0) return { ...found, next: { jobId: id } };
    const row = await findJobWithFile(database, id);
    if (!row) continue;
    try {
      const source = { result: await results.path(row), corrections: () => printedCorrections(database, id) };
      const range = { after, most };
      const { places, rest } = await transcriptProcess.places({ tenant: accountId, signal }, source, phrase, range);
      const file = places.length > 0 && row.file ? await findFile(database, row.file.id) : undefined;
      const hasAudio = file !== undefined && file.audio_deleted_at === null;
      found.places.push(...places.map((place) => ({ row, hasAudio, place })));
      const last = places.at(-1);
      if (rest > 0 && last) return { ...found, next: { jobId: id, after: { index: last.index, start: last.start } } };
    } catch (thrown) {
      if (!UNREADABLE.has(toParlanceError(thrown).code)) throw thrown;
      found.unread++;
    }
  }
  const following = ids[MOST_READ];
  return { ...found, next: following === undefined ? undefined : { jobId: following } };
}

type PlaceState = (typeof PLACE_STATES)[number];

interface CorrectedTranscript {
  correction: Correction | undefined;
  version: number | undefined;
  /** Why it was refused. */
  message?: string;
  /** Of each place, in the order of the request. */
  states: PlaceState[];
}

interface Author extends Caller {
  keyName: string;
  newId(): string;
  now(): DatabaseTime;
}

const nameOf = ({ index, start, end, text }: Pick<ChosenPlace, "index" | "start" | "end" | "text">) =>
  JSON.stringify([index, start, end, text]);

const isOutdated = (thrown: unknown) => thrown instanceof ParlanceError && thrown.code === "correction.outdated";

async function correctOnce(
  { database, results, transcriptProcess }: PlaceServices,
  { accountId, signal, keyName, newId, now }: Author,
  phrase: Phrase,
  row: JobWithFile,
  chosen: readonly ChosenPlace[],
): Promise<CorrectedTranscript> {
  let version = 0;
  const corrections = async () => {
    const before = await printedCorrections(database, row.id);
    version = row.divisions + versionOf(before);
    return before;
  };
  const source = { result: await results.path(row), corrections };
  const range = { after: undefined, most: ALL_PLACES };
  const { places } = await transcriptProcess.places({ tenant: accountId, signal }, source, phrase, range);
  const there = new Map(places.map((place) => [nameOf(place), place]));
  const states = chosen.map((one): PlaceState => (there.has(nameOf(one)) ? "corrected" : "changed"));
  const utterances = [...new Set(chosen.map(nameOf))].flatMap((name) => {
    const place = there.get(name);
    return place ? [{ index: place.index, start: place.start, end: place.end, text: place.replacement }] : [];
  });
  if (utterances.length === 0) return { correction: undefined, version, states };
  const change: TranscriptChange = { utterances };
  const correction = { id: newId(), jobId: row.id, madeBy: keyName, change, resultKey: row.result_key, version };
  return { ...(await insertCorrection(database, correction, now())), states };
}

/**
 * Corrects the chosen places of one transcript that read as the client has seen them.
 * @throws work.aborted; other failures are a part of the answer, because other transcripts may be corrected already
 */
export async function correctPlaces(
  services: PlaceServices,
  author: Author,
  phrase: Phrase,
  jobId: string,
  chosen: readonly ChosenPlace[],
): Promise<CorrectedTranscript> {
  const none = { correction: undefined, version: undefined };
  const row = isUuid(jobId) ? await findJobWithFile(services.database, jobId) : undefined;
  if (row?.account_id !== author.accountId) return { ...none, states: chosen.map(() => "deleted") };
  for (let attempt = 1; ; attempt++) {
    try {
      return await correctOnce(services, author, phrase, row, chosen);
    } catch (thrown) {
      if (isOutdated(thrown) && attempt < MOST_ATTEMPTS) continue;
      const { code, status, message } = toParlanceError(thrown);
      if (author.signal.aborted) throw errors.aborted();
      if (code === "request.not_found") return { ...none, states: chosen.map(() => "deleted") };
      if (status === 500) throw thrown;
      return { ...none, message, states: chosen.map(() => "refused") };
    }
  }
}
