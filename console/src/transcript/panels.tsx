// Panels beside the transcript: chapters, summary and other add-ons, corrections, callbacks.

import { useEffect } from "preact/hooks";
import { firstOf } from "../../../src/contract/first-of.ts";
import { errorMessage, send } from "../api.ts";
import { DeliveryList } from "../parts/deliveries.tsx";
import { notice } from "../parts/notices.tsx";
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
import { clock } from "../time.ts";
import { Corrections } from "./corrections-panel.tsx";
import { NotesPanel } from "./notes/notes-panel.tsx";
import { NOTES } from "./notes/texts.ts";
import type { PanelProps } from "./panel-props.ts";
import { Questions } from "./questions.tsx";
import type { TranscriptStore } from "./store.ts";

interface Panel {
  name: string;
  title: string;
  isThere(result: TranscriptionResult, store: TranscriptStore): boolean;
  Body(props: PanelProps): preact.VNode | null;
}

function addon<Results>(store: TranscriptStore, name: string): AddonResult<Results> | undefined {
  return store.job.value?.result?.[name] as AddonResult<Results> | undefined;
}

function Failure({ answer }: { answer: AddonResult<unknown> | undefined }) {
  if (!answer || answer.success) return answer?.is_empty ? <p class="hint">Nothing was found.</p> : null;
  return <p class="problem">{answer.error?.message ?? "This add-on failed."}</p>;
}

/** What a panel draws quickly. */
const MOST_SENTENCES = 500;
const MOST_UTTERANCES = 2_000;
const MOST_LINES = 1_000;

/** @param what  in the plural */
function Rest({ count, what }: { count: number; what: string }) {
  return count === 0 ? null : (
    <p class="hint">
      {count} more {what} are not shown here. The JSON of the transcript has all of them.
    </p>
  );
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
            <h3>{name === "questions" ? "Questions" : "Action items"}</h3>
            <Failure answer={answer} />
            <ul class="plain">
              {(answer.results ?? []).map((item) => (
                <li key={`${item.start}${headOf(item)}`}>
                  <button type="button" class="stamp" onClick={() => onSeek(item.start)}>
                    {clock(item.start)}
                  </button>
                  {headOf(item)}
                  {detailsOf(item).map((text) =>
                    text ? (
                      <small key={text} class="block">
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
            <button type="button" class="stamp" onClick={() => onSeek(start)}>
              {clock(start)}
            </button>
            <strong>{headline}</strong>
            {summary && summary !== headline ? <p>{summary}</p> : null}
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
        <p key={line}>{line}</p>
      ))}
    </>
  );
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
            <dt>{type.toLowerCase().replaceAll("_", " ")}</dt>
            {entities.map(({ text, start }) => (
              <dd key={`${start}${text}`}>
                <button type="button" class="chip" onClick={() => onSeek(start)}>
                  {text}
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
            <button type="button" class="stamp" onClick={() => onSeek(start)}>
              {clock(start)}
            </button>
            <span class={`tag ${sentiment}`}>
              {sentiment}
              {emotion && emotion !== "neutral" ? `, ${emotion}` : ""}
            </span>{" "}
            {text}
          </li>
        ))}
      </ul>
      <Rest count={rest} what="sentences" />
    </>
  );
}

function Translation({ store, onSeek }: PanelProps) {
  const answer = addon<Transcription[] | null>(store, "translation");
  return (
    <>
      <Failure answer={answer} />
      {(answer?.results ?? []).map(({ languages, utterances }) => (
        <section key={languages.join()} lang={languages[0]}>
          <h3>{languages.join(", ")}</h3>
          {firstOf(utterances, MOST_UTTERANCES).first.map(({ text, start }) => (
            <p key={`${start}${text}`} dir="auto">
              <button type="button" class="stamp" onClick={() => onSeek(start)}>
                {clock(start)}
              </button>
              {text.trim()}
            </p>
          ))}
          <Rest count={firstOf(utterances, MOST_UTTERANCES).rest} what="utterances" />
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

function Others({ store }: PanelProps) {
  return (
    <>
      {OTHERS.map((name) => {
        const answer = addon<unknown>(store, name);
        if (!answer) return null;
        const { first, rest } = firstOf(JSON.stringify(answer.results ?? null, null, 2).split("\n"), MOST_LINES);
        return (
          <section key={name}>
            <h3>{name.replaceAll("_", " ")}</h3>
            <Failure answer={answer} />
            {answer.success ? (
              <>
                <pre class="wrapped">{first.join("\n")}</pre>
                <Rest count={rest} what="lines" />
              </>
            ) : null}
          </section>
        );
      })}
    </>
  );
}

function Callbacks({ store }: PanelProps) {
  useEffect(() => {
    store.loadDeliveries().catch((error: unknown) => notice(errorMessage(error), "bad"));
  }, []);
  const replay = async (id: string) => {
    try {
      await send("POST", `${store.path}/deliveries/${id}/replay`);
      notice("The callback is sent again");
      await store.loadDeliveries();
    } catch (error) {
      notice(errorMessage(error), "bad");
    }
  };
  return <DeliveryList deliveries={store.deliveries.value} onReplay={replay} />;
}

const has = (name: string) => (result: TranscriptionResult) => result[name] !== undefined && result[name] !== null;

export const PANELS: readonly Panel[] = [
  { name: "chapters", title: "Chapters", isThere: has("chapterization"), Body: Chapters },
  { name: "summary", title: "Summary", isThere: has("summarization"), Body: Summary },
  { name: "entities", title: "Entities", isThere: has("named_entity_recognition"), Body: Entities },
  { name: "sentiment", title: "Sentiment", isThere: has("sentiment_analysis"), Body: Sentiment },
  { name: "translation", title: "Translation", isThere: has("translation"), Body: Translation },
  {
    name: "items",
    title: "Action items",
    isThere: (result) => has("action_items")(result) || has("questions")(result),
    Body: SpokenItems,
  },
  { name: "others", title: "More", isThere: (result) => OTHERS.some((name) => has(name)(result)), Body: Others },
  {
    name: "questions",
    title: "Questions",
    isThere: (_, { reading }) => (reading.value?.utterances.length ?? 0) > 0,
    Body: Questions,
  },
  {
    name: "notes",
    title: NOTES.panel,
    isThere: (_, { notes }) => notes.items.value.length > 0,
    Body: NotesPanel,
  },
  {
    name: "corrections",
    title: "Corrections",
    isThere: (_, { corrections }) => corrections.value.length > 0,
    Body: Corrections,
  },
  {
    name: "callbacks",
    title: "Callbacks",
    isThere: (_, { job }) => {
      const params = job.value?.request_params;
      return params?.["callback"] === true || typeof params?.["callback_url"] === "string";
    },
    Body: Callbacks,
  },
];
