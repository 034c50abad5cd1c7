// Panels beside the transcript: chapters, summary and other add-ons, corrections, callbacks.

import { firstOf } from "../../../src/contract/first-of.ts";
import { formats, t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import { languageName } from "../language-name.ts";
import { labelOf } from "../parts/option-names.ts";
import type {
  ActionItem,
  AddonResult,
  Chapter,
  Entity,
  SentenceSentiment,
  SpokenQuestion,
  Transcription,
  TranscriptionResult,
} from "../shapes.ts";
import { Callbacks } from "./callbacks-panel.tsx";
import { Corrections } from "./corrections-panel.tsx";
import { JsonBlock } from "./json-block.tsx";
import { NotesPanel } from "./notes/notes-panel.tsx";
import type { PanelProps } from "./panel-props.ts";
import { Questions } from "./questions.tsx";
import { Stamp } from "./stamp.tsx";
import type { TranscriptStore } from "./store.ts";

interface Panel {
  name: string;
  title(): string;
  isThere(result: TranscriptionResult, store: TranscriptStore): boolean;
  Body(props: PanelProps): preact.VNode | null;
}

function addon<Results>(store: TranscriptStore, name: string): AddonResult<Results> | undefined {
  return store.job.value?.result?.[name] as AddonResult<Results> | undefined;
}

function Failure({ answer }: { answer: AddonResult<unknown> | undefined }) {
  if (!answer || answer.success) return answer?.is_empty ? <p class="hint">{t.panels.nothingFound}</p> : null;
  return <p class="problem">{answer.error ? said(answer.error.message) : t.panels.failed}</p>;
}

/** What a panel draws quickly. */
const MOST_SENTENCES = 500;
const MOST_UTTERANCES = 2_000;

function Rest({ count, text }: { count: number; text(count: number): string }) {
  return count === 0 ? null : <p class="hint">{text(count)}</p>;
}

type SpokenItem = ActionItem | SpokenQuestion;

const headOf = (item: SpokenItem) => ("task" in item ? item.task : item.question);
const detailsOf = (item: SpokenItem) => ("task" in item ? [item.assignee, item.due] : [item.answer]);

/** The panel of action items and questions, with a button for the time of each. */
function SpokenItems({ store, onSeek }: PanelProps) {
  return (
    <>
      {(["action_items", "questions"] as const).map((name) => {
        const answer = addon<SpokenItem[]>(store, name);
        if (!answer) return null;
        return (
          <section key={name}>
            <h3>{name === "questions" ? t.panels.questions : t.panels.actionItems}</h3>
            <Failure answer={answer} />
            <ul class="plain">
              {(answer.results ?? []).map((item) => (
                <li key={`${item.start}${headOf(item)}`}>
                  <Stamp start={item.start} onSeek={onSeek} />
                  <bdi>{headOf(item)}</bdi>
                  {detailsOf(item).map((text) =>
                    text ? (
                      <small key={text} class="block" dir="auto">
                        {text}
                      </small>
                    ) : null,
                  )}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}

function Chapters({ store, onSeek }: PanelProps) {
  const answer = addon<Chapter[] | null>(store, "chapterization");
  return (
    <>
      <Failure answer={answer} />
      <ol class="chapters">
        {(answer?.results ?? []).map(({ headline, summary, start }) => (
          <li key={start}>
            <Stamp start={start} onSeek={onSeek} />
            <strong dir="auto">{headline}</strong>
            {summary && summary !== headline ? <p dir="auto">{summary}</p> : null}
          </li>
        ))}
      </ol>
    </>
  );
}

function Summary({ store }: PanelProps) {
  const answer = addon<string | null>(store, "summarization");
  return (
    <>
      <Failure answer={answer} />
      {(answer?.results ?? "").split("\n").map((line) => (
        <p key={line} dir="auto">
          {line}
        </p>
      ))}
    </>
  );
}

/** A name of the service that the table lacks, such as one of a newer version, is shown as it is. */
function nameIn(names: Readonly<Record<string, string>>, name: string): string {
  return names[name] ?? name.replaceAll("_", " ");
}

function Entities({ store, onSeek }: PanelProps) {
  const answer = addon<Entity[] | null>(store, "named_entity_recognition");
  const byType = new Map<string, Entity[]>();
  for (const entity of answer?.results ?? []) {
    byType.set(entity.entity_type, [...(byType.get(entity.entity_type) ?? []), entity]);
  }
  return (
    <>
      <Failure answer={answer} />
      <dl class="entities">
        {[...byType].map(([type, entities]) => (
          <div key={type}>
            <dt>{nameIn(t.panels.entityTypes, type)}</dt>
            {entities.map(({ text, start }) => (
              <dd key={`${start}${text}`}>
                <button type="button" class="chip" onClick={() => onSeek(start)}>
                  <bdi>{text}</bdi>
                </button>
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </>
  );
}

function Sentiment({ store, onSeek }: PanelProps) {
  const answer = addon<SentenceSentiment[]>(store, "sentiment_analysis");
  const { first, rest } = firstOf(answer?.results ?? [], MOST_SENTENCES);
  return (
    <>
      <Failure answer={answer} />
      <ul class="plain">
        {first.map(({ sentiment, emotion, text, start }) => (
          <li key={`${start}${text}`}>
            <Stamp start={start} onSeek={onSeek} />
            <span class={`tag ${sentiment}`}>
              {formats.facts([
                nameIn(t.panels.sentiments, sentiment),
                emotion === "neutral" ? "" : nameIn(t.panels.emotions, emotion),
              ])}
            </span>{" "}
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
      <Rest count={rest} text={t.panels.moreSentences} />
    </>
  );
}

function Translation({ store, onSeek }: PanelProps) {
  const answer = addon<Transcription[] | null>(store, "translation");
  return (
    <>
      <Failure answer={answer} />
      {(answer?.results ?? []).map(({ languages, utterances }) => (
        <section key={languages.join()}>
          <h3>{formats.list(languages.map(languageName))}</h3>
          {firstOf(utterances, MOST_UTTERANCES).first.map(({ text, start }) => (
            <p key={`${start}${text}`} dir="auto" lang={languages[0]}>
              <Stamp start={start} onSeek={onSeek} />
              {text.trim()}
            </p>
          ))}
          <Rest count={firstOf(utterances, MOST_UTTERANCES).rest} text={t.panels.moreUtterances} />
        </section>
      ))}
    </>
  );
}

const OTHERS = [
  "moderation",
  "audio_to_llm",
  "structured_data_extraction",
  "pii_redaction",
  "name_consistency",
  "display_mode",
];

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The answer to a `json_schema` is apart, so that it can be copied alone. */
function partsOf(name: string, results: unknown): unknown[] {
  if (name !== "structured_data_extraction" || !isRecord(results) || !("data" in results)) return [results];
  const { data, ...others } = results;
  return Object.keys(others).length > 0 ? [data, others] : [data];
}

function Others({ store }: PanelProps) {
  return (
    <>
      {OTHERS.map((name) => {
        const answer = addon<unknown>(store, name);
        if (!answer) return null;
        return (
          <section key={name}>
            <h3>{labelOf(name)}</h3>
            <Failure answer={answer} />
            {answer.success
              ? partsOf(name, answer.results ?? null).map((part, at) => <JsonBlock key={at} value={part} />)
              : null}
          </section>
        );
      })}
    </>
  );
}

const has = (name: string) => (result: TranscriptionResult) => result[name] !== undefined && result[name] !== null;

export const PANELS: readonly Panel[] = [
  { name: "chapters", title: () => t.panels.chapters, isThere: has("chapterization"), Body: Chapters },
  { name: "summary", title: () => t.panels.summary, isThere: has("summarization"), Body: Summary },
  { name: "entities", title: () => t.panels.entities, isThere: has("named_entity_recognition"), Body: Entities },
  { name: "sentiment", title: () => t.panels.sentiment, isThere: has("sentiment_analysis"), Body: Sentiment },
  { name: "translation", title: () => t.panels.translation, isThere: has("translation"), Body: Translation },
  {
    name: "items",
    title: () => t.panels.actionItems,
    isThere: (result) => has("action_items")(result) || has("questions")(result),
    Body: SpokenItems,
  },
  {
    name: "others",
    title: () => t.panels.more,
    isThere: (result) => OTHERS.some((name) => has(name)(result)),
    Body: Others,
  },
  {
    name: "questions",
    title: () => t.panels.questions,
    isThere: (_, { reading }) => (reading.value?.utterances.length ?? 0) > 0,
    Body: Questions,
  },
  {
    name: "notes",
    title: () => t.panels.notes,
    isThere: (_, { notes }) => notes.items.value.length > 0,
    Body: NotesPanel,
  },
  {
    name: "corrections",
    title: () => t.panels.corrections,
    isThere: (_, { corrections }) => corrections.value.length > 0,
    Body: Corrections,
  },
  {
    name: "callbacks",
    title: () => t.panels.callbacks,
    isThere: (_, { job }) => {
      const params = job.value?.request_params;
      return params?.["callback"] === true || typeof params?.["callback_url"] === "string";
    },
    Body: Callbacks,
  },
];
