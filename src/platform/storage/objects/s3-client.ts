// The client of an S3-compatible store, and the settings of a bucket with local copies.
import { S3Client } from "@aws-sdk/client-s3";
import "../../config/aws-sdk.ts";
import type { Disk } from "../disk/disk.ts";
import type { FreeSpace } from "../free-space.ts";

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
  /** Free space of the disk with the copies; undefined checks none. */
  space?: Pick<FreeSpace, "check" | "changed">;
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

export function clientOf(options: S3Options): S3Client {
  const { endpoint, region, pathStyle, accessKeyId, secretAccessKey } = options;
  const socketTimeout = options.silenceMilliseconds ?? SILENCE_MILLISECONDS;
  return new S3Client({
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
}
