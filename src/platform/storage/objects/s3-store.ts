// Objects in an S3-compatible store, for many machines that see the same ones. What local processes read and write lies in a
// folder of this machine: a copy that may go at any time, except for what is being worked on and was not kept yet.
import { createReadStream } from "node:fs";
import { readdir, stat, utimes } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import "../../config/aws-sdk.ts";
import { errors, ParlanceError } from "../../errors.ts";
import { contentDisposition } from "../../net/content-disposition.ts";
import { shortageOf } from "../../system-shortage.ts";
import type { Disk } from "../disk/disk.ts";
import { FileStore } from "./file-store.ts";
import { IDENTITY_KEY, identityIn, MARK_KEY } from "./keys.ts";
import type { ByteRange, ObjectStore } from "./object-store.ts";
import { contentOf } from "./s3-content.ts";
import { S3Leftovers } from "./s3-leftovers.ts";
import { isMissing, listedObjects, textOf } from "./s3-requests.ts";
import { sweepCopies } from "./sweep-copies.ts";

export interface S3Options {
  /** "" for Amazon's own. */
  endpoint: string;
  region: string;
  bucket: string;
  /** Before every key, with a slash at its end; may be empty. */
  prefix: string;
  pathStyle: boolean;
  /** "" takes the usual chain: environment, files, roles. */
  accessKeyId: string;
  secretAccessKey: string;
  /** Folder of the local copies. */
  cache: string;
  /** Copies beyond this go, the longest unused first. */
  cacheBytes: number;
  /** Disk of the copies, which are synced: a copy that a power cut damaged would be read as the object. */
  disk: Disk;
  /** Longest silence of a connection; tests shorten it. */
  silenceMilliseconds?: number;
}

const CONNECT_TIMEOUT_MILLISECONDS = 5_000;
/**
 * Longest silence of a connection, while a request is sent, answered, or its content read. A limit of the whole request would end long
 * transfers. Without one, a request to a lost machine would occupy its job and its connection for as long as the kernel repeats packets.
 */
const SILENCE_MILLISECONDS = 60_000;
const TRIES = 5;
/** Larger ones are sent in parts. */
const PART_BYTES = 16 * 1024 * 1024;
const PARTS_AT_ONCE = 3;
const ADDRESS_SECONDS = 900;
const SWEEP_MILLISECONDS = 60_000;

/** Foreign errors in our words. @throws request.not_found, storage.unavailable */
function translated(error: unknown): never {
  if (isMissing(error)) throw errors.notFound("object");
  throw errors.storageUnavailable(error);
}

export class S3Store implements ObjectStore {
  readonly kind = "bucket";
  readonly place: string;
  readonly leftovers: S3Leftovers;
  private readonly client: S3Client;
  private readonly cache: FileStore;
  private readonly sweeping: NodeJS.Timeout;
  private isSweeping = false;
  /** State of the files of folders that are worked in, as they were kept last. */
  private readonly kept = new Map<string, string>();

  constructor(private readonly options: S3Options) {
    const { endpoint, region, pathStyle, accessKeyId, secretAccessKey, bucket, prefix } = options;
    const socketTimeout = options.silenceMilliseconds ?? SILENCE_MILLISECONDS;
    this.place = `the bucket ${bucket}${prefix === "" ? "" : `, prefix ${prefix}`}${endpoint === "" ? "" : `, at ${endpoint}`}`;
    this.client = new S3Client({
      region,
      forcePathStyle: pathStyle,
      maxAttempts: TRIES,
      // Not every server supports the newer checksums.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MILLISECONDS, socketTimeout },
      ...(endpoint === "" ? {} : { endpoint }),
      ...(accessKeyId === "" ? {} : { credentials: { accessKeyId, secretAccessKey } }),
    });
    this.leftovers = new S3Leftovers(this.client, options);
    this.cache = new FileStore(options.cache, options.disk);
    const sweep = () => void this.sweep().catch(() => undefined);
    this.sweeping = setInterval(sweep, SWEEP_MILLISECONDS);
    this.sweeping.unref();
  }

  /** Without the local copy, which may come from another store. */
  async identity(): Promise<string | undefined> {
    return identityIn((await textOf(this.client, this.at(IDENTITY_KEY))) ?? "");
  }

  async setIdentity(identity: string): Promise<void> {
    await this.client.send(new PutObjectCommand({ ...this.at(IDENTITY_KEY), Body: identity })).catch(translated);
  }

  async write(key: string, content: Readable, limitBytes?: number): Promise<number> {
    const size = await this.cache.write(key, content, limitBytes);
    await this.keepOrForget(key);
    return size;
  }

  async put(key: string, content: string | Uint8Array): Promise<void> {
    await this.cache.put(key, content);
    await this.keepOrForget(key);
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    if ((await this.cache.size(key)) !== undefined) return this.cache.read(key, range);
    return contentOf(this.client, this.at(key), range).catch(translated);
  }

  async size(key: string): Promise<number | undefined> {
    const local = await this.cache.size(key);
    if (local !== undefined) return local;
    try {
      return (await this.client.send(new HeadObjectCommand(this.at(key)))).ContentLength;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw errors.storageUnavailable(error);
    }
  }

  async remove(key: string): Promise<void> {
    await this.cache.remove(key);
    await this.client.send(new DeleteObjectCommand(this.at(key))).catch(translated);
  }

  async removeFolder(prefix: string): Promise<void> {
    this.forgetKept(prefix);
    await this.cache.removeFolder(prefix);
    for await (const keys of this.keysBelow(prefix)) {
      const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
      const command = new DeleteObjectsCommand({ Bucket: this.options.bucket, Delete });
      const { Errors = [] } = await this.client.send(command).catch(translated);
      // The answer is 200 even if objects could not be deleted.
      const failed = Errors.find(({ Code }) => Code !== "NoSuchKey");
      if (failed) throw errors.storageUnavailable(new Error(`${failed.Code}: ${failed.Message}`));
    }
  }

  async foldersIn(prefix: string): Promise<string[]> {
    const found = new Set(await this.cache.foldersIn(prefix));
    const Prefix = `${this.options.prefix}${prefix}/`;
    let token: string | undefined;
    do {
      const more = token ? { ContinuationToken: token } : {};
      const command = new ListObjectsV2Command({ Bucket: this.options.bucket, Prefix, Delimiter: "/", ...more });
      const page = await this.client.send(command).catch(translated);
      for (const { Prefix: folder = "" } of page.CommonPrefixes ?? []) found.add(folder.slice(Prefix.length, -1));
      token = page.NextContinuationToken;
    } while (token);
    return [...found];
  }

  async localPath(key: string): Promise<string> {
    const file = await this.cache.localPath(key);
    if ((await this.cache.size(key)) !== undefined) {
      const now = new Date();
      await utimes(file, now, now).catch(() => undefined);
      return file;
    }
    try {
      await this.cache.write(key, await contentOf(this.client, this.at(key)));
    } catch (error) {
      // The object will be written later.
      if (isMissing(error)) return file;
      // A full local disk is no outage of the store.
      if (error instanceof ParlanceError || shortageOf(error) !== undefined) throw error;
      throw errors.storageUnavailable(error);
    }
    return file;
  }

  async keep(key: string): Promise<void> {
    await this.cache.keep(key);
    const file = await this.cache.localPath(key);
    const upload = new Upload({
      client: this.client,
      params: { ...this.at(key), Body: createReadStream(file) },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    });
    await upload.done().catch(translated);
  }

  /** Stores an object. If that fails, its copy is removed: without an object in the store, it would be read as one. */
  private async keepOrForget(key: string): Promise<void> {
    await this.keep(key).catch(async (error: unknown) => {
      await this.cache.remove(key);
      throw error;
    });
  }

  async keepFolder(prefix: string): Promise<void> {
    const folder = path.dirname(await this.cache.localPath(`${prefix}/any`));
    for (const name of await readdir(folder)) {
      const { mtimeMs, size } = await stat(path.join(folder, name));
      const state = `${mtimeMs} ${size}`;
      const key = `${prefix}/${name}`;
      // Decoded audio is large, and the same after every stage.
      if (this.kept.get(key) === state) continue;
      await this.keep(key);
      this.kept.set(key, state);
    }
  }

  async takeOver(prefix: string): Promise<void> {
    this.forgetKept(prefix);
    await this.cache.removeFolder(prefix);
  }

  async dropCopy(key: string): Promise<boolean> {
    await this.cache.remove(key);
    return true;
  }

  async address(key: string, filename: string): Promise<string> {
    const ResponseContentDisposition = contentDisposition(filename);
    const command = new GetObjectCommand({ ...this.at(key), ResponseContentDisposition });
    return getSignedUrl(this.client, command, { expiresIn: ADDRESS_SECONDS });
  }

  async *keys(): AsyncGenerator<string> {
    const { prefix } = this.options;
    for await (const page of this.keysBelow("")) {
      for (const key of page)
        if (key !== prefix + IDENTITY_KEY && key !== prefix + MARK_KEY) yield key.slice(prefix.length);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.sweeping);
    this.client.destroy();
  }

  private forgetKept(prefix: string): void {
    for (const key of this.kept.keys()) if (key.startsWith(`${prefix}/`)) this.kept.delete(key);
  }

  private at(key: string) {
    return { Bucket: this.options.bucket, Key: this.options.prefix + key };
  }

  private async *keysBelow(folder: string): AsyncGenerator<string[]> {
    const Prefix = this.options.prefix + (folder === "" ? "" : `${folder}/`);
    for await (const objects of listedObjects(this.client, { Bucket: this.options.bucket, Prefix }, translated)) {
      const keys = objects.map(({ Key }) => Key).filter((key) => key !== undefined);
      if (keys.length > 0) yield keys;
    }
  }

  /** Removes copies that do not fit. One sweep at a time: a slow one would be repeated beside itself. */
  private async sweep(): Promise<void> {
    if (this.isSweeping) return;
    this.isSweeping = true;
    const isStored = (key: string, bytes: number) =>
      this.client.send(new HeadObjectCommand(this.at(key))).then(
        ({ ContentLength }) => ContentLength === bytes,
        (error: unknown) => (isMissing(error) ? false : translated(error)),
      );
    try {
      await sweepCopies({ ...this.options, isStored });
    } finally {
      this.isSweeping = false;
    }
  }
}
