// Diarizes the result of a session as a recording. Speakers keep their numbers of the finals where the words agree.

import type { ResultMetadata, Transcription, Utterance } from "../../../contract/transcript/transcript.ts";
import { toParlanceError } from "../../../platform/errors.ts";
import { inTurns } from "../../../platform/process/steps.ts";
import { whenPossible } from "../../../platform/storage/when-possible.ts";
import { type KnownPerson, matchVoices, type VoiceMatch } from "../../../speech/speakers/known-voices.ts";
import { identifiesSpeakers, withLeadingSpace } from "../../intelligence/diarization.ts";
import { divideBySpeakers } from "../../intelligence/process/calls/diarization.ts";
import type { DiarizationRequest } from "../../intelligence/process/message.ts";
import { withoutNames } from "../../intelligence/speaker-warnings.ts";
import { fetchedSpeakerModel } from "../../models/speaker-model.ts";
import { type EndedRecording, FullDiarization } from "./full-diarization.ts";
import { keptNumbers } from "./kept-numbers.ts";
import type { SpeakerServices } from "./speaker-services.ts";

export interface DiarizedSession {
  transcription: Transcription;
  /** For the metadata of the result. */
  diarization?: NonNullable<ResultMetadata["diarization"]>;
  warnings: string[];
}

/** Finals begin with a space, as clients of the protocol expect. */
const spaced = ({ text, words, ...utterance }: Utterance): Utterance => ({
  ...utterance,
  text: ` ${text.trimStart()}`,
  words: withLeadingSpace(words),
});

/** The transcription with its speakers renumbered. */
function renumbered(
  { utterances, speaker_turns, speakers, ...rest }: Transcription,
  numbers: ReadonlyMap<number, number>,
): Transcription {
  const numberOf = (speaker: number) => numbers.get(speaker) ?? speaker;
  const changed = <One extends { speaker?: number }>(one: One): One =>
    one.speaker === undefined ? one : { ...one, speaker: numberOf(one.speaker) };
  const inOrder = speakers?.map(changed).sort((left, right) => left.speaker - right.speaker);
  return {
    ...rest,
    utterances: utterances.map((utterance) => spaced(changed(utterance))),
    ...(speaker_turns ? { speaker_turns: speaker_turns.map(changed) } : {}),
    ...(inOrder ? { speakers: inOrder } : {}),
  };
}

const failed = (reason: string) =>
  `diarization of the whole session failed; the speakers are those of the finals: ${reason}`;

/** People of the account's library, if the request has names; nobody, and a warning, if they cannot be opened. */
async function knownPeople(
  model: string | undefined,
  { params, people, logger }: SpeakerServices,
  warnings: string[],
): Promise<readonly KnownPerson[]> {
  if (model === undefined || !identifiesSpeakers(params)) return [];
  return people(model).catch((thrown: unknown) => {
    const { code, message } = toParlanceError(thrown);
    logger.warn({ code, reason: message }, "the speakers of a live session have no names");
    warnings.push(withoutNames(message));
    return [];
  });
}

/** Stores who the speakers are; names are joined when the result is read. An error here does not fail the result. */
async function identify(matches: readonly VoiceMatch[], services: SpeakerServices, signal: AbortSignal): Promise<void> {
  const { logger } = services;
  const onWait = (error: unknown) =>
    logger.warn({ err: error }, "the speaker names of a live session cannot be stored; retrying");
  await whenPossible(() => services.identify(matches), signal, onWait).catch((error: unknown) => {
    signal.throwIfAborted();
    logger.warn({ err: error }, "the speaker names of a live session were not stored");
  });
}

/**
 * @param finals  as they were sent, with corrections
 * @throws work.aborted
 */
export async function diarizedSession(
  transcription: Transcription,
  finals: readonly Utterance[],
  recording: Omit<EndedRecording, "utterances">,
  services: SpeakerServices,
  signal: AbortSignal,
): Promise<DiarizedSession> {
  const { logger, accountId, recognition, params } = services;
  const diarization = new FullDiarization(
    { ...recording, utterances: transcription.utterances },
    {
      params,
      recognition,
      findModel: () =>
        whenPossible(
          () => fetchedSpeakerModel(services),
          signal,
          (error) => logger.warn({ err: error }, "the speaker model of a live session cannot be fetched yet; retrying"),
        ),
      accountId,
      signal,
      onFailed: ({ code, message }) => logger.warn({ code, reason: message }, "diarization of a live session failed"),
    },
  );
  const found = await diarization.find();
  if ("failure" in found) return { transcription, warnings: [failed(found.failure)] };
  const { voices, warnings } = found;
  const model = voices?.method === "networks" ? voices.model : undefined;
  const people = await knownPeople(model, services, warnings);
  const request: DiarizationRequest = {
    transcription,
    params,
    audioSeconds: recording.durationSeconds,
    ...(voices ? { voices: voices.method === "networks" ? { ...voices, people } : voices } : {}),
  };
  const diarized = await divideBySpeakers(services.resultProcesses, accountId, request).catch((error: unknown) => {
    logger.warn({ err: error }, "the speakers of a live session could not be clustered");
    return undefined;
  });
  if (!diarized?.answer.success) {
    const reason = diarized?.answer.error?.message ?? "the process that clusters the voices ended";
    return { transcription, warnings: [...warnings, failed(reason)] };
  }
  const { utterances, speaker_turns = [] } = diarized.transcription;
  const others = speaker_turns.map(({ speaker }) => speaker);
  const numbers = await inTurns(keptNumbers(finals, utterances, others));
  if (identifiesSpeakers(params)) {
    const matches = matchVoices(diarized.speakerVoices, people);
    await identify(
      matches.map((match) => ({ ...match, speaker: numbers.get(match.speaker) ?? match.speaker })),
      services,
      signal,
    );
  }
  const metadata = diarized.answer.results as NonNullable<ResultMetadata["diarization"]>;
  const isShown = metadata.method !== "channels" || recording.distinctCount > 1;
  return {
    transcription: renumbered(diarized.transcription, numbers),
    ...(isShown ? { diarization: metadata } : {}),
    warnings,
  };
}
