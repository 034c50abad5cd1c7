// Files and folders that are dropped anywhere on the console.
import { signal } from "@preact/signals";

/** Whether files are held over the page. */
export const isDragged = signal(false);

/** Names of files that browsers have no media type for. */
const RECORDING =
  /\.(?:aac|aif|aiff|amr|caf|flac|m4a|m4v|mka|mkv|mov|mp3|mp4|mpeg|mpg|oga|ogg|ogv|opus|wav|webm|wma|wmv)$/i;

const isRecording = ({ name, type }: File) => /^(?:audio|video)\//.test(type) || RECORDING.test(name);

const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));

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

/** The recordings in a folder and the folders in it, by their names. Other files and hidden ones are left out. */
async function recordingsIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const entries = (await entriesOf(folder)).filter(({ name }) => !name.startsWith("."));
  const found: File[] = [];
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.isDirectory) found.push(...(await recordingsIn(entry as FileSystemDirectoryEntry)));
    else found.push(...[await fileOf(entry as FileSystemFileEntry)].filter(isRecording));
  }
  return found;
}

/** Returns the dropped files, and the recordings in dropped folders. The service refuses a file that it cannot read, with the reason. */
async function filesOf(data: DataTransfer): Promise<File[]> {
  // They are readable during the event alone.
  const dropped = [...data.items]
    .filter(({ kind }) => kind === "file")
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found: File[] = [];
  for (const { entry, file } of dropped) {
    if (entry?.isDirectory) found.push(...(await recordingsIn(entry as FileSystemDirectoryEntry)));
    else if (file) found.push(file);
  }
  return found;
}

/**
 * Takes the files that are dropped on any part of the page.
 * @param onFiles  receives those of one drop, possibly none
 * @param onError  a folder could not be read
 * @returns stops that
 */
export function takeDroppedFiles(onFiles: (files: File[]) => void, onError: (error: unknown) => void): () => void {
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
      filesOf(event.dataTransfer).then(onFiles, onError);
    },
    { signal: ends },
  );
  return () => {
    stopped.abort();
    isDragged.value = false;
  };
}
