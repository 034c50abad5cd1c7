// A stretch of audio whose words are in doubt.
import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import type { RecognizedWord, Recognizer, StretchRequest, StretchTexts } from "./recognizer.ts";
import type { TimedWord } from "./word-spans.ts";

/** Least share of a word, or of a stretch, that lies in the other one if the word belongs to the stretch. */
const LEAST_SHARED_TIME = 0.5;

/** Whether a word belongs to a stretch. */
export function isWithin(
  { startSeconds, endSeconds }: TimedWord,
  stretch: Pick<StretchRequest, "startSeconds" | "endSeconds">,
): boolean {
  const shared = Math.min(endSeconds, stretch.endSeconds) - Math.max(startSeconds, stretch.startSeconds);
  const shorter = Math.min(endSeconds - startSeconds, stretch.endSeconds - stretch.startSeconds);
  return shared > 0 && shared >= LEAST_SHARED_TIME * shorter;
}

/** The text of words: a space before each one that is not joined to the word before. */
export const textOfWords = (words: readonly Pick<RecognizedWord, "text" | "isJoined">[]): string =>
  words.map(({ text, isJoined }, at) => (at === 0 || isJoined ? text : ` ${text}`)).join("");

/** Texts that a stretch may have. An engine that compares no texts gives the one that it recognises. */
export async function textsOfStretch(recognizer: Recognizer, request: StretchRequest): Promise<StretchTexts> {
  if (recognizer.textsOf) return recognizer.textsOf(request);
  const { startSeconds: _, endSeconds: __, ...audio } = request;
  const { words, language } = await recognizer.recognize(audio);
  const inside = words.filter((word) => isWithin(word, request));
  if (inside.length === 0) return { language, texts: [] };
  return { language, texts: [{ text: textOfWords(inside), probability: meanConfidence(inside) }] };
}
