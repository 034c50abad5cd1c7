// Stretches of speech in another language than the rest of the recording, where the request neither names one language nor sets
// code_switching. Detection in the first seconds chooses the language of all. A stretch is recognised again in its own language
// where its words are doubtful, detection contradicts, and the new words are clearly more certain.

import { isContradicted, mayContradict } from "../../../speech/recognition/contradicting-language.ts";
import type { SpeechPlan } from "../../models/speech-plan.ts";
import type { RecognizedSegment } from "../../transcripts/recognized-segments.ts";
import {
  type DetectedSegment,
  recognizeGroup,
  type SegmentGroup,
  type SegmentRecognition,
  secondsOf,
  ungrouped,
} from "./segment-recognition.ts";
import type { StageContext } from "./stage.ts";

/** The segment in the language that detection finds in it, where that is another one and its words are clearly more certain. */
export function inDetectedLanguage(
  line: RecognizedSegment,
  { languageProbabilities = [], ...detected }: DetectedSegment,
): RecognizedSegment | undefined {
  if (detected.language === line.language) return undefined;
  const probability = languageProbabilities.find(([language]) => language === detected.language)?.[1] ?? 0;
  return isContradicted(line.words, detected.words, probability) ? detected : undefined;
}

/**
 * @param lines      recognised in the language of the recording
 * @param recognitionFor  how a segment of a language is recognised
 * @returns the same segments; those in another language have their words in that language
 */
export async function withSecondLanguages(
  lines: readonly RecognizedSegment[],
  { model, languages }: SpeechPlan,
  recognitionFor: (language: string) => SegmentRecognition,
  context: StageContext,
): Promise<RecognizedSegment[]> {
  const read = async (line: RecognizedSegment, options: SegmentRecognition) => {
    const [group] = ungrouped([line]) as [SegmentGroup];
    return (await recognizeGroup(group, context, options))[0] as DetectedSegment;
  };
  const checked: RecognizedSegment[] = [];
  for (const line of lines) {
    const detected = mayContradict(line.words, secondsOf(line)) ? await read(line, { model, languages }) : undefined;
    if (!detected || detected.language === line.language) {
      checked.push(line);
      continue;
    }
    const options = recognitionFor(detected.language);
    const { words } = options.model === model ? detected : await read(line, options);
    checked.push(inDetectedLanguage(line, { ...detected, words }) ?? line);
  }
  return checked;
}
