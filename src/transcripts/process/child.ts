// A process that reads results and writes transcripts: an hour of words is long to read and to print.
import { readFile, writeFile } from "node:fs/promises";
import { ParlanceError } from "../../errors.ts";
import type { TranscriptionResult } from "../../jobs/transcript.ts";
import { answerOf } from "../../openai/answer.ts";
import { serveParent } from "../../process/child.ts";
import { corrected } from "../corrections.ts";
import type { ClerkRequest, ClerkResponse } from "./message.ts";

const read = async (file: string) => JSON.parse(await readFile(file, "utf8")) as TranscriptionResult;

async function handle(request: ClerkRequest): Promise<ClerkResponse> {
  const result = await read(request.result);
  if (request.kind === "check") {
    const count = result.transcription.utterances.length;
    const problems = (request.change.utterances ?? [])
      .filter(({ index }) => index >= count)
      .map(({ index }) => `utterances.index must be below ${count}, the number of utterances; it is ${index}`);
    return { kind: "checked", problems };
  }
  if (request.kind === "answer") {
    try {
      return { kind: "answered", answer: answerOf(request.request, result) };
    } catch (thrown) {
      throw new ParlanceError((thrown as Error).message, { code: "translation.failed", status: 422 });
    }
  }
  const transcription = corrected(result.transcription, request.corrections);
  if (request.kind === "text") return { kind: "text", text: transcription.full_transcript };
  // The library for documents is loaded by those who want one.
  const { writeTranscript } = await import("../formats/write.ts");
  const { title, createdAt, format, output } = request;
  await writeFile(output, await writeTranscript({ title, createdAt, result, transcription }, format));
  return { kind: "written" };
}

/** Garbage of so many requests is a few megabytes. */
const COLLECT_EVERY = 200;

serveParent(handle, { collectEvery: COLLECT_EVERY });
