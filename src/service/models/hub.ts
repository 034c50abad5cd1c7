// Files of a repository on the Hugging Face hub, or on a mirror with the same layout:
// BASE/OWNER/NAME/resolve/REVISION/FILE. Large files answer with a redirect, and with their SHA-256 beside it.
import { open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { errors, ParlanceError } from "../../platform/errors.ts";
import { getFromHub, type HubAnswer, type HubRequest } from "../../platform/net/hub-fetch.ts";
import { doubling, retry } from "../../platform/process/retry.ts";
import { hashFile } from "../../platform/storage/content-hash.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import type { CheckpointSource } from "../../speech/engines/engine.ts";

export interface HubOptions {
  /** Up to the owner's name. */
  base: string;
  token?: string;
  /** Base of the registry of translation models; without it, they cannot be fetched. */
  translationBase?: string;
  /** Address of a file, where the host has another layout than a hub. */
  addressOf?: (file: string) => string;
  /** All of its files, where they are known. */
  names?: readonly string[];
}

/** A file as the hub describes it. */
export interface HubFile {
  name: string;
  bytes: number;
  /** SHA-256 in hexadecimal digits; small files have none. */
  sha256?: string;
  /** Names this version of the file. */
  tag: string;
}

const disk = new Disk(true);
/** Largest text file that can describe a checkpoint. */
const MOST_TEXT_BYTES = 64_000_000;
const SHA256 = /^[0-9a-f]{64}$/;
const COMMIT = /^[\w-]{1,100}$/;
const TRIES = 5;
const FIRST_PAUSE_MILLISECONDS = 500;
const pauseAfterAttempts = doubling(FIRST_PAUSE_MILLISECONDS, TRIES);
const NOT_THERE = new Set([404, 410]);
const NO_HEAD = new Set([405, 501]);

/** Size of the whole file, out of the headers of an answer. */
function sizeIn(headers: Readonly<Record<string, string | undefined>>): number | undefined {
  const text = /\/(\d+)$/.exec(headers["content-range"] ?? "")?.[1] ?? headers["content-length"];
  const bytes = Number(text ?? Number.NaN);
  return Number.isFinite(bytes) ? bytes : undefined;
}

const unquoted = (tag: string | undefined) => (tag ?? "").replace(/^W\//, "").replaceAll('"', "");

export class HubRepository implements CheckpointSource {
  readonly name: string;
  /** The commit of all files, once the hub has sent it. */
  private commit: string | undefined;
  private readonly known = new Map<string, Promise<HubFile | undefined>>();

  constructor(
    repository: string,
    private readonly options: HubOptions,
    private readonly signal?: AbortSignal,
  ) {
    this.name = repository;
  }

  get revision(): string | undefined {
    return this.commit;
  }

  async names(): Promise<readonly string[]> {
    return this.options.names ?? [];
  }

  async has(file: string): Promise<boolean> {
    return (await this.info(file)) !== undefined;
  }

  async text(file: string): Promise<string | undefined> {
    const info = await this.info(file);
    if (!info) return undefined;
    if (info.bytes > MOST_TEXT_BYTES) throw errors.badCheckpoint(this.name, `${file} is too large to be what it says`);
    const answer = await this.get("GET", file);
    let text = "";
    answer.body.setEncoding("utf8");
    for await (const chunk of answer.body) text += chunk;
    return text;
  }

  /** @returns undefined where the repository has no such file */
  info(file: string): Promise<HubFile | undefined> {
    const known = this.known.get(file) ?? this.ask(file);
    this.known.set(file, known);
    return known;
  }

  /**
   * Fetches a file; resumes an earlier partial download.
   * @param to  gets its name when it is whole and right
   * @throws models.fetch_failed, models.refused, models.wrong_hash
   */
  async download(file: string, to: string, onBytes: (total: number) => void): Promise<HubFile> {
    const info = await this.info(file);
    if (!info) throw errors.hubRefused(this.address(file), 404);
    if (await isWhole(to, info)) {
      onBytes(info.bytes);
      return info;
    }
    const part = `${to}.part`;
    // What lies there of another version of the file is of no use.
    const tagFile = `${part}.tag`;
    if ((await readFile(tagFile, "utf8").catch(() => "")) !== info.tag) {
      await rm(part, { force: true });
      await writeFile(tagFile, info.tag);
    }
    await retry(() => this.append(info, part, onBytes), {
      pauseAfter: (error, attempts) =>
        error instanceof ParlanceError && !error.retryable ? undefined : pauseAfterAttempts(attempts),
      signal: this.signal,
    }).catch((error: unknown) => {
      throw this.translated(file, error);
    });
    if (info.sha256 !== undefined && (await hashFile(part)).sha256 !== info.sha256) {
      await rm(part, { force: true });
      throw errors.wrongHash(this.address(file));
    }
    // Under its own name only the size is compared: the bytes must be on disk before.
    await disk.syncFile(part);
    await rename(part, to);
    await rm(tagFile, { force: true });
    return info;
  }

  private async append({ name, bytes }: HubFile, part: string, onBytes: (total: number) => void): Promise<void> {
    let total = await stat(part).then(
      ({ size }) => size,
      () => 0,
    );
    if (total > bytes) total = 0;
    onBytes(total);
    if (total === bytes && bytes > 0) return;
    const answer = await this.get("GET", name, { from: total });
    // A host that does not know ranges sends all of it.
    if (answer.status === 200) total = 0;
    const handle = await open(part, total === 0 ? "w" : "a");
    try {
      for await (const chunk of answer.body) {
        await handle.write(chunk as Buffer);
        total += (chunk as Buffer).length;
        if (total > bytes) throw errors.wrongHash(this.address(name));
        onBytes(total);
      }
      await handle.sync();
    } finally {
      answer.body.destroy();
      await handle.close();
    }
    if (total < bytes) throw errors.hubFailed(this.address(name), "the connection was cut off");
  }

  private address(file: string): string {
    if (this.options.addressOf) return this.options.addressOf(file);
    const base = this.options.base.replace(/(?<!\/)\/+$/, "");
    return `${base}/${this.name}/resolve/main/${file}`;
  }

  private async get(
    method: "GET" | "HEAD",
    file: string,
    way: Pick<HubRequest, "from" | "firstByteOnly" | "followRedirects"> = {},
  ): Promise<HubAnswer> {
    const { token } = this.options;
    const answer = await getFromHub(this.address(file), method, {
      ...(token ? { token } : {}),
      ...(this.signal ? { signal: this.signal } : {}),
      ...way,
    }).catch((error: unknown) => {
      throw this.translated(file, error);
    });
    if (answer.status < 400) return answer;
    await answer.body.dump();
    if (method === "HEAD" && NO_HEAD.has(answer.status)) throw errors.hubWithoutHead(this.address(file));
    if (answer.status === 429 || answer.status >= 500) {
      throw errors.hubFailed(this.address(file), `it answered ${answer.status}`);
    }
    throw errors.hubRefused(this.address(file), answer.status);
  }

  private async ask(file: string): Promise<HubFile | undefined> {
    return retry(() => this.askOnce(file), {
      pauseAfter: (error, attempts) => {
        this.known.delete(file);
        return error instanceof ParlanceError && error.retryable ? pauseAfterAttempts(attempts) : undefined;
      },
      signal: this.signal,
    });
  }

  private async askOnce(file: string): Promise<HubFile | undefined> {
    let answer: HubAnswer;
    try {
      answer = await this.head(file, false);
    } catch (error) {
      if (error instanceof ParlanceError && NOT_THERE.has(error.status)) return undefined;
      throw error;
    }
    const { headers } = answer;
    const sent = headers["x-repo-commit"] ?? "";
    // It becomes the name of a folder, whose siblings are removed.
    const commit = COMMIT.test(sent) ? sent : undefined;
    // Files of several repositories are of several commits.
    const isOneRepository = this.options.addressOf === undefined;
    if (isOneRepository && this.commit !== undefined && commit !== undefined && commit !== this.commit) {
      throw errors.hubFailed(this.address(file), "the repository has changed meanwhile");
    }
    if (isOneRepository) this.commit ??= commit;
    const tag = unquoted(headers["x-linked-etag"] ?? headers["etag"]);
    // If the response has no size, only the target of the redirect has.
    const bytes =
      sizeIn({ "content-length": headers["x-linked-size"] }) ??
      (answer.status < 300 ? sizeIn(headers) : sizeIn((await this.head(file, true)).headers));
    if (bytes === undefined) throw errors.hubFailed(this.address(file), "it reports no size");
    return { name: file, bytes, tag: tag || String(bytes), ...(SHA256.test(tag) ? { sha256: tag } : {}) };
  }

  /** From mirrors that do not support HEAD, the first byte is requested. */
  private async head(file: string, followRedirects: boolean): Promise<HubAnswer> {
    try {
      return await this.get("HEAD", file, { followRedirects });
    } catch (error) {
      if (!(error instanceof ParlanceError) || error.code !== "models.no_head") throw error;
      const answer = await this.get("GET", file, { firstByteOnly: true, followRedirects });
      answer.body.destroy();
      return answer;
    }
  }

  private translated(file: string, error: unknown): unknown {
    if (error instanceof ParlanceError || this.signal?.aborted) return error;
    const { code, message } = error as { code?: string; message?: string };
    if (code === "ENOSPC") return error;
    return errors.hubFailed(this.address(file), code ?? message ?? "no answer", error);
  }
}

async function isWhole(file: string, { bytes }: HubFile): Promise<boolean> {
  // It got its name when its hash was right.
  return stat(file).then(
    ({ size }) => size === bytes,
    () => false,
  );
}
