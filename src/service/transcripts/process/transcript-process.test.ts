// Requests that wait for the transcript process: what they need is read at their turn, and those of clients that left are removed.
import os from "node:os";
import { afterEach, expect, test } from "vitest";
import { childEnvironment } from "../../../platform/config/load.ts";
import { TranscriptProcess } from "./transcript-process.ts";

const WAITING = 100;
const processes: TranscriptProcess[] = [];
afterEach(() => Promise.all(processes.splice(0).map((one) => one.stop())));

test("corrections of waiting requests are not read, and requests of clients that left end without them", async () => {
  const transcripts = new TranscriptProcess(childEnvironment(os.tmpdir()));
  processes.push(transcripts);
  let reads = 0;
  let finishFirst: (error: Error) => void = () => undefined;
  const corrections = () => {
    reads++;
    return new Promise<never>((_resolve, reject) => {
      finishFirst = reject;
    });
  };
  const source = { result: "/nowhere", corrections };
  const first = transcripts.text({ tenant: "a" }, source);
  const clients = Array.from({ length: WAITING }, () => new AbortController());
  const others = clients.map(({ signal }, at) =>
    transcripts.text({ tenant: at % 2 === 0 ? "a" : "b", signal }, source),
  );
  await new Promise((resolve) => setImmediate(resolve));
  expect(reads).toBe(1);
  for (const client of clients) client.abort();
  for (const one of await Promise.allSettled(others))
    expect(one).toMatchObject({ status: "rejected", reason: { code: "work.aborted" } });
  expect(reads).toBe(1);
  finishFirst(new Error("no database"));
  await expect(first).rejects.toThrow("no database");
});

test("a request whose client leaves while its corrections are read is not sent to the process", async () => {
  const transcripts = new TranscriptProcess(childEnvironment(os.tmpdir()));
  processes.push(transcripts);
  const client = new AbortController();
  const corrections = async () => {
    client.abort();
    return [];
  };
  const call = transcripts.text({ tenant: "a", signal: client.signal }, { result: "/nowhere", corrections });
  await expect(call).rejects.toMatchObject({ code: "work.aborted" });
});
