// What a page left behind in this browser when it was reloaded, closed or lost, and what closing this page would lose.
import { effect } from "@preact/signals";
import { account, accountName } from "./account.ts";
import { addFiles, hasUnstored, restore } from "./tasks.ts";
import { keepPageOpen, RecordingStore, takeOverRecordings, takeOverUploads } from "./upload-store.ts";

const TAKE_OVER_MILLISECONDS = 5_000;
/** Recordings of which the browser could not store a piece. */
const unstored = new Set<RecordingStore>();

/** Keeps the pieces of a recording while it is made. The page asks before it is closed if the browser cannot store them. */
export function keepRecording(name: string): { add(piece: Blob): void; remove(): void } {
  const store = new RecordingStore(accountName() ?? "", name);
  return {
    add: (piece) => void store.add(piece).catch(() => unstored.add(store)),
    remove: () => {
      unstored.delete(store);
      void store.remove();
    },
  };
}

async function takeOver(owner: string): Promise<void> {
  // Without a database, nothing was left behind.
  restore(await takeOverUploads(owner).catch(() => []));
  for (const { file, remove } of await takeOverRecordings(owner)) {
    await addFiles([file]);
    await remove();
  }
}

keepPageOpen(() => location.reload());
addEventListener("beforeunload", (event) => {
  if (unstored.size > 0 || hasUnstored()) event.preventDefault();
});
effect(() => {
  const { value: state } = account;
  if (state.kind !== "in") return;
  const { name } = state.account;
  const run = () => void takeOver(name).catch(() => undefined);
  run();
  const timer = setInterval(run, TAKE_OVER_MILLISECONDS);
  return () => clearInterval(timer);
});
