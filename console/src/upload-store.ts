// What this browser has not sent yet, in its database: files that wait, and pieces of a recording that is being made. Each
// entry belongs to one open page; entries of a page that was closed, reloaded or lost are taken over by another page.
import { forget, namesOf, readChoice, storeChoice } from "./memory.ts";

export interface StoredUpload {
  key: string;
  account: string;
  /** The page that works on it. */
  page: string;
  name: string;
  options: Record<string, unknown>;
  /** Absent once the job exists. */
  source?: File | string;
  /** Address of the file at the service, once it is sent: a job may use it already. */
  sent?: string;
  job?: string;
}

interface StoredPiece {
  /** Of the recording. */
  key: string;
  number: number;
  account: string;
  page: string;
  name: string;
  piece: Blob;
}

const [UPLOADS, PIECES] = ["uploads", "pieces"];
const BEAT_MILLISECONDS = 5_000;
/** Browsers run timers of hidden pages once a minute. */
const LOST_MILLISECONDS = 150_000;
const page = `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;

const beat = () => storeChoice(`page.${page}`, Date.now());
const isOpen = (other: string) => Date.now() - readChoice(`page.${other}`, 0) < LOST_MILLISECONDS;

/** Marks this page as open. @param onShown  called when the browser shows the page again after it was left */
export function keepPageOpen(onShown: () => void): void {
  for (const name of namesOf("page.")) if (!isOpen(name.slice("page.".length))) forget(name);
  beat();
  setInterval(beat, BEAT_MILLISECONDS);
  addEventListener("pagehide", () => forget(`page.${page}`));
  addEventListener("pageshow", (event) => {
    if (event.persisted) onShown();
  });
}

let opened: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("parlance", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(UPLOADS, { keyPath: "key" });
      request.result.createObjectStore(PIECES, { keyPath: ["key", "number"] });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/** @param work  requests of one transaction @returns its result, when everything is written */
async function transact<Value>(store: string, work: (store: IDBObjectStore) => IDBRequest<Value>): Promise<Value> {
  const transaction = (await database()).transaction(store, "readwrite");
  const request = work(transaction.objectStore(store));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** @throws DOMException  where the browser has no room or no database */
export async function storeUpload(upload: Omit<StoredUpload, "page">): Promise<void> {
  await transact(UPLOADS, (store) => store.put({ ...upload, page }));
}

export async function removeUpload(key: string): Promise<void> {
  await transact(UPLOADS, (store) => store.delete(key)).catch(() => undefined);
}

/** Entries whose page is no longer open become this page's. */
async function takeOver<Entry extends { account: string; page: string }>(
  store: string,
  account: string,
): Promise<Entry[]> {
  const taken: Entry[] = [];
  await transact<IDBCursorWithValue | null>(store, (entries) => {
    const request = entries.openCursor();
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return;
      const entry = cursor.value as Entry;
      if (entry.account === account && entry.page !== page && !isOpen(entry.page)) {
        taken.push(entry);
        cursor.update({ ...entry, page });
      }
      cursor.continue();
    };
    return request;
  });
  return taken;
}

/** Uploads of this account that a page left behind. */
export const takeOverUploads = (account: string): Promise<StoredUpload[]> => takeOver(UPLOADS, account);

const piecesOf = (key: string) => IDBKeyRange.bound([key, 0], [key, Number.POSITIVE_INFINITY]);

async function removePieces(key: string): Promise<void> {
  await transact(PIECES, (store) => store.delete(piecesOf(key))).catch(() => undefined);
}

export interface LeftRecording {
  file: File;
  /** Removes the pieces, once the file is stored elsewhere. */
  remove(): Promise<void>;
}

/** Recordings of this account that a page left behind. */
export async function takeOverRecordings(account: string): Promise<LeftRecording[]> {
  const pieces = await takeOver<StoredPiece>(PIECES, account);
  return [...new Set(pieces.map(({ key }) => key))].map((key) => {
    const own = pieces.filter((one) => one.key === key).sort((left, right) => left.number - right.number);
    const blobs = own.map(({ piece }) => piece);
    const file = new File(blobs, own[0]?.name ?? "recording.webm", { type: blobs[0]?.type ?? "" });
    return { file, remove: () => removePieces(key) };
  });
}

/** Stores the pieces of a recording as they are made. */
export class RecordingStore {
  private readonly key = `${page}.${Date.now().toString(36)}`;
  private number = 0;

  constructor(
    private readonly account: string,
    private readonly name: string,
  ) {}

  /** @throws DOMException  where the browser has no room or no database */
  async add(piece: Blob): Promise<void> {
    const { key, account, name } = this;
    await transact(PIECES, (store) => store.put({ key, number: this.number++, account, page, name, piece }));
  }

  remove(): Promise<void> {
    return removePieces(this.key);
  }
}
