// Uploads in parts that killed processes left in a bucket.
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3, VERSITYGW } from "../../../../test/fixtures/s3.ts";
import { S3Leftovers } from "./s3-leftovers.ts";

const ID = "019a0000-0000-7000-8000-000000000001";
const OWN = [
  `audio/${ID}`,
  `jobs/${ID}/1/decoded`,
  "models/whisper-tiny/model.bin",
  `results/${ID}.json`,
  `uploads/${ID}/0.1`,
];
const FOREIGN = ["audio/song.mp3", "backups/2026", "models.tar"];

describe.skipIf(!VERSITYGW)("leftovers of a bucket (skipped without versitygw)", () => {
  let server: S3Server;
  let client: S3Client;
  beforeAll(async () => {
    server = await startS3();
    const { endpoint, accessKeyId, secretAccessKey } = server;
    const credentials = { accessKeyId, secretAccessKey };
    client = new S3Client({ endpoint, credentials, region: "us-east-1", forcePathStyle: true });
  });
  afterAll(async () => {
    client.destroy();
    await server.remove();
  });

  test("old uploads of every kind of object are ended; those of other programs and younger ones continue", async () => {
    const { bucket } = server;
    for (const Key of [...OWN, ...FOREIGN])
      await client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }));
    const leftovers = new S3Leftovers(client, { bucket, prefix: "" });
    expect(await leftovers.endUploadsBefore(new Date(Date.now() - 3_600_000))).toBe(0);
    expect(await leftovers.endUploadsBefore(new Date(Date.now() + 3_600_000))).toBe(OWN.length);
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
    expect(Uploads.map(({ Key }) => Key).sort()).toEqual(FOREIGN);
  });
});
