// action_items and questions, extensions: a language model finds them in single sentences of a transcript. Times and speakers are those of the
// sentence that an item names; an item whose sentence is about something else is left out.
import type { ActionItem, SpokenQuestion } from "../../contract/addon-results.ts";
import type { Transcription } from "../../contract/transcript/transcript.ts";
import type { JsonSchema } from "../../speech/language-model/json-schema.ts";
import { type Sentence, splitSentences } from "../../speech/text/sentences.ts";
import { type Addon, type AddonInput, mainLanguage } from "./addon.ts";
import { TranscriptFacts } from "./facts.ts";
import { languageModelOf } from "./providers/language-model.ts";
import { askAboutLines } from "./providers/lines.ts";

/** Sentences before and after the named one whose words an item may also contain. */
const CONTEXT_SENTENCES = 2;
const LONGEST_TEXT = 200;
const LONGEST_NAME = 60;
/** Most items in one part of a transcript, which bounds a small model that repeats itself. */
const MOST_ITEMS = 20;
const QUESTION_END = /[?？؟;]["”»)]?$/u;

interface Found {
  line: number;
}

interface Task extends Found {
  task: string;
  assignee: string | null;
  due: string | null;
}

interface Asked extends Found {
  answer: string | null;
}

const OPTIONAL_TEXT = (maxLength: number): JsonSchema => ({ anyOf: [{ type: "string", maxLength }, { type: "null" }] });

const placeOf = ({ start, end, channel, speaker }: Sentence) => ({
  start,
  end,
  channel,
  ...(speaker === undefined ? {} : { speaker }),
});

const textOf = (sentences: readonly Sentence[]) => sentences.map(({ sentence }) => sentence).join(" ");

const lineOf = ({ sentence, speaker }: Sentence) =>
  speaker === undefined ? sentence : `Speaker ${speaker}: ${sentence}`;

/** The sentence that an item names, with its neighbours, and the words of all of them. */
class Context {
  private readonly whole: TranscriptFacts;

  constructor(
    private readonly sentences: readonly Sentence[],
    private readonly language: string | undefined,
  ) {
    this.whole = new TranscriptFacts(sentences.map(lineOf).join(" "), language);
  }

  /** Whether the text shares a word with the context, and has no name or number that the transcript lacks. */
  supports(text: string, line: number): boolean {
    const around = this.sentences.slice(Math.max(0, line - CONTEXT_SENTENCES), line + CONTEXT_SENTENCES + 1);
    return this.whole.missing(text).length === 0 && new TranscriptFacts(textOf(around), this.language).mentions(text);
  }

  /** @returns null if the transcript does not have it */
  kept(text: string | null): string | null {
    const isKnown = text !== null && text.trim() !== "" && this.whole.missing(text).length === 0;
    return isKnown && this.whole.mentions(text) ? text.trim() : null;
  }
}

const sentencesOf = ({ utterances }: Transcription) => splitSentences([...utterances]);

/** One item for each line and text. */
function inOrder<Item extends Found>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const distinct = new Map<string, Item>();
  for (const item of items) if (!distinct.has(keyOf(item))) distinct.set(keyOf(item), item);
  return [...distinct.values()].sort((left, right) => left.line - right.line);
}

async function actionItems({ transcription, providers }: AddonInput): Promise<ActionItem[]> {
  const model = languageModelOf(providers, "action_items");
  const sentences = sentencesOf(transcription);
  if (sentences.length === 0) return [];
  const context = new Context(sentences, mainLanguage(transcription));
  const found = await askAboutLines<Task>(
    "List the tasks that somebody promises to do or is asked to do after this conversation; none if there are none. For each: the line in which it is said, the task in a few words of the transcript's language, who does it, and until when; null for what is not said.",
    sentences.map(lineOf),
    model,
    {
      task: { type: "string", maxLength: LONGEST_TEXT },
      assignee: OPTIONAL_TEXT(LONGEST_NAME),
      due: OPTIONAL_TEXT(LONGEST_NAME),
    },
    ({ line, task }) => typeof task === "string" && task.trim() !== "" && context.supports(task, line),
    MOST_ITEMS,
  );
  return inOrder(found, ({ task }) => task.toLowerCase()).map(({ line, task, assignee, due }) => ({
    task: task.trim(),
    assignee: context.kept(assignee),
    due: context.kept(due),
    ...placeOf(sentences[line] as Sentence),
  }));
}

async function questions({ transcription, providers }: AddonInput): Promise<SpokenQuestion[]> {
  const model = languageModelOf(providers, "questions");
  const sentences = sentencesOf(transcription);
  const isQuestion = (line: number) => QUESTION_END.test(sentences[line]?.sentence ?? "");
  if (!sentences.some((_, line) => isQuestion(line))) return [];
  const context = new Context(sentences, mainLanguage(transcription));
  const found = await askAboutLines<Asked>(
    "List the lines that end with a question mark. For each: its line, and the answer that a later line gives to it, in a few words of the transcript's language; null if nobody answers.",
    sentences.map(lineOf),
    model,
    { answer: OPTIONAL_TEXT(LONGEST_TEXT) },
    ({ line }) => isQuestion(line),
    MOST_ITEMS,
  );
  const answers = new Map(inOrder(found, ({ line }) => String(line)).map(({ line, answer }) => [line, answer]));
  return sentences.flatMap((sentence, line) =>
    isQuestion(line)
      ? [{ question: sentence.sentence, answer: context.kept(answers.get(line) ?? null), ...placeOf(sentence) }]
      : [],
  );
}

export const actionItemsAddon: Addon = { name: "action_items", hasListResults: true, run: actionItems };

export const questionsAddon: Addon = { name: "questions", hasListResults: true, run: questions };
