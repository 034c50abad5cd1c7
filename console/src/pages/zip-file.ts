// A zip file that is made in the page, loaded with the first export of several recordings.
import { Zip, ZipDeflate, ZipPassThrough } from "fflate";

/** Compressed once already. */
const COMPRESSED = /\.docx$/;

export class ZipFile {
  /** Compressed: the files themselves are not kept. */
  private readonly parts: Uint8Array<ArrayBuffer>[] = [];
  private readonly zip = new Zip((error, part) => {
    if (error) throw error;
    this.parts.push(part as Uint8Array<ArrayBuffer>);
  });

  /** @param name  in the zip, which no other file has */
  add(name: string, content: Uint8Array): void {
    const file = COMPRESSED.test(name) ? new ZipPassThrough(name) : new ZipDeflate(name);
    this.zip.add(file);
    file.push(content, true);
  }

  /** Called once, after the last file. */
  finish(): Blob {
    this.zip.end();
    return new Blob(this.parts, { type: "application/zip" });
  }
}
