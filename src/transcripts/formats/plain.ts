// Text, JSON and subtitles.
import { COMPLIANCE, layoutCaptions } from "../../subtitles/layout.ts";
import { writeSrt, writeVtt } from "../../subtitles/write.ts";
import { type CorrectedTranscription, speakerName } from "../corrections.ts";
import type { Paper } from "./format.ts";

/** One utterance a line. */
export function writeText({ transcription: { utterances, speaker_names } }: Paper): string {
  const lines = utterances
    .filter(({ text }) => text.trim() !== "")
    .map(({ speaker, text }) =>
      speaker === undefined ? text.trim() : `${speakerName(speaker, speaker_names)}: ${text.trim()}`,
    );
  return `${lines.join("\n")}\n`;
}

/** The whole result; what live sessions sent while they ran is left out. */
export function writeJson({ result, transcription }: Paper): string {
  const { messages: _, ...rest } = result;
  return `${JSON.stringify({ ...rest, transcription }, null, 2)}\n`;
}

const captionsOf = ({ utterances }: CorrectedTranscription) => layoutCaptions(utterances, COMPLIANCE);

export const writeSrtFile = ({ transcription }: Paper) =>
  writeSrt(captionsOf(transcription), transcription.speaker_names);

export const writeVttFile = ({ transcription }: Paper) =>
  writeVtt(captionsOf(transcription), transcription.speaker_names);
