// The browser's database of unsent data: files that wait, and pieces of a recording in progress. An entry belongs to one open page; when
// that page is closed or reloaded, another page takes it over.
import { prefix } from "./address.ts";
import { newKey, openPages, page } from "./open-pages.ts";

interface Entry {
  key: string;
  account: string;
  /** The page that works on it. */
  page: string;
  /** When it was stored last, milliseconds. */
  at: number;
  name: string;
}

export interface StoredUpload extends Entry {
  options: Record<string, unknown>;
  /** A file is absent once the job exists, or where the browser has no room for it. */
  source?: File | string;
  /** Identifies a file that is absent: a person chooses it again if the service does not have it. */
  wanted?: Pick<File, "size" | "lastModified">;
  /** Path of the upload at the service while the file is being sent: another page continues it. */
  unfinished?: string;
  /** Address of the file at the service, once it is sent: a job may use it already. */
  sent?: string;
  /** Absent in entries of an earlier version. */
  isRecorded?: boolean;
  /** Why the service refused the file or its options. */
  refusal?: string;
  /** Whether no attempt with this file can succeed. */
  isFinal?: boolean;
  job?: string;
  /** A request for a job with this audio track got no answer so far. `known`: the jobs of the file before it. */
  unanswered?: { track: number; known: readonly string[] };
}

interface StoredRecording extends Entry {
  /** Path of the upload at the service, which has a part of the recording. */
  unfinished?: string;
}

interface StoredPiece {
  /** Of the recording. */
  key: string;
  number: number;
  piece: Blob;
}

interface StoredAudio {
  /** Of the live session and its page. */
  key: string;
  /** Position of the first byte, from the beginning of the page's audio. */
  number: number;
  bytes: Uint8Array<ArrayBuffer>;
}

const [UPLOADS, RECORDINGS, PIECES] = ["uploads", "recordings", "pieces"];
/** What was left behind for longer is removed when another account signs in. */
export const KEPT_MILLISECONDS = 7 * 24 * 3_600_000;

let opened: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    // Databases belong to a host; several services may have one behind a proxy.
    const request = indexedDB.open(`parlance${prefix}`, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(UPLOADS, { keyPath: "key" });
      request.result.createObjectStore(RECORDINGS, { keyPath: "key" });
      request.result.createObjectStore(PIECES, { keyPath: ["key", "number"] });
    };
    request.onsuccess = () => {
      request.result.onclose = () => {
        opened = undefined;
      };
      resolve(request.result);
    };
    request.onerror = () => {
      opened = undefined;
      reject(request.error);
    };
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
export async function storeUpload(upload: Omit<StoredUpload, "page" | "at">): Promise<void> {
  await transact(UPLOADS, (store) => store.put({ ...upload, page, at: Date.now() }));
}

export async function removeUpload(key: string): Promise<void> {
  await transact(UPLOADS, (store) => store.delete(key)).catch(() => undefined);
}

/**
 * Decides what this page does with an entry of a closed page. An entry of the same account may be the only copy of a file: the page takes it
 * over at any age. The page removes old entries of other accounts.
 */
export const fateOf = (entry: Pick<Entry, "account" | "at">, account: string): "take" | "remove" | "leave" =>
  entry.account === account ? "take" : Date.now() - entry.at > KEPT_MILLISECONDS ? "remove" : "leave";

/** Entries whose page is no longer open become this page's; old ones of other accounts are removed. */
async function takeOver<Found extends Entry>(
  store: string,
  account: string,
  remove: (key: string) => Promise<void>,
): Promise<Found[]> {
  const isOpen = await openPages();
  const taken: Found[] = [];
  const old: string[] = [];
  await transact<IDBCursorWithValue | null>(store, (entries) => {
    const request = entries.openCursor();
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return;
      const entry = cursor.value as Found;
      const isLeft = entry.page !== page && !isOpen(entry.page);
      const fate = isLeft ? fateOf(entry, account) : "leave";
      if (fate === "remove") old.push(entry.key);
      else if (fate === "take") {
        taken.push(entry);
        cursor.update({ ...entry, page });
      }
      cursor.continue();
    };
    return request;
  });
  for (const key of old) await remove(key);
  return taken;
}

/** Uploads of this account that a page left behind. */
export const takeOverUploads = (account: string): Promise<StoredUpload[]> => takeOver(UPLOADS, account, removeUpload);

const piecesOf = (key: string) => IDBKeyRange.bound([key, 0], [key, Number.POSITIVE_INFINITY]);

async function removeRecording(key: string): Promise<void> {
  await transact(RECORDINGS, (store) => store.delete(key)).catch(() => undefined);
  await transact(PIECES, (store) => store.delete(piecesOf(key))).catch(() => undefined);
}

/** The stored parts of a recording. */
export interface Recorded {
  /** Path of the upload at the service that has a part of it. */
  unfinished: string | undefined;
  /** Removes the pieces in the browser, once the file is stored elsewhere. */
  removePieces(): Promise<void>;
}

export interface LeftRecording {
  /** Empty if only the service has a part that can be decoded. */
  file: File;
  recorded: Recorded;
}

/** Recordings of this account that a page left behind. */
export async function takeOverRecordings(account: string): Promise<LeftRecording[]> {
  const left: LeftRecording[] = [];
  for (const { key, name, unfinished } of await takeOver<StoredRecording>(RECORDINGS, account, removeRecording)) {
    const pieces = await transact<StoredPiece[]>(PIECES, (store) => store.getAll(piecesOf(key)));
    const isWhole = pieces.every(({ number }, at) => number === at);
    // If the browser could not store a later piece, its pieces are sent as a new upload. A recording without the first piece cannot be
    // decoded: the file is then what the service has.
    const continued = isWhole || pieces[0]?.number !== 0 ? unfinished : undefined;
    const blobs = isWhole || continued === undefined ? pieces.map(({ piece }) => piece) : [];
    const removePieces = () => removeRecording(key);
    const file = new File(blobs, name, { type: blobs[0]?.type ?? "" });
    if (file.size === 0 && unfinished === undefined) await removePieces();
    else left.push({ file, recorded: { unfinished: continued, removePieces } });
  }
  return left;
}

/** Stores the pieces of a recording as they are made. */
export class RecordingStore {
  private readonly key = newKey();
  private number = 0;

  constructor(
    private readonly account: string,
    private readonly name: string,
  ) {}

  /** @throws DOMException  where the browser has no room or no database */
  async add(piece: Blob): Promise<void> {
    const { key } = this;
    const number = this.number++;
    if (number === 0) await this.put({});
    await transact(PIECES, (store) => store.put({ key, number, piece }));
  }

  /** Stores the path of the upload that has a part of the recording. @throws DOMException as `add` */
  keepPath(unfinished: string): Promise<void> {
    return this.put({ unfinished });
  }

  private async put(upload: Pick<StoredRecording, "unfinished">): Promise<void> {
    const { key, account, name } = this;
    await transact(RECORDINGS, (store) => store.put({ key, account, page, at: Date.now(), name, ...upload }));
  }

  remove(): Promise<void> {
    return removeRecording(this.key);
  }
}

// Audio of a live session has the key live.ID.PAGE: each page numbers its pieces from its own beginning. "/" follows ".".
const audioOf = (id: string) => IDBKeyRange.bound([`live.${id}.`], [`live.${id}/`]);
const allAudio = () => IDBKeyRange.bound(["live."], ["live/"]);

/** Removes the audio of live sessions that this browser has forgotten. */
export async function removeForgottenAudio(isStored: (id: string) => boolean): Promise<void> {
  await transact(PIECES, (store) => {
    const request = store.getAllKeys(allAudio());
    request.onsuccess = () => {
      for (const key of request.result as [string, number][])
        if (!isStored(key[0].split(".")[1] ?? "")) store.delete(key);
    };
    return request;
  }).catch(() => undefined);
}

/** Audio of a live session that the service has not acknowledged. */
export class LiveAudioStore {
  private readonly key: string;
  /** Numbers of the stored pieces. */
  private stored = new Set<number>();

  /** @param id  of the session */
  constructor(private readonly id: string) {
    this.key = `live.${id}.${page}`;
  }

  /** Stores these pieces in place of those that this page has stored. Without room or a database, a reload loses them. */
  async keep(pieces: readonly { start: number; bytes: Uint8Array<ArrayBuffer> }[]): Promise<void> {
    if (pieces.length === 0 && this.stored.size === 0) return;
    const { key } = this;
    const wanted = new Set(pieces.map(({ start }) => start));
    const before = this.stored;
    this.stored = wanted;
    await transact(PIECES, (store) => {
      for (const number of before) if (!wanted.has(number)) store.delete([key, number]);
      for (const { start: number, bytes } of pieces) if (!before.has(number)) store.put({ key, number, bytes });
      const request = store.count();
      // At once: a page that is closed does not receive the results of its requests.
      store.transaction.commit();
      return request;
    }).catch(() => undefined);
  }

  /**
   * Takes over what closed pages and the replaced page have stored. From then on, it is stored for this page, numbered from 0.
   * @returns the pieces in order
   */
  async take(replaced: string): Promise<Uint8Array<ArrayBuffer>[]> {
    const isOpen = await openPages();
    const { key } = this;
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    const numbers = new Set<number>();
    // One transaction: a page that crashes leaves each piece stored once.
    await transact<StoredAudio[]>(PIECES, (store) => {
      const request: IDBRequest<StoredAudio[]> = store.getAll(audioOf(this.id));
      request.onsuccess = () => {
        const isLeft = (other: string) => other === replaced || !isOpen(other);
        const left = request.result.filter((stored) => isLeft(stored.key.split(".")[2] ?? ""));
        for (const stored of left) store.delete([stored.key, stored.number]);
        let number = 0;
        for (const { bytes } of left) {
          pieces.push(bytes);
          numbers.add(number);
          store.put({ key, number, bytes });
          number += bytes.length;
        }
      };
      return request;
    }).then(
      () => {
        this.stored = numbers;
      },
      () => undefined,
    );
    return pieces;
  }

  /** Removes the audio of all pages. */
  async remove(): Promise<void> {
    this.stored = new Set();
    await transact(PIECES, (store) => store.delete(audioOf(this.id))).catch(() => undefined);
  }
}
