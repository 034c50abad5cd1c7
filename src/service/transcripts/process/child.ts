// Entry point of the transcript process, which reads results and writes transcripts: parsing and printing an hour of
// words would block the service.
import { readFile, writeFile } from "node:fs/promises";
import { firstOf } from "../../../contract/first-of.ts";
import { parsedCorrection } from "../../../contract/transcript/correction.ts";
import { speakersOf, withSpeakerNames } from "../../../contract/transcript/speaker-names.ts";
import type { TranscriptionResult } from "../../../contract/transcript/transcript.ts";
import { errors, ParlanceError } from "../../../platform/errors.ts";
import { serveParent } from "../../../platform/process/child.ts";
import { problemsOf } from "../correction-problems.ts";
import { corrected } from "../corrections.ts";
import { answerOf } from "../interface-answer.ts";
import { quoteOf } from "../noted-words.ts";
import { correctedNames, spokenStretches } from "../spoken-stretches.ts";
import { isBehind, phrasePlaces } from "../teaching/phrase-places.ts";
import { replacedPhrases } from "../teaching/replaced-phrases.ts";
import { transcriptPage } from "../transcript-pages.ts";
import type { TranscriptRequest, TranscriptResponse } from "./message.ts";

const read = async (file: string) => JSON.parse(await readFile(file, "utf8")) as TranscriptionResult;

async function problemOf(file: string): Promise<string | undefined> {
  try {
    const { transcription } = await read(file);
    return Array.isArray(transcription.utterances) ? undefined : "it has no utterances";
  } catch (error) {
    return (error as Error).message;
  }
}

async function handle(request: TranscriptRequest): Promise<TranscriptResponse> {
  if (request.kind === "read") {
    const problem = await problemOf(request.result);
    return { kind: "readable", ...(problem === undefined ? {} : { problem }) };
  }
  const result = await read(request.result);
  const corrections = "corrections" in request ? request.corrections.map(parsedCorrection) : [];
  if (request.kind === "check") {
    const { transcription, metadata } = result;
    const problems = problemsOf(request.change, transcription, corrections, metadata.audio_duration);
    return { kind: "checked", problems };
  }
  if (request.kind === "answer") {
    try {
      return { kind: "answered", answer: answerOf(request.request, result, corrections) };
    } catch (thrown) {
      throw thrown instanceof ParlanceError ? thrown : errors.translationFailed((thrown as Error).message);
    }
  }
  if (request.kind === "name") {
    const transcription = withSpeakerNames(result.transcription, request.names);
    await writeFile(request.output, JSON.stringify({ ...result, transcription }));
    return { kind: "written" };
  }
  if (request.kind === "stretches") {
    return {
      kind: "stretches",
      ...spokenStretches(corrected(result.transcription, corrections), request.part),
    };
  }
  if (request.kind === "places") {
    const { phrase, after, most } = request;
    const all = phrasePlaces(result.transcription, corrections, phrase);
    const { first: places, rest } = firstOf(after ? all.filter((place) => isBehind(place, after)) : all, most);
    return { kind: "places", places, rest };
  }
  if (request.kind === "quote") {
    const quote = quoteOf(corrected(result.transcription, corrections), request.words);
    return { kind: "quote", ...(quote === undefined ? {} : { quote }) };
  }
  const names = request.kind === "write" || request.kind === "page" ? request.names : [];
  const named = names.length > 0 ? withSpeakerNames(result.transcription, names) : result.transcription;
  const transcription = correctedNames(corrected(named, corrections));
  if (request.kind === "text") {
    const { full_transcript: text, languages, speaker_names: speakerNames } = transcription;
    const speakers = speakersOf(transcription).map((speaker) => ({ speaker, name: speakerNames[speaker] ?? null }));
    const replaced = replacedPhrases(result.transcription, corrections);
    return { kind: "text", text, languages, speakers, replaced };
  }
  // The document library is only loaded for exports.
  const { writeTranscript } = await import("../formats/write.ts");
  const { names: _, corrections: __, result: ___, ...paper } = request;
  const isCorrected = corrections.some(({ undone_at }) => undone_at === null);
  const source = { ...paper, result, transcription, isCorrected };
  if (request.kind === "page") {
    const written = await writeTranscript(source, request.page.format);
    return { kind: "page", ...transcriptPage(result, written.toString(), request.page) };
  }
  await writeFile(request.output, await writeTranscript(source, request.format));
  return { kind: "written" };
}

/** Requests between garbage collections; their garbage is a few megabytes. */
const COLLECT_EVERY = 200;

serveParent(handle, { collectEvery: COLLECT_EVERY });
