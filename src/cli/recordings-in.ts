// Finds recordings in folders, by extension or otherwise by content. Files that are left out have a reason.
import { open, readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { FORMATS } from "../contract/transcript-formats.ts";
import { streamKind } from "../speech/audio/container-format.ts";

const EXTENSIONS: ReadonlySet<string> = new Set(
  "3g2 3ga 3gp 8svx aa aac aax ac3 adts adx aif aifc aiff alaw amb amr ape asf at3 au avi awb bwf caf cmfa dff dif divx ds2 dsf dss dts dv eac3 evo f4a f4b f4p f4v flac flv g722 gsm gxf ircam m1a m2a m2t m2ts m2v m4a m4b m4p m4r m4s m4v mjpg mk3d mka mkv mlp mod mov mp1 mp2 mp3 mp4 mpa mpc mpe mpeg mpg mpga mts mxf nist nsv nut oga ogg ogm ogv oma opus pcma pcmu qcp qt ra rf64 rm rmvb sf shn sln sln16 sln48 snd sox sph spx tak thd tod tp trp ts tta ul ulaw vob voc vqf vro w64 wav wave weba webm wma wmv wtv wv xa xwma".split(
    " ",
  ),
);
/** Outputs of this command, which lie beside the recordings, and other texts. */
const TEXTS: ReadonlySet<string> = new Set([...FORMATS, "md", "csv", "log", "xml", "html", "yml", "yaml"]);
/** Content that streamKind recognises, but that is no recording. */
const NO_RECORDINGS = new Set(["gzip", "ZIP", "text, for example base64"]);
const EXAMINED_BYTES = 8_192;
/** Deeper folders are left out. */
const MOST_LEVELS = 64;

export interface LeftOut {
  file: string;
  reason: string;
  /** Whether it may be a recording: it could not be examined. */
  isFailure: boolean;
}

export interface Recordings {
  files: string[];
  leftOut: LeftOut[];
}

const extensionOf = (file: string) => path.extname(file).slice(1).toLowerCase();
const codeOf = (thrown: unknown) => (thrown as NodeJS.ErrnoException).code ?? "unknown error";

async function beginsLikeRecording(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const buffer = Buffer.alloc(EXAMINED_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, EXAMINED_BYTES, 0);
    const start = buffer.subarray(0, bytesRead);
    if (start.toString("latin1", 0, 4) === "RIFF") return true;
    const kind = streamKind(start);
    return kind.kind === "known" && !NO_RECORDINGS.has(kind.name);
  } finally {
    await handle.close();
  }
}

/** @returns why a file is not taken; undefined for a recording */
async function refusal(file: string): Promise<Omit<LeftOut, "file"> | undefined> {
  if (EXTENSIONS.has(extensionOf(file))) return undefined;
  if (TEXTS.has(extensionOf(file))) return { reason: "it is a text file", isFailure: false };
  try {
    if (await beginsLikeRecording(file)) return undefined;
    return { reason: "neither its extension nor its content is that of a recording", isFailure: false };
  } catch (thrown) {
    return { reason: `it cannot be read (${codeOf(thrown)})`, isFailure: true };
  }
}

class Search {
  readonly files: string[] = [];
  readonly leftOut: LeftOut[] = [];
  /** Real paths of the folders: a link may lead to a folder above it, or two links to one folder. */
  private readonly visited = new Set<string>();

  async folder(folder: string, level = 0): Promise<void> {
    try {
      const real = await realpath(folder);
      if (this.visited.has(real)) return this.leave(folder, "it is a link to a folder that was already read", false);
      if (level > MOST_LEVELS) return this.leave(folder, `it is more than ${MOST_LEVELS} folders deep`, true);
      this.visited.add(real);
      const names = await readdir(folder);
      // Other programs make hidden files: thumbnails, and "._talk.mp3" on macOS.
      for (const name of names.sort()) if (!name.startsWith(".")) await this.item(path.join(folder, name), level);
    } catch (thrown) {
      this.leave(folder, `it cannot be read (${codeOf(thrown)})`, true);
    }
  }

  /** A file, a folder, or a link to one. */
  async item(file: string, level = 0): Promise<void> {
    const found = await stat(file).catch((thrown: unknown) => codeOf(thrown));
    if (typeof found === "string") {
      this.leave(
        file,
        found === "ENOENT" ? "the target of the link does not exist" : `it cannot be read (${found})`,
        true,
      );
    } else if (found.isDirectory()) await this.folder(file, level + 1);
    else if (!found.isFile()) this.leave(file, "it is not a file", false);
    else {
      const refused = await refusal(file);
      if (refused) this.leftOut.push({ file, ...refused });
      else this.files.push(file);
    }
  }

  private leave(file: string, reason: string, isFailure: boolean): void {
    this.leftOut.push({ file, reason, isFailure });
  }
}

/** Recordings in a folder and those below it, in the order of their names. Links are followed. */
export async function recordingsIn(folder: string): Promise<Recordings> {
  const search = new Search();
  await search.folder(folder);
  return { files: search.files.sort(), leftOut: search.leftOut };
}

/** Recordings among files and folders that a pattern matched. */
export async function recordingsAmong(files: readonly string[]): Promise<Recordings> {
  const search = new Search();
  for (const file of files) await search.item(file);
  return { files: [...new Set(search.files)].sort(), leftOut: search.leftOut };
}
