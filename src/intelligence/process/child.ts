// A process that runs add-ons. Their dictionaries and their work stay out of the service.
import { readFile, rename, writeFile } from "node:fs/promises";
import type { TranscriptionResult } from "../../jobs/transcript.ts";
import { milliseconds, type RecognizedSegment, transcriptionOf } from "../../jobs/transcription.ts";
import { serveParent } from "../../process/child.ts";
import type { HeardPiece } from "../../speakers/heard-voices.ts";
import { parseJsonLines } from "../../storage/json-lines.ts";
import { AddonFailed, runAddon } from "../addon.ts";
import { callerWording } from "../caller-wording.ts";
import { findAddon } from "../registry.ts";
import { failAddons, runAddons } from "../run-addons.ts";
import type { AnalystRequest, AnalystResponse } from "./message.ts";

const LIVE_TIMEOUT_MILLISECONDS = 60_000;

async function assemble(request: AnalystRequest & { kind: "assemble" }): Promise<AnalystResponse> {
  const { recognized, result: file, params, audioSeconds, channels, startedAt, providers } = request;
  const result: TranscriptionResult = {
    metadata: {
      audio_duration: milliseconds(audioSeconds),
      number_of_distinct_channels: channels,
      billing_time: milliseconds(audioSeconds * channels),
      transcription_time: 0,
    },
    transcription: transcriptionOf(
      parseJsonLines<RecognizedSegment>(await readFile(recognized, "utf8")),
      callerWording(params),
    ),
  };
  const voices =
    typeof request.voices === "string"
      ? parseJsonLines<HeardPiece>(await readFile(request.voices, "utf8"))
      : request.voices;
  const english =
    request.translated === undefined
      ? undefined
      : transcriptionOf(parseJsonLines<RecognizedSegment>(await readFile(request.translated, "utf8"))).utterances;
  const heard = { ...(voices === undefined ? {} : { voices }), ...(english ? { english } : {}) };
  if (request.withAddons) await runAddons(result, params, providers, heard);
  else failAddons(result, params, new AddonFailed("The add-ons did not end in time; the transcript is complete"));
  result.metadata.transcription_time = milliseconds((Date.now() - startedAt) / 1000);
  // Whole or not at all.
  await writeFile(`${file}.part`, JSON.stringify(result));
  await rename(`${file}.part`, file);
  return { kind: "assembled" };
}

async function handle(request: AnalystRequest): Promise<AnalystResponse> {
  if (request.kind === "assemble") return assemble(request);
  const { name, kind: _, ...input } = request;
  const addon = findAddon(name);
  if (!addon) throw new Error(`no add-on ${name}`);
  return {
    kind: "answer",
    answer: await runAddon(addon, input, LIVE_TIMEOUT_MILLISECONDS),
  };
}

serveParent(handle);
