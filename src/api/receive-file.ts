// The recording of a multipart form: exactly one file, stored while the form is read.
import { text } from "node:stream/consumers";
import type { FreeSpace } from "../platform/storage/free-space.ts";
import type { ObjectStore } from "../platform/storage/objects/object-store.ts";
import { safeFilename } from "../service/jobs/stages/fetch.ts";
import type { FormPart } from "./form-parts.ts";

export interface StoredPart {
  size: number;
  filename: string;
}

/** A path is shorter; the shortest recordings are longer. */
const MOST_PATH_BYTES = 4_096;

/** Whether stored bytes are the text of a path, an address or an object instead of a recording. */
async function isShortText(objects: ObjectStore, key: string, size: number): Promise<boolean> {
  if (size === 0 || size > MOST_PATH_BYTES) return false;
  return /^[\p{L}\p{N}\p{P}\p{S}\s]+$/u.test(await text(await objects.read(key)));
}

/** Files of one form, of which the first is stored and every further one is refused. */
export class FileOfForm {
  private count = 0;
  private stored: StoredPart | undefined;
  private isText = false;

  constructor(
    private readonly storage: { objects: ObjectStore; space: FreeSpace },
    private readonly key: string,
    private readonly limitBytes: number,
  ) {}

  /** Stores the first file and discards further ones. */
  async take(part: FormPart & { kind: "file" }): Promise<void> {
    this.count++;
    if (this.count > 1) {
      part.content.resume();
      return;
    }
    const { objects, space } = this.storage;
    const size = await objects.write(this.key, space.guarded(part.content, "new"), this.limitBytes);
    this.stored = { size, filename: safeFilename(part.filename) };
    this.isText = part.isUnnamed && (await isShortText(objects, this.key, size));
  }

  /**
   * @param name  of the part that carries the file
   * @param problems  receives a sentence where the form has no file, several, or text in its place
   */
  result(name: string, problems: string[]): StoredPart | undefined {
    if (this.count === 0)
      problems.unshift(`${name} is required: send the recording as the multipart part named ${name}`);
    if (this.count > 1) problems.unshift(`${name} must be one file; the form has ${this.count}`);
    if (this.count === 1 && this.isText) {
      problems.unshift(`${name} must be a file; it is text without a file name. With curl: -F ${name}=@recording.mp3`);
    }
    return this.stored;
  }
}
