// A process that runs add-ons, so that their dictionaries and computation do not burden the service process.
import { readFile, rename, writeFile } from "node:fs/promises";
import type { QuestionEvent } from "../../../contract/questions.ts";
import type { TranscriptionResult } from "../../../contract/transcript/transcript.ts";
import { milliseconds } from "../../../contract/transcript/transcript.ts";
import { errors } from "../../../platform/errors.ts";
import { type ServedCall, serveParent } from "../../../platform/process/child.ts";
import { hashOf } from "../../../platform/storage/content-hash.ts";
import { parseJsonLines } from "../../../platform/storage/json-lines.ts";
import { type Gap, recordingClock } from "../../../speech/audio/decode/gaps.ts";
import { type EmbeddedPiece, movePieces } from "../../../speech/speakers/embedded-pieces.ts";
import type { SpeakerVoice } from "../../../speech/speakers/known-voices.ts";
import type { SpeakerLine } from "../../../speech/speakers/recorded-speakers.ts";
import { corrected } from "../../transcripts/corrections.ts";
import {
  onRecordingClock,
  type RecognizedSegment,
  rounded,
  segmentName,
  transcribed,
  transcriptionOf,
} from "../../transcripts/recognized-segments.ts";
import { type FoundVoices, runAddon } from "../addon.ts";
import { AddonFailed, AddonUnavailable } from "../addon-error.ts";
import { callerWording } from "../caller-wording.ts";
import { channelsSeparate } from "../diarization.ts";
import { languageModelOf } from "../providers/language-model.ts";
import { withLanguageModel } from "../providers/local-language-model.ts";
import type { Providers } from "../providers/providers.ts";
import { answerQuestion } from "../questions/question.ts";
import { findAddon } from "../registry.ts";
import { failAddons, runAddons } from "../run-addons.ts";
import { limitProviders, nextTurn, onBehalfOf, withTimeLimit } from "../turns.ts";
import { diarizeSession } from "./diarize-session.ts";
import type { AddonCall, AddonRequest, AddonResponse, Assembly, QuestionRequest } from "./message.ts";

/** Time limit of one add-on of a live session, over a final or the whole transcript. */
const LIVE_TIMEOUT_MILLISECONDS = 60_000;
/** Time limit of a question. Time in a model of this machine, which has its own limits, does not count. */
const QUESTION_TIMEOUT_MILLISECONDS = 300_000;

/** Reads a file with one JSON value per line. Parsing waits for a turn, see turns.ts. */
async function readLines<Line>(file: string): Promise<Line[]> {
  const text = await readFile(file, "utf8");
  await nextTurn();
  return parseJsonLines<Line>(text);
}

/** Segments of a file, on the recording's clock. @param foreign  names of segments whose words are left out */
async function segmentsIn(
  file: string,
  gaps: readonly Gap[],
  foreign: readonly string[] = [],
): Promise<RecognizedSegment[]> {
  const leftOut = new Set(foreign);
  const lines = (await readLines<RecognizedSegment>(file)).filter((line) => !leftOut.has(segmentName(line)));
  return onRecordingClock(lines, gaps);
}

/** @returns null if diarization failed; undefined if it was not requested */
async function voicesIn({
  voices: file,
  speakerModel,
  gaps = [],
  params,
  channels,
  people = [],
}: Assembly): Promise<FoundVoices | null | undefined> {
  const recordingTime = recordingClock(gaps);
  if (file === null) return null;
  // A recording without speech has no lines.
  if (file === undefined) {
    return speakerModel === undefined
      ? undefined
      : { method: "networks", model: speakerModel, lines: [], recordingTime };
  }
  if (speakerModel === undefined) {
    return { method: "encoder", pieces: movePieces(await readLines<EmbeddedPiece>(file), recordingTime) };
  }
  const areChannels = channelsSeparate(params, channels);
  return {
    method: "networks",
    model: speakerModel,
    lines: await readLines<SpeakerLine>(file),
    recordingTime,
    areChannels,
    people,
  };
}

async function assemble(request: AddonRequest & { kind: "assemble" }, signal: AbortSignal): Promise<AddonResponse> {
  const { recognized, result: file, params, audioSeconds, channels, startedAt, providers, gaps = [] } = request;
  const { track, trackCount, warnings, languageConfidence } = request;
  const numerals = params.numerals !== false;
  const { transcription, pauses } = transcribed(await segmentsIn(recognized, gaps, request.foreign), {
    numerals,
    kept: callerWording(params),
    latestSeconds: milliseconds(audioSeconds),
  });
  const result: TranscriptionResult = {
    metadata: {
      audio_duration: milliseconds(audioSeconds),
      number_of_distinct_channels: channels,
      billing_time: milliseconds(audioSeconds * channels),
      transcription_time: 0,
      ...(track === undefined || trackCount === undefined
        ? {}
        : { audio_track: track, number_of_audio_tracks: trackCount }),
      ...(languageConfidence === undefined ? {} : { language_confidence: rounded(languageConfidence) }),
      ...(warnings ? { warnings } : {}),
    },
    transcription,
  };
  const voices = await voicesIn(request);
  const english =
    request.translated === undefined
      ? undefined
      : transcriptionOf(await segmentsIn(request.translated, gaps), { numerals }).utterances;
  let speakerVoices: SpeakerVoice[] = [];
  const onSpeakerVoices = (found: SpeakerVoice[]) => {
    speakerVoices = found;
  };
  const parts = {
    pauses,
    onSpeakerVoices,
    ...(voices === undefined ? {} : { voices }),
    ...(english ? { english } : {}),
  };
  if (request.withAddons) await runAddons(result, params, await withLanguageModel(providers), parts);
  else failAddons(result, params, new AddonFailed("The add-ons did not end in time; the transcript is complete"));
  result.metadata.transcription_time = milliseconds((Date.now() - startedAt) / 1000);
  // After a time-out, a second call may be writing the same result.
  signal.throwIfAborted();
  await nextTurn();
  // Written to a temporary file and renamed, so that the result is complete or missing.
  const content = JSON.stringify(result);
  await writeFile(`${file}.part`, content);
  signal.throwIfAborted();
  await rename(`${file}.part`, file);
  return { kind: "assembled", hash: hashOf(content), speakerVoices };
}

/** @throws questions.unavailable, questions.failed, work.aborted */
async function answerAbout(
  { result, corrections, question, providers }: QuestionRequest & { providers: Providers },
  onEvent: (event: QuestionEvent) => void,
): Promise<AddonResponse> {
  const late = () => new AddonFailed(`The answer took more than ${QUESTION_TIMEOUT_MILLISECONDS / 1000} s`);
  const work = async () => {
    const settings = languageModelOf(await withLanguageModel(providers), "A question about a transcript");
    const text = await readFile(result, "utf8");
    await nextTurn();
    const { transcription } = JSON.parse(text) as TranscriptionResult;
    const { utterances, speaker_names: names } = corrected(transcription, corrections);
    return answerQuestion({ question, utterances, names }, settings, onEvent);
  };
  try {
    return { kind: "answered", answer: await withTimeLimit(QUESTION_TIMEOUT_MILLISECONDS, late, work) };
  } catch (thrown) {
    if (thrown instanceof AddonUnavailable) throw errors.questionUnavailable(thrown.message);
    if (thrown instanceof AddonFailed) throw errors.questionFailed(thrown.message);
    throw thrown;
  }
}

async function answer(
  request: AddonRequest,
  { signal, text }: Pick<ServedCall, "signal" | "text">,
): Promise<AddonResponse> {
  if (request.kind === "assemble") return assemble(request, signal);
  if (request.kind === "question") return answerAbout(request, (event) => text(JSON.stringify(event)));
  if (request.kind === "diarize") return { kind: "diarized", ...(await diarizeSession(request)) };
  const { name, kind: _, ...input } = request;
  const addon = findAddon(name);
  if (!addon) throw new Error(`no add-on ${name}`);
  return {
    kind: "answer",
    answer: await runAddon(
      addon,
      // Live messages do not wait for a model of this machine.
      input.isRealtime ? input : { ...input, providers: await withLanguageModel(input.providers) },
      LIVE_TIMEOUT_MILLISECONDS,
    ),
  };
}

function handle(
  { tenant, request }: AddonCall,
  { signal, computing, progress, text }: ServedCall,
): Promise<AddonResponse> {
  const onTurn = () => {
    computing();
    progress(0);
  };
  return onBehalfOf({ tenant, signal, onTurn }, () => answer(request, { signal, text }));
}

const [requests, requestsPerTenant] = process.argv.slice(2).map(Number);
if (requests && requestsPerTenant) limitProviders({ requests, requestsPerTenant });
serveParent(handle, { isShared: true });
