// The voices of a recording, from which its add-on divides utterances by speakers.
import type { Utterance } from "../../../../contract/transcript/transcript.ts";
import { recordingClock } from "../../../../speech/audio/decode/gaps.ts";
import { type EmbeddedPiece, movePieces } from "../../../../speech/speakers/embedded-pieces.ts";
import type { SpeakerLine } from "../../../../speech/speakers/recorded-speakers.ts";
import type { FoundVoices } from "../../addon.ts";
import { channelsSeparate, channelsWithWords } from "../../diarization.ts";
import type { Assembly } from "../message.ts";
import { readLines } from "./read-lines.ts";

/**
 * @param spoken  utterances of the result, before it is divided by speakers
 * @returns null if diarization failed; undefined if it was not requested
 */
export async function voicesIn(
  {
    voices: file,
    speakerModel,
    gaps = [],
    params,
    people = [],
  }: Pick<Assembly, "voices" | "speakerModel" | "gaps" | "params" | "people">,
  spoken: readonly Utterance[],
): Promise<FoundVoices | null | undefined> {
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
  const areChannels = channelsSeparate(params, channelsWithWords(spoken));
  return {
    method: "networks",
    model: speakerModel,
    lines: await readLines<SpeakerLine>(file),
    recordingTime,
    areChannels,
    people,
  };
}
