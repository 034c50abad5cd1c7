// Assembles the result from the words, including add-ons. Runs in a separate process, as printing an hour of words
// would block the service and add-ons take time.

import { toParlanceError } from "../../../platform/errors.ts";
import { attemptResultKey } from "../../../platform/storage/objects/keys.ts";
import { recordingClock } from "../../../speech/audio/decode/gaps.ts";
import { holesWarning } from "../../../speech/audio/holes.ts";
import { wordlessWarning } from "../../../speech/audio/voice-activity/wordless-speech.ts";
import { type KnownPerson, matchVoices } from "../../../speech/speakers/known-voices.ts";
import { identifiesSpeakers } from "../../intelligence/diarization.ts";
import { writeResult } from "../../intelligence/process/calls/write-result.ts";
import { withoutNames } from "../../intelligence/speaker-warnings.ts";
import { addOnCost } from "./add-on-cost.ts";
import { languageWarnings } from "./foreign-speech.ts";
import { keepWhenPossible, storeWhenPossible } from "./keep.ts";
import { fetchLanguageModel } from "./language-model.ts";
import type { Stage, StageContext, StageOutputs } from "./stage.ts";
import { vocabularyWarnings } from "./vocabulary-warning.ts";

/** Reads the people of the account's library, if the request identifies speakers. A locked library gives a warning. */
async function knownPeople({ job, outputs, services }: StageContext): Promise<{
  people: KnownPerson[];
  warnings: string[];
}> {
  const model = outputs.speakers?.model;
  if (!services.voices || model === undefined || !identifiesSpeakers(job.params)) return { people: [], warnings: [] };
  try {
    return { people: await services.voices.people(job.accountId, model), warnings: [] };
  } catch (thrown) {
    const { code, message } = toParlanceError(thrown);
    if (code !== "voices.locked") throw thrown;
    services.logger.warn({ job: job.id, code, reason: message }, "the speakers of a job have no names");
    return { people: [], warnings: [withoutNames(message)] };
  }
}

const UNOPENED_VOICES =
  "The speakers of this request have no names: their voices were sealed with another key, or by a process without PARLANCE_SECRETS_KEY that no longer runs";

/** The parameters with the voices of the request opened, for the memory of the result process alone. */
function withOpenedVoices({ job, services }: StageContext): StageContext["job"]["params"] {
  const { sealed_voices: sealed, ...params } = job.params;
  if (sealed === undefined) return params;
  const people = services.requestVoices?.open(sealed);
  return people
    ? { ...params, known_voices: people }
    : { ...params, warnings: [...(params.warnings ?? []), UNOPENED_VOICES] };
}

function warningOnWordlessSpeech({ recognize, decode }: StageOutputs): string[] {
  const timeOf = recordingClock(decode?.gaps ?? []);
  const stretches = (recognize?.wordless ?? []).map(({ startSeconds, endSeconds }) => ({
    startSeconds: timeOf(startSeconds),
    endSeconds: timeOf(endSeconds),
  }));
  return stretches.length > 0 ? [wordlessWarning(stretches, recognize?.furtherWordless)] : [];
}

function warningOnHoles({ segment, decode }: StageOutputs): string[] {
  const timeOf = recordingClock(decode?.gaps ?? []);
  const holes = (segment?.holes ?? []).map(({ startSeconds, endSeconds, silentSeconds }) => ({
    startSeconds: timeOf(startSeconds),
    endSeconds: timeOf(endSeconds),
    silentSeconds,
  }));
  return holes.length > 0 ? [holesWarning(holes)] : [];
}

/** @returns a warning if nothing was recognised in the track that was chosen, and the file has others */
function warningOnTracks({ job, outputs: { decode, recognize } }: StageContext): string[] {
  const { track, trackCount = 1 } = decode ?? {};
  const isChosen = job.params.audio_track === undefined && track !== undefined && trackCount > 1;
  return isChosen && recognize?.isWordless === true ? [wordlessTrackWarning(track, trackCount)] : [];
}

/** @param track  counted from 0 */
export function wordlessTrackWarning(track: number, trackCount: number): string {
  return `No words were recognised in audio track ${track} of ${trackCount}, counted from 0: to transcribe another one, name it (audio_track)`;
}

export const assembleStage: Stage<"assemble"> = {
  name: "assemble",
  cost: addOnCost,
  async run(context) {
    const { job, outputs, services, signal } = context;
    await fetchLanguageModel(context);
    const { objects, resultProcesses } = services;
    const key = attemptResultKey(job.id, job.hold.attempt);
    const { pieces = 0, hasFailed = false, model: speakerModel, warnings: ofSpeakers = [] } = outputs.speakers ?? {};
    const embeddings = pieces > 0 ? await objects.localPath(context.files.voices) : undefined;
    const voices = hasFailed ? null : embeddings;
    const { track, trackCount, gaps, channelSources, warnings: ofDecoding = [] } = outputs.decode ?? {};
    const { foreign, languageConfidence } = outputs.recognize ?? {};
    const detectsOnly = job.params.detects_only === true;
    const ofLanguage = languageWarnings(outputs.recognize ?? {}, services, ofDecoding, detectsOnly);
    const params = withOpenedVoices(context);
    const { people, warnings: ofVoices } = await knownPeople(context);
    const warnings = [
      ...(params.warnings ?? []),
      ...ofDecoding,
      ...ofLanguage,
      ...warningOnTracks(context),
      ...warningOnHoles(outputs),
      ...warningOnWordlessSpeech(outputs),
      ...(await vocabularyWarnings(context)),
      ...ofSpeakers,
      ...ofVoices,
    ];
    const { hash: resultHash, speakerVoices } = await writeResult(
      resultProcesses,
      job.accountId,
      {
        recognized: await objects.localPath(context.files.recognized),
        ...(voices === undefined ? {} : { voices }),
        ...(speakerModel === undefined ? {} : { speakerModel }),
        ...(people.length > 0 ? { people } : {}),
        ...(outputs.translate?.segments ? { translated: await objects.localPath(context.files.translated) } : {}),
        result: await objects.localPath(key),
        params,
        audioSeconds: outputs.decode?.durationSeconds ?? 0,
        channels: outputs.decode?.distinctChannels.length ?? 1,
        ...(channelSources ? { channelSources } : {}),
        startedAt: job.startedAt.getTime(),
        ...(track === undefined || trackCount === undefined ? {} : { track, trackCount }),
        ...(gaps ? { gaps } : {}),
        ...(warnings.length > 0 ? { warnings } : {}),
        ...(foreign ? { foreign: foreign.segments } : {}),
        ...(languageConfidence === undefined ? {} : { languageConfidence }),
      },
      signal,
    );
    await keepWhenPossible(context, key);
    const matches = matchVoices(speakerVoices, people);
    if (people.length > 0)
      await storeWhenPossible(context, async () => services.voices?.identify(job.accountId, job.hold, matches));
    return { resultKey: key, resultHash };
  },
};
