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
  type S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { errors } from "../../errors.ts";
import { contentDisposition } from "../../net/content-disposition.ts";
import { FileStore } from "./file-store.ts";
import { IDENTITY_KEY, identityIn, MARK_KEY } from "./keys.ts";
import { LocalCopies } from "./local-copies.ts";
import { MadeCopies } from "./made-copies.ts";
import type { ByteRange, ObjectStore } from "./object-store.ts";
import { clientOf, type S3Options } from "./s3-client.ts";
import { contentOf } from "./s3-content.ts";
import { S3Leftovers } from "./s3-leftovers.ts";
import { isMissing, listedObjects, textOf } from "./s3-requests.ts";

/** Larger ones are sent in parts. */
const PART_BYTES = 16 * 1024 * 1024;
const PARTS_AT_ONCE = 3;
const ADDRESS_SECONDS = 900;

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
  private readonly copies: LocalCopies;
  private readonly made: MadeCopies;
  /** State of the files of folders that are worked in, as they were kept last. */
  private readonly kept = new Map<string, string>();

  constructor(private readonly options: S3Options) {
    const { endpoint, bucket, prefix } = options;
    this.place = `the bucket ${bucket}${prefix === "" ? "" : `, prefix ${prefix}`}${endpoint === "" ? "" : `, at ${endpoint}`}`;
    this.client = clientOf(options);
    this.leftovers = new S3Leftovers(this.client, options);
    this.cache = new FileStore(options.cache, options.disk);
    const isStored = (key: string, bytes: number) => this.storedSize(key).then((size) => size === bytes);
    this.copies = new LocalCopies({ ...options, isStored });
    this.made = new MadeCopies({
      cache: this.cache,
      copies: this.copies,
      sizeOf: (key) => this.storedSize(key),
      open: (key) => contentOf(this.client, this.at(key)),
    });
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
    const release = await this.copies.lease(key);
    try {
      if ((await this.cache.size(key)) !== undefined) return (await this.cache.read(key, range)).once("close", release);
    } catch (error) {
      release();
      throw error;
    }
    release();
    return contentOf(this.client, this.at(key), range).catch(translated);
  }

  async size(key: string): Promise<number | undefined> {
    return (await this.cache.size(key)) ?? this.storedSize(key);
  }

  async remove(key: string): Promise<void> {
    await this.dropCopy(key);
    await this.client.send(new DeleteObjectCommand(this.at(key))).catch(translated);
    // A reader may have begun another copy before the store removed the object.
    await this.dropCopy(key);
  }

  async removeFolder(prefix: string): Promise<void> {
    await this.takeOver(prefix);
    for await (const keys of this.keysBelow(prefix)) {
      const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
      const command = new DeleteObjectsCommand({ Bucket: this.options.bucket, Delete });
      const { Errors = [] } = await this.client.send(command).catch(translated);
      // The answer is 200 even if objects could not be deleted.
      const failed = Errors.find(({ Code }) => Code !== "NoSuchKey");
      if (failed) throw errors.storageUnavailable(new Error(`${failed.Code}: ${failed.Message}`));
    }
    await this.takeOver(prefix);
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
    await this.copies.handOut(key);
    return this.copied(key);
  }

  async whileCopied<Result>(key: string, use: (path: string) => Promise<Result>): Promise<Result> {
    const release = await this.copies.lease(key);
    try {
      return await use(await this.copied(key));
    } finally {
      release();
    }
  }

  async keep(key: string): Promise<void> {
    const release = await this.copies.lease(key);
    try {
      await this.cache.keep(key);
      const file = await this.cache.localPath(key);
      const upload = new Upload({
        client: this.client,
        params: { ...this.at(key), Body: createReadStream(file) },
        partSize: PART_BYTES,
        queueSize: PARTS_AT_ONCE,
      });
      await upload.done().catch(translated);
      this.copies.added(key, (await this.cache.size(key)) ?? 0);
    } finally {
      release();
    }
  }

  /** Stores an object. If that fails, its copy is removed: without an object in the store, it would be read as one. */
  private async keepOrForget(key: string): Promise<void> {
    await this.keep(key).catch(async (error: unknown) => {
      await this.dropCopy(key);
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
    const isBelow = (key: string) => key.startsWith(`${prefix}/`);
    for (const key of this.kept.keys()) if (isBelow(key)) this.kept.delete(key);
    await this.made.cancel(isBelow);
    await this.cache.removeFolder(prefix);
  }

  async dropCopy(key: string): Promise<boolean> {
    await this.made.cancel((one) => one === key);
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
    this.copies.stop();
    this.client.destroy();
  }

  /** @returns the path of the local copy, which has no file if the object will be written later */
  private async copied(key: string): Promise<string> {
    const file = await this.cache.localPath(key);
    const now = new Date();
    if (await this.made.make(key)) await utimes(file, now, now).catch(() => undefined);
    return file;
  }

  private async storedSize(key: string): Promise<number | undefined> {
    try {
      return (await this.client.send(new HeadObjectCommand(this.at(key)))).ContentLength;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw errors.storageUnavailable(error);
    }
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
}
