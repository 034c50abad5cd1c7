// Parts of a result that repeat its transcript, computed from the corrected utterances. Removed words are in none of them.
import type { AddonResult, Transcription } from "../../../contract/transcript/transcript.ts";
import { requestedLimits } from "../../../speech/subtitles/requested-limits.ts";
import { subtitleFile } from "../../../speech/subtitles/subtitles.ts";
import type { Sentence } from "../../../speech/text/sentences.ts";
import { captionSource } from "./caption-source.ts";
import type { TranscriptSource } from "./format.ts";
import { correctedSentences } from "./paragraphs.ts";

function sentencesNow(answer: AddonResult<unknown>, sentences: readonly Sentence[]): AddonResult<unknown> {
  return answer.success ? { ...answer, is_empty: sentences.length === 0, results: sentences } : answer;
}

/** @returns what replaces the parts of the result, and of its transcription; both only have parts that the request enabled */
export function correctedResult(source: TranscriptSource): {
  result: { sentences?: AddonResult<unknown> };
  transcription: Pick<Transcription, "sentences" | "subtitles">;
} {
  const { result, transcription, subtitlesConfig = {} } = source;
  const { utterances, sentences: inside, subtitles } = transcription;
  const beside = result["sentences"] as AddonResult<unknown> | undefined;
  const sentences = beside || inside ? correctedSentences(utterances) : [];
  const captions = captionSource({ ...source, speakers: true });
  const limits = requestedLimits(subtitlesConfig);
  return {
    result: beside ? { sentences: sentencesNow(beside, sentences) } : {},
    transcription: {
      ...(inside ? { sentences: inside.map((answer) => sentencesNow(answer, sentences)) } : {}),
      ...(subtitles
        ? { subtitles: subtitles.map(({ format }) => ({ format, subtitles: subtitleFile(format, captions, limits) })) }
        : {}),
    },
  };
}
