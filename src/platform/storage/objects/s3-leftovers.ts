// What processes that were killed leave in a bucket: objects whose row was never stored, and parts of uploads that were never completed, which
// no listing of objects shows.
import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from "@aws-sdk/client-s3";
import { errors } from "../../errors.ts";
import type { Leftovers } from "./object-store.ts";

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
    let token: string | undefined;
    do {
      const command = new ListObjectsV2Command({
        ...{ Bucket: bucket, Prefix: `${prefix}${folder}/` },
        ...(token ? { ContinuationToken: token } : {}),
      });
      const page = await this.client.send(command).catch(unavailable);
      const old = (page.Contents ?? []).filter(({ LastModified }) => LastModified && LastModified < time);
      yield old.flatMap(({ Key }) => (Key === undefined ? [] : [Key.slice(prefix.length)]));
      token = page.NextContinuationToken;
    } while (token);
  }

  async endUploadsBefore(time: Date): Promise<number> {
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
        if (!Key?.startsWith(prefix) || !UploadId || !Initiated || Initiated >= time) continue;
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
