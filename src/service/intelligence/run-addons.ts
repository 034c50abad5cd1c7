// Runs all add-ons of a request: first those that change the transcript, one after another, then all others concurrently.
import type { AddonParameters } from "../../contract/job-parameters.ts";
import type { AddonResult, Transcription, TranscriptionResult } from "../../contract/transcript/transcript.ts";
import { joinedTexts } from "../../speech/text/joined-texts.ts";
import { type Addon, type AddonInput, failed, runAddon } from "./addon.ts";
import type { Providers } from "./providers/providers.ts";
import { requestedAddons } from "./registry.ts";

/** Long enough for requests to a language model about every part of a long recording. */
const ADDON_TIMEOUT_MILLISECONDS = 300_000;

function place(addon: Addon, result: TranscriptionResult, answer: AddonResult<unknown>): void {
  if (addon.hasListResults) answer.results ??= [];
  if (addon.place) addon.place(result, result.transcription, answer);
  else result[addon.name] = answer;
}

/** Adds the results of the add-ons that `params` requests. Never throws because of an add-on. */
export async function runAddons(
  result: TranscriptionResult,
  params: AddonParameters,
  providers: Providers,
  recognized: Pick<AddonInput, "voices" | "english" | "pauses" | "onSpeakerVoices"> = {},
): Promise<void> {
  const shared: Omit<AddonInput, "transcription"> = {
    params,
    providers,
    audioSeconds: result.metadata.audio_duration,
    ...recognized,
  };
  const addons = requestedAddons(params);
  for (const addon of addons.filter(({ changesTranscript }) => changesTranscript)) {
    const transcription = structuredClone(result.transcription);
    const answer = await runAddon(addon, { transcription, ...shared }, ADDON_TIMEOUT_MILLISECONDS);
    if (answer.success) {
      if (addon.masksWords) shared.unmasked = result.transcription.utterances;
      transcription.full_transcript = joinedTexts(transcription.utterances);
      result.transcription = transcription;
    }
    place(addon, result, answer);
  }
  const { transcription } = result;
  const others = addons.filter(({ changesTranscript }) => !changesTranscript);
  const answers = await Promise.all(
    others.map((addon) => runAddon(addon, { transcription, ...shared }, ADDON_TIMEOUT_MILLISECONDS)),
  );
  for (const [index, addon] of others.entries()) place(addon, result, answers[index] as AddonResult<unknown>);
}

/** An add-on that could not be made later. */
export interface FailedAddon {
  name: string;
  /** A sentence. */
  reason: string;
}

/**
 * Adds the results of add-ons to a result that was made before. Its other parts stay, and so does a part that fails.
 * @param text  the transcript as it reads now
 * @returns the add-ons that failed
 */
export async function runLaterAddons(
  result: TranscriptionResult,
  text: Transcription,
  addons: readonly Addon[],
  shared: Pick<AddonInput, "params" | "providers">,
): Promise<FailedAddon[]> {
  const input = { transcription: text, audioSeconds: result.metadata.audio_duration, ...shared };
  const answers = await Promise.all(addons.map((addon) => runAddon(addon, input, ADDON_TIMEOUT_MILLISECONDS)));
  return addons.flatMap((addon, index) => {
    const answer = answers[index] as AddonResult<unknown>;
    if (!answer.success) return [{ name: addon.name, reason: answer.error?.message ?? "" }];
    const before = result[addon.name] as AddonResult<unknown> | undefined;
    if (addon.joinResults && before?.success) answer.results = addon.joinResults(before.results, answer.results);
    // What failed with the job is there now.
    delete result[addon.name];
    place(addon, result, answer);
    return [];
  });
}

/** Error answers for all add-ons, if none could run. */
export function failAddons(result: TranscriptionResult, params: AddonParameters, reason: unknown): void {
  for (const addon of requestedAddons(params)) place(addon, result, failed(reason));
}
