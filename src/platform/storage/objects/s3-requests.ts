// Requests to a bucket that several parts of the store make.
import { type _Object, GetObjectCommand, ListObjectsV2Command, type S3Client } from "@aws-sdk/client-s3";
import { errors } from "../../errors.ts";

interface RefusedRequest {
  name?: string;
  $response?: { headers?: Record<string, string | undefined> };
}

/**
 * Whether the store has no such object. Another answer of status 404, such as that of a missing bucket or the page of a gateway, says nothing
 * about the object.
 */
export const isMissing = (error: unknown) => {
  const { name, $response } = error as RefusedRequest;
  if (name === "NoSuchKey") return true;
  // Without a code in its body, as all answers to HEAD are.
  return name === "NotFound" && !$response?.headers?.["content-type"]?.startsWith("text/html");
};

/** @returns content of a small object; undefined where there is none @throws storage.unavailable */
export async function textOf(client: S3Client, at: { Bucket: string; Key: string }): Promise<string | undefined> {
  try {
    const { Body } = await client.send(new GetObjectCommand(at));
    return await Body?.transformToString();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw errors.storageUnavailable(error);
  }
}

/** Objects whose keys begin with a prefix, in pages. @param failed  throws the error of a failed request in the words of this service */
export async function* listedObjects(
  client: S3Client,
  place: { Bucket: string; Prefix: string },
  failed: (error: unknown) => never,
): AsyncGenerator<_Object[]> {
  let token: string | undefined;
  do {
    const command = new ListObjectsV2Command({ ...place, ...(token ? { ContinuationToken: token } : {}) });
    const page = await client.send(command).catch(failed);
    yield page.Contents ?? [];
    token = page.NextContinuationToken;
  } while (token);
}
