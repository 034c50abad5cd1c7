// The decoded samples of a session. The file is no record of anything: the log has the stream that they are decoded from.
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { AppendFile } from "../../../platform/storage/disk/append-file.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";

export class SampleFile {
  private constructor(
    private readonly place: string,
    private readonly samples: AppendFile,
  ) {}

  /** @param folder  of such files */
  static async create(folder: string, id: string): Promise<SampleFile> {
    // The session may be opened again before its previous file is removed.
    const place = path.join(folder, `${id}-${randomUUID()}`);
    return new SampleFile(place, await AppendFile.open(place, new Disk(false)));
  }

  get total(): number {
    return this.samples.size;
  }

  append(bytes: Buffer): Promise<void> {
    return this.samples.append(bytes);
  }

  read(start: number, end: number): Promise<Buffer> {
    return this.samples.read(start, end);
  }

  stream(start: number, end: number): Readable {
    return this.samples.stream(start, end);
  }

  async remove(): Promise<void> {
    await this.samples.close();
    await rm(this.place, { force: true });
  }
}
