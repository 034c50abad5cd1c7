// Files and folders that are dropped anywhere on the console.
import { signal } from "@preact/signals";

/** Whether files are held over the page. */
export const isDragged = signal(false);

/** Names of files that browsers have no media type for. */
const RECORDING =
  /\.(?:aac|aif|aiff|amr|caf|flac|m4a|m4v|mka|mkv|mov|mp3|mp4|mpeg|mpg|oga|ogg|ogv|opus|wav|webm|wma|wmv)$/i;

const isRecording = ({ name, type }: File) => /^(?:audio|video)\//.test(type) || RECORDING.test(name);

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));

interface Dropped {
  files: File[];
  /** Number of files and folders that the browser could not read. */
  unread: number;
}

/** A browser gives the entries of a folder in several parts, the last of which is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return all;
    all.push(...part);
  }
}

/** Adds the recordings in a folder and the folders in it, by their names. Other files and hidden ones are left out. */
async function addRecordings(folder: FileSystemDirectoryEntry, dropped: Dropped): Promise<void> {
  const entries = (await entriesOf(folder)).filter(({ name }) => !name.startsWith("."));
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    try {
      if (entry.isDirectory) await addRecordings(entry as FileSystemDirectoryEntry, dropped);
      else dropped.files.push(...[await fileOf(entry as FileSystemFileEntry)].filter(isRecording));
    } catch {
      dropped.unread++;
    }
  }
}

/** Returns the dropped files, and the recordings in dropped folders. The service refuses a file that it cannot read, with the reason. */
export async function filesOf(data: Pick<DataTransfer, "items">): Promise<Dropped> {
  // They are readable during the event alone.
  const items = [...data.items]
    .filter(({ kind }) => kind === "file")
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const dropped: Dropped = { files: [], unread: 0 };
  for (const { entry, file } of items) {
    if (entry?.isDirectory) {
      await addRecordings(entry as FileSystemDirectoryEntry, dropped).catch(() => dropped.unread++);
    } else if (file) dropped.files.push(file);
  }
  return dropped;
}

/**
 * Takes the files that are dropped on any part of the page.
 * @param onDrop  receives those of one drop, possibly none
 * @returns stops that
 */
export function takeDroppedFiles(onDrop: (dropped: Dropped) => void): () => void {
  const stopped = new AbortController();
  const { signal: ends } = stopped;
  const hasFiles = (event: DragEvent) => [...(event.dataTransfer?.items ?? [])].some(({ kind }) => kind === "file");
  addEventListener(
    "dragover",
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      isDragged.value = true;
    },
    { signal: ends },
  );
  addEventListener(
    "dragleave",
    ({ relatedTarget }) => {
      if (relatedTarget === null) isDragged.value = false;
    },
    { signal: ends },
  );
  addEventListener(
    "drop",
    (event) => {
      isDragged.value = false;
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      void filesOf(event.dataTransfer).then(onDrop);
    },
    { signal: ends },
  );
  return () => {
    stopped.abort();
    isDragged.value = false;
  };
}
