// The transcript as readers with a link receive it. Only the named parts of a result are in it: others may have what belongs to the account,
// such as prompts and warnings with addresses.
import type { Chapter } from "../../../contract/addon-results.ts";
import type { SharedTranscript } from "../../../contract/shares.ts";
import { speakersOf } from "../../../contract/transcript/speaker-names.ts";
import type { AddonResult, Transcription, TranscriptionResult } from "../../../contract/transcript/transcript.ts";
import type { TranscriptSource } from "./format.ts";
import { correctedParagraphs, paragraphText } from "./paragraphs.ts";

/** @returns undefined where it failed or was not requested */
const answerOf = <Results>(result: TranscriptionResult, name: string): Results | undefined => {
  const answer = result[name] as AddonResult<Results | null> | null | undefined;
  return answer?.success ? (answer.results ?? undefined) : undefined;
};

const translationOf = ({ languages, utterances }: Transcription) => {
  const language = languages[0] ?? "";
  return {
    language,
    utterances: utterances
      .filter(({ text }) => text.trim() !== "")
      .map(({ start, end, speaker = null, text }) => ({ start, end, speaker, language, text: text.trim() })),
  };
};

const chapterOf = ({ start, end, headline, summary }: Chapter) => ({ start, end, headline, summary });

export function writeShared({ result, transcription }: TranscriptSource): string {
  const { languages, speaker_names: names } = transcription;
  const shared: SharedTranscript = {
    languages,
    speakers: speakersOf(transcription).map((speaker) => ({ speaker, name: names[speaker] ?? null })),
    paragraphs: correctedParagraphs(transcription).map((sentences) => {
      const [{ start, speaker = null, language }] = sentences;
      const end = Math.max(...sentences.map((sentence) => sentence.end));
      return { start, end, speaker, language, text: paragraphText(sentences) };
    }),
    summary: answerOf<string>(result, "summarization") ?? null,
    chapters: (answerOf<Chapter[]>(result, "chapterization") ?? []).map(chapterOf),
    translations: (answerOf<Transcription[]>(result, "translation") ?? []).map(translationOf),
  };
  return JSON.stringify(shared);
}
