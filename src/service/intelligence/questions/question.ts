// Answers a question about a finished transcript. The prompt numbers the lines, and the answer cites them. A transcript that does not fit
// the context is first reduced, part by part, to notes about the question.
import type { CitedAnswer, QuestionEvent } from "../../../contract/questions.ts";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { mainLanguage } from "../addon.ts";
import { AddonFailed } from "../addon-error.ts";
import { Budget, chat, framed, MOST_MERGES, partsFor } from "../providers/language-model.ts";
import type { LanguageModelSettings } from "../providers/providers.ts";
import { CitationChecker } from "./cited-answer.ts";

export interface Question {
  question: string;
  utterances: readonly Utterance[];
  /** Names of speakers, by number. */
  names: Readonly<Record<string, string>>;
}

const NUMBERED = "Every line of the transcript begins with its number in brackets.";

const finalTask = (question: string) =>
  `${NUMBERED} Answer this question from the transcript alone, in a few sentences, in the language of the question: ${question}\nAfter each statement, write the number of the line that it comes from in brackets, such as [0]. If the transcript does not answer the question, say so.`;

const noteTask = (question: string) =>
  `${NUMBERED} Note what the transcript says about this question, in short points: ${question}\nBegin each point with the number of its line in brackets. If no line is about it, answer with the word nothing.`;

const NOTHING = /^\W*nothing\b.{0,40}$/is;
const NO_LINE = "(No line is about the question.)";

function linesOf({ utterances, names }: Question): string {
  return utterances
    .map(({ text, speaker }, index) => {
      const name = speaker === undefined ? "" : `${names[speaker] ?? `Speaker ${speaker}`}: `;
      return `[${index}] ${name}${text.trim().replace(/\s+/g, " ")}`;
    })
    .join("\n");
}

/**
 * Streams an answer.
 * @param onEvent  receives progress, citations and pieces of the answer, in order
 * @throws AddonFailed, AddonUnavailable, work.aborted
 */
export async function answerQuestion(
  asked: Question,
  settings: LanguageModelSettings,
  onEvent: (event: QuestionEvent) => void,
): Promise<CitedAnswer> {
  const { question, utterances } = asked;
  if (utterances.length === 0)
    throw new AddonFailed("The transcript has no words, so that no question can be answered");
  const budget = new Budget(settings);
  let text = linesOf(asked);
  for (let merges = 0; ; merges++) {
    const parts = await partsFor(text, finalTask(question), settings);
    if (parts.length === 1) break;
    if (merges === MOST_MERGES)
      throw new AddonFailed("The transcript is too long for the context of the language model");
    const notes: string[] = [];
    for (const [done, part] of (await partsFor(text, noteTask(question), settings)).entries()) {
      onEvent({ type: "progress", done, parts: parts.length });
      const note = (await chat(noteTask(question), framed(part), settings, { budget })).trim();
      if (note !== "" && !NOTHING.test(note)) notes.push(note);
    }
    text = notes.length === 0 ? NO_LINE : notes.join("\n");
  }
  const checker = new CitationChecker(
    utterances,
    (piece) => onEvent({ type: "text", text: piece }),
    (citation) => onEvent({ type: "citation", citation }),
  );
  let isStreamed = false;
  const answer = await chat(finalTask(question), framed(text), settings, {
    budget,
    onText: (piece) => {
      isStreamed = true;
      checker.push(piece);
    },
  });
  if (!isStreamed) checker.push(answer);
  return checker.end(question, mainLanguage({ utterances: [...utterances] }));
}
