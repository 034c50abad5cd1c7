// Keys of recordings, results and stage outputs in the object store.

const KEY = /^[A-Za-z0-9][\w.-]*(\/[A-Za-z0-9][\w.-]*)*$/;

/** Whether a text can be the key of an object: a path of safe segments. */
export const isKey = (text: string) => KEY.test(text);

/** Holds the identity of a store; see store-identity.ts. It belongs to no job and is not copied to other stores. */
export const IDENTITY_KEY = "store-identity";
/** Holds the mark of the last search for orphans; see orphans.ts. Likewise. */
export const MARK_KEY = "orphan-round";
/** Kind of store and a UUID. */
const IDENTITY = /^(folder|bucket):[0-9a-f-]{36}$/;
/** @returns undefined if the text is not an identity */
export const identityIn = (text: string) => (IDENTITY.test(text.trim()) ? text.trim() : undefined);

export const audioKey = (fileId: string) => `audio/${fileId}`;
/** Loudness of the recording over time, of the track that a job named or of the one that is used by default. */
export const peaksKey = (fileId: string, track?: number) =>
  track === undefined ? `peaks/${fileId}.json` : `${trackPeaksFolder(fileId)}/track-${track}.json`;
/** Folder with the peaks of the tracks that jobs named. */
export const trackPeaksFolder = (fileId: string) => `peaks/${fileId}`;
/** A recording that an attempt of a job fetched. */
export const fetchedKey = (jobId: string, attempt: number) => `audio/${jobId}.${attempt}`;
/** Parts of an upload that is not complete. */
export const uploadFolder = (uploadId: string) => `uploads/${uploadId}`;
/** @param writer  the request that stores the part: two requests may store bytes of the same position */
export const uploadPartKey = (uploadId: string, start: number, writer: string) =>
  `${uploadFolder(uploadId)}/${start}.${writer}`;
const WORK_FOLDER = /^jobs\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** @returns the job whose working files the folder has; undefined for other keys */
export const jobOfWorkFolder = (key: string) => WORK_FOLDER.exec(key)?.[1];
const AUDIO = /^audio\/([0-9a-f-]{36})(?:\.\d+)?$/;

/** @returns the file whose recording lies under the key; undefined for other objects */
export const fileIdOf = (key: string) => AUDIO.exec(key)?.[1];
/** Result of a live session, or of the first attempt of a job. */
export const resultKey = (jobId: string) => `results/${jobId}.json`;
/** Result that an attempt of a recorded job assembled. The first one has the name that versions without attempts use. */
export const attemptResultKey = (jobId: string, attempt: number) =>
  attempt <= 1 ? resultKey(jobId) : `results/${jobId}.${attempt}.json`;
/** Result of a job after an attempt to give it add-ons. @param addOns  id of the request for them */
export const addOnsResultKey = (jobId: string, addOns: string, attempt: number) =>
  `results/${jobId}.${addOns}.${attempt}.json`;
/** An attempt removes what earlier ones left: only this many can have objects. It also bounds the work for a damaged row. */
const MOST_ATTEMPTS_WITH_OBJECTS = 32;
/** Numbers of the attempts of a job that may have stored objects, in order. @param last  number of the last attempt */
export function attemptsWithObjects(last: number): number[] {
  const first = Math.max(1, last - MOST_ATTEMPTS_WITH_OBJECTS + 1);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}
/** Keys of the results that the attempts of a job may have stored. @param last  number of the last attempt @param own  key that is left out, if there is one */
export const otherResultKeys = (jobId: string, last: number, own: string | null): string[] =>
  attemptsWithObjects(last)
    .map((one) => attemptResultKey(jobId, one))
    .filter((key) => key !== own);
/**
 * Keys of the recording and the result of a live session. They contain the number of the ownership, so that a stalled owner does not
 * overwrite what the next owner has stored.
 * @param epoch  number of the ownership; undefined where one process can own the session
 */
export const liveKeys = (jobId: string, epoch: number | undefined) => ({
  audio: epoch === undefined ? audioKey(jobId) : `audio/${jobId}.${epoch}`,
  result: epoch === undefined ? resultKey(jobId) : `results/${jobId}.${epoch}.json`,
});
/** Files of a running live session, in the data folder of its machine. */
export const liveFolder = (jobId: string) => `live/${jobId}`;
const MODELS = "models";
/** Copies of installed models, for the processes that share them. They belong to no job and are not copied to other stores. */
export const modelFolder = (id: string) => `${MODELS}/${id}`;
export const isModelKey = (key: string) => key.startsWith(`${MODELS}/`);
