// Continues the uploads and recordings of a page that was closed or reloaded, and requests a confirmation before this page is closed with unsaved ones.
import { effect } from "@preact/signals";
import { account, accountName } from "./account.ts";
import { keepPageOpen } from "./open-pages.ts";
import { uploadRecording } from "./recording-upload.ts";
import { addRecording, hasUnstored, restore } from "./tasks.ts";
import { RecordingStore, takeOverRecordings, takeOverUploads } from "./upload-store.ts";

const TAKE_OVER_MILLISECONDS = 5_000;
/** Recordings of which the browser could not store a piece. */
const unstored = new Set<RecordingStore>();

export interface KeptRecording {
  add(piece: Blob): void;
  /** Makes the recording a task of the account that was signed in when it began. */
  finish(file: File): Promise<void>;
}

/**
 * Keeps the pieces of a recording while it is made, in the browser's database and at the service. If the browser cannot store them, it
 * requests a confirmation before the page is closed.
 */
export function keepRecording(name: string): KeptRecording {
  const owner = accountName();
  const store = new RecordingStore(owner ?? "", name);
  const upload = uploadRecording(name, owner, (path) => store.keepPath(path).catch(() => undefined));
  return {
    add(piece) {
      upload.add(piece);
      void store.add(piece).catch(() => unstored.add(store));
    },
    async finish(file) {
      const unfinished = await upload.end();
      const removePieces = () => store.remove();
      if (file.size === 0) await removePieces();
      else await addRecording(file, owner, { unfinished, removePieces });
      unstored.delete(store);
    },
  };
}

async function takeOver(owner: string): Promise<void> {
  // Without a database, nothing was left behind.
  restore(await takeOverUploads(owner).catch(() => []));
  for (const { file, recorded } of await takeOverRecordings(owner)) await addRecording(file, owner, recorded);
}

keepPageOpen(() => location.reload());
addEventListener("beforeunload", (event) => {
  if (unstored.size > 0 || hasUnstored()) event.preventDefault();
});
effect(() => {
  const { value: state } = account;
  if (state.kind !== "in") return;
  const { name } = state.account;
  let isRunning = false;
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    await takeOver(name).catch(() => undefined);
    isRunning = false;
  };
  void run();
  const timer = setInterval(run, TAKE_OVER_MILLISECONDS);
  return () => clearInterval(timer);
});
