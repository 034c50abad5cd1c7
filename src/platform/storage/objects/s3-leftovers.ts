// What processes that were killed leave in a bucket: objects whose row was never stored, and parts of uploads that were never completed, which
// no listing of objects shows.
import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { errors } from "../../errors.ts";
import { MARK_KEY } from "./keys.ts";
import type { Leftovers } from "./object-store.ts";
import { listedObjects, textOf } from "./s3-requests.ts";

/** Key of an object that belongs to a file, a job, an upload or the copy of a model. */
const OWN_KEY = /^(?:(?:audio|results|peaks|jobs|uploads)\/[0-9a-f-]{36}(?=[./]|$)|models\/[^/]+\/)/;

/** @throws storage.unavailable */
function unavailable(error: unknown): never {
  throw errors.storageUnavailable(error);
}

export class S3Leftovers implements Leftovers {
  constructor(
    private readonly client: S3Client,
    private readonly options: { bucket: string; prefix: string },
  ) {}

  async *keysBefore(time: Date, folder: string): AsyncGenerator<string[]> {
    const { bucket, prefix } = this.options;
    const place = { Bucket: bucket, Prefix: `${prefix}${folder}/` };
    for await (const objects of listedObjects(this.client, place, unavailable)) {
      const old = objects.filter(({ LastModified }) => LastModified && LastModified < time);
      yield old.flatMap(({ Key }) => (Key === undefined ? [] : [Key.slice(prefix.length)]));
    }
  }

  async mark(): Promise<string | undefined> {
    const { bucket, prefix } = this.options;
    return textOf(this.client, { Bucket: bucket, Key: prefix + MARK_KEY });
  }

  async setMark(text: string): Promise<void> {
    const { bucket, prefix } = this.options;
    await this.client
      .send(new PutObjectCommand({ Bucket: bucket, Key: prefix + MARK_KEY, Body: text }))
      .catch(unavailable);
  }

  async endUploadsBefore(time: Date, signal?: AbortSignal): Promise<number> {
    const { bucket, prefix } = this.options;
    let count = 0;
    let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
    while (marker) {
      const command: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
        ...{ Bucket: bucket, ...(prefix === "" ? {} : { Prefix: prefix }) },
        ...marker,
      });
      const page = await this.client.send(command).catch(unavailable);
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (signal?.aborted) return count;
        if (!Key || !UploadId || !Initiated || Initiated >= time) continue;
        // Without a prefix, other programs may use the bucket.
        if (!Key.startsWith(prefix) || !OWN_KEY.test(Key.slice(prefix.length))) continue;
        await this.client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })).catch(unavailable);
        count++;
      }
      marker = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : undefined;
    }
    return count;
  }
}
