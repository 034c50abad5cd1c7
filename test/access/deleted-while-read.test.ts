// Jobs that are deleted while other requests read them: each answer is the whole job or an error that says that it is gone.
import { expect, test } from "vitest";
import { wav } from "../fixtures/recordings.ts";
import { decodeSpeech } from "../fixtures/speech.ts";
import { call, finished, startService, submit } from "../service.ts";

const ROUNDS = 8;
/** Each reads the result of a job in its own way: addresses, and methods with bodies. */
const READERS: readonly [method: string, path: string, body?: object][] = [
  ...[
    "",
    "/file",
    "/cues",
    "/peaks",
    "/notes",
    "/corrections",
    "/transcript?format=srt",
    "/transcript?format=docx",
  ].map((path): [string, string] => ["GET", `/v2/transcription/ID${path}`]),
  ...["", "/sentences", "/vtt"].map((path): [string, string] => ["GET", `/v2/transcript/ID${path}`]),
  ["GET", "/v2/pre-recorded/ID"],
  ["POST", "/v2/transcription/ID/notes", { channel: 0, start: 0, end: 1, text: "A note" }],
  ["PATCH", "/v2/transcription/ID/transcript", { utterances: [{ index: 0, text: "Corrected" }] }],
  ["POST", "/v2/transcription/ID/recognition", { channel: 0, start: 0, end: 1 }],
];

/** The status of an answer whose body was read to its end, as its headers describe it. */
async function statusOf(answer: Promise<Awaited<ReturnType<typeof call>>>): Promise<string> {
  return answer.then(
    ({ status, text }) => (status < 400 || status === 404 ? String(status) : text),
    // The connection ended before the whole answer: the client detects that it is incomplete.
    (error: Error) => `${error.message}: ${(error.cause as Error | undefined)?.message}`,
  );
}

test("every reader answers with the job or that it is gone, in the coding of its headers", async () => {
  const service = await startService();
  try {
    const speech = wav([await decodeSpeech()]);
    const seen = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const id = await submit(service, speech);
      await finished(service, id);
      const read = ([method, path, body]: (typeof READERS)[number]) =>
        statusOf(call(service, method, path.replace("ID", id), { body })).then((status) =>
          seen.add(`${method} ${path} ${status}`),
        );
      const reading = Array.from({ length: 4 }, () => READERS.map(read)).flat();
      await new Promise((resolve) => setTimeout(resolve, round * 4));
      const removed = call(service, "DELETE", `/v2/transcription/${id}`);
      reading.push(...Array.from({ length: 4 }, () => READERS.map(read)).flat());
      expect((await removed).status).toBe(202);
      await Promise.all(reading);
    }
    expect([...seen].filter((answer) => !/ (?:20[01]|404)$/.test(answer))).toEqual([]);
  } finally {
    await service.remove();
  }
});
