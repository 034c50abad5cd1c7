// The speakers of the result of a session: found as those of a recording, with the numbers of the finals where the words agree.
import { matchVoices, type VoiceMatch } from "../../speakers/known-voices.ts";
import type { ResultMetadata, Transcription, Utterance } from "../../transcript/transcript.ts";
import { keptNumbers } from "./kept-numbers.ts";
import type { SpeakerServices } from "./live-speakers.ts";
import { type EndedRecording, RecordedWay } from "./recorded-way.ts";
import { fetchedSpeakerModel } from "./speaker-model.ts";

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
  words: words.map((word, index) => (index > 0 ? word : { ...word, word: ` ${word.word.trimStart()}` })),
});

/** The transcription with other numbers of its speakers. */
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
  const way = new RecordedWay(
    { ...recording, utterances: transcription.utterances },
    {
      params,
      recognition,
      findModel: () => fetchedSpeakerModel(services),
      accountId,
      signal,
      onFailed: ({ code, message }) => logger.warn({ code, reason: message }, "diarization of a live session failed"),
    },
  );
  const found = await way.find();
  if ("failure" in found) return { transcription, warnings: [found.failure] };
  const { voices, warning } = found;
  const model = voices?.method === "networks" ? voices.model : undefined;
  const people = services.wantsNames && model !== undefined ? await services.people(model).catch(() => []) : [];
  const { answer, speakerVoices, ...diarized } = await services.addonRunner.diarize(accountId, {
    transcription,
    params,
    audioSeconds: recording.durationSeconds,
    ...(voices ? { voices: voices.method === "networks" ? { ...voices, people } : voices } : {}),
  });
  const warnings = warning === undefined ? [] : [warning];
  if (!answer.success) return { transcription, warnings: [answer.error?.message ?? "diarization failed", ...warnings] };
  const turns = diarized.transcription.speaker_turns ?? [];
  const numbers = keptNumbers(
    finals,
    diarized.transcription.utterances,
    turns.map(({ speaker }) => speaker),
  );
  const matches: VoiceMatch[] = matchVoices(speakerVoices, people).map((match) => ({
    ...match,
    speaker: numbers.get(match.speaker) ?? match.speaker,
  }));
  // Names are joined to the result when it is read.
  if (services.wantsNames) await services.identify(matches);
  const metadata = answer.results as NonNullable<ResultMetadata["diarization"]>;
  const isShown = metadata.method !== "channels" || recording.distinctCount > 1;
  return {
    transcription: renumbered(diarized.transcription, numbers),
    ...(isShown ? { diarization: metadata } : {}),
    warnings,
  };
}
