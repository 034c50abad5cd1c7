// Adds add-ons to the stored result of a job, made from its text as it reads now. The stored result stays as it is; another one is written.
import { readFile, rename, writeFile } from "node:fs/promises";
import {
  type Correction,
  parsedCorrection,
  type TranscriptChange,
} from "../../../../contract/transcript/correction.ts";
import type { TranscriptionResult } from "../../../../contract/transcript/transcript.ts";
import { errors } from "../../../../platform/errors.ts";
import { hashOf } from "../../../../platform/storage/content-hash.ts";
import { joinedTexts } from "../../../../speech/text/joined-texts.ts";
import { corrected } from "../../../transcripts/corrections.ts";
import { runAddon } from "../../addon.ts";
import { channelsWithWords, diarizationAddon } from "../../diarization.ts";
import { speakersAsChange, undividedText } from "../../later-speakers.ts";
import { withLanguageModel } from "../../providers/local-language-model.ts";
import type { Providers } from "../../providers/providers.ts";
import { findAddon } from "../../registry.ts";
import { type FailedAddon, runLaterAddons } from "../../run-addons.ts";
import { endSpeakerWarnings } from "../../speaker-warnings.ts";
import { nextTurn } from "../../turns.ts";
import type { LaterAddons, ResultResponse, Spoken } from "../message.ts";
import { voicesIn } from "./found-voices.ts";

/** Clustering many hours takes seconds. */
const SPEAKERS_TIMEOUT_MILLISECONDS = 300_000;

interface Speakers {
  failure?: FailedAddon;
  change?: TranscriptChange;
}

/**
 * Divides the utterances of the result by speakers. Where people have corrected the transcript, the result stays, and the speakers are
 * returned as a change.
 */
async function findSpeakers(
  result: TranscriptionResult,
  { params, voices: found }: LaterAddons,
  corrections: readonly Correction[],
  providers: Providers,
): Promise<Speakers> {
  const { name } = diarizationAddon;
  if (!found) return { failure: { name, reason: "There are no voices" } };
  const { transcription: recognised } = result;
  // Undone corrections count: a person may redo them, for the same utterances.
  const isCorrected = corrections.length > 0;
  const transcription = structuredClone(isCorrected ? undividedText(recognised, corrections) : recognised);
  const voices = await voicesIn({ ...found, params }, recognised.utterances);
  const answer = await runAddon(
    diarizationAddon,
    {
      ...{ transcription, params, providers, audioSeconds: result.metadata.audio_duration },
      ...(voices === undefined ? {} : { voices }),
    },
    SPEAKERS_TIMEOUT_MILLISECONDS,
  );
  if (!answer.success) return { failure: { name, reason: answer.error?.message ?? "" } };
  endSpeakerWarnings(result.metadata);
  if (isCorrected) {
    const change = speakersAsChange(recognised, corrections, transcription.utterances);
    return change ? { change } : {};
  }
  transcription.full_transcript = joinedTexts(transcription.utterances);
  result.transcription = transcription;
  delete result[name];
  diarizationAddon.place?.(result, transcription, answer);
  return {};
}

export async function spokenIn(stored: string): Promise<Spoken> {
  const text = await readFile(stored, "utf8");
  await nextTurn();
  const { utterances } = (JSON.parse(text) as TranscriptionResult).transcription;
  return {
    languages: [...new Set(utterances.map(({ language }) => language))],
    channels: channelsWithWords(utterances),
  };
}

const asMade = (change: TranscriptChange, readAt: string): Correction => ({
  ...{ id: "", made_by: "", created_at: readAt, undone_at: null, undone_by: null },
  ...change,
});

/** @throws add_ons.outdated if the stored result is another one by now */
export async function addToResult(
  request: LaterAddons & { providers: Providers },
  signal: AbortSignal,
): Promise<ResultResponse> {
  const { stored, storedHash, params, addons: names, result: file, readAt } = request;
  const text = await readFile(stored, "utf8");
  if (storedHash !== null && hashOf(text) !== storedHash) throw errors.addOnsOutdated();
  await nextTurn();
  const result = JSON.parse(text) as TranscriptionResult;
  const providers = await withLanguageModel(request.providers);
  const failures: FailedAddon[] = [];
  let corrections = request.corrections.map(parsedCorrection);
  let change: TranscriptChange | undefined;
  if (names.includes(diarizationAddon.name)) {
    const speakers = await findSpeakers(result, request, corrections, providers);
    if (speakers.failure) failures.push(speakers.failure);
    change = speakers.change;
    if (change) corrections = [...corrections, asMade(change, readAt)];
  }
  const others = names.filter((name) => name !== diarizationAddon.name).flatMap((name) => findAddon(name) ?? []);
  const now = corrected(result.transcription, corrections);
  failures.push(...(await runLaterAddons(result, now, others, { params, providers })));
  const failed = new Set(failures.map(({ name }) => name));
  const made = names.filter((name) => !failed.has(name));
  if (made.length === 0) return { kind: "added", failures };
  const times = Object.fromEntries(made.map((name) => [name, readAt]));
  result.metadata.added_at = { ...result.metadata.added_at, ...times };
  signal.throwIfAborted();
  await nextTurn();
  // Written to a temporary file and renamed, so that the result is complete or missing.
  const content = JSON.stringify(result);
  await writeFile(`${file}.part`, content);
  signal.throwIfAborted();
  await rename(`${file}.part`, file);
  return { kind: "added", hash: hashOf(content), failures, ...(change ? { speakers: change } : {}) };
}
