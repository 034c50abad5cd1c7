// Assembles the result of a job from the files of its stages, runs its add-ons, and writes it.
import { rename, writeFile } from "node:fs/promises";
import { messageDetails } from "../../../../contract/messages/message-details.ts";
import { milliseconds, type TranscriptionResult } from "../../../../contract/transcript/transcript.ts";
import { hashOf } from "../../../../platform/storage/content-hash.ts";
import type { Gap } from "../../../../speech/audio/decode/gaps.ts";
import type { SpeakerVoice } from "../../../../speech/speakers/known-voices.ts";
import {
  onRecordingClock,
  type RecognizedSegment,
  rounded,
  segmentName,
  transcribed,
  transcriptionOf,
} from "../../../transcripts/recognized-segments.ts";
import { AddonFailed } from "../../addon-error.ts";
import { callerWording } from "../../caller-wording.ts";
import { withLanguageModel } from "../../providers/local-language-model.ts";
import { failAddons, runAddons } from "../../run-addons.ts";
import { nextTurn } from "../../turns.ts";
import type { ResultRequest, ResultResponse } from "../message.ts";
import { voicesIn } from "./found-voices.ts";
import { readLines } from "./read-lines.ts";

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

export async function assembleResult(
  request: ResultRequest & { kind: "assemble" },
  signal: AbortSignal,
): Promise<ResultResponse> {
  const { recognized, result: file, params, audioSeconds, channels, startedAt, providers, gaps = [] } = request;
  const { track, trackCount, warnings, languageConfidence, channelSources } = request;
  const { audio_range: range } = params;
  const writing = {
    numerals: params.numerals !== false,
    kept: callerWording(params),
    latestSeconds: milliseconds(audioSeconds),
  };
  const { transcription, pauses } = transcribed(await segmentsIn(recognized, gaps, request.foreign), writing);
  const result: TranscriptionResult = {
    metadata: {
      audio_duration: milliseconds(audioSeconds),
      number_of_distinct_channels: channels,
      ...(channelSources ? { channel_sources: channelSources } : {}),
      billing_time: milliseconds((audioSeconds - (range?.start ?? 0)) * channels),
      ...(range ? { audio_range: { start: range.start ?? 0, end: milliseconds(audioSeconds) } } : {}),
      transcription_time: 0,
      ...(track === undefined || trackCount === undefined
        ? {}
        : { audio_track: track, number_of_audio_tracks: trackCount }),
      ...(languageConfidence === undefined ? {} : { language_confidence: rounded(languageConfidence) }),
      ...(warnings ? { warnings, warning_details: warnings.map(messageDetails) } : {}),
    },
    transcription,
  };
  const voices = await voicesIn(request, transcription.utterances);
  // The recogniser translates the sound, which has the personal data that is removed from the text.
  const english =
    request.translated === undefined || params.pii_redaction === true
      ? undefined
      : transcriptionOf(await segmentsIn(request.translated, gaps), writing).utterances;
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
