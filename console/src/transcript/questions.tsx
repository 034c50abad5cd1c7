// Questions about the transcript. Answers are streamed; the moments that they come from are buttons that play the recording there.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { errorMessage, request } from "../api.ts";
import { formats, t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import type { AnswerEvent, Citation } from "../shapes.ts";
import { questionEvents } from "./question-events.ts";
import { Stamp } from "./stamp.tsx";
import type { TranscriptStore } from "./store.ts";

interface Asked {
  question: string;
  answer: string;
  citations: Readonly<Record<number, Citation>>;
  unverified: readonly string[];
  /** Shown while the model reads, and for an error. */
  hint: string;
  isBad: boolean;
}

const MOST_CHARACTERS = 2_000;
const newAnswer = (): Omit<Asked, "question"> => ({
  answer: "",
  citations: {},
  unverified: [],
  hint: t.questions.reads,
  isBad: false,
});

function withEvent(asked: Asked, event: AnswerEvent): Asked {
  switch (event.type) {
    case "progress":
      return { ...asked, hint: t.questions.readsPart(event.done + 1, event.parts) };
    case "citation":
      return { ...asked, citations: { ...asked.citations, [event.citation.index]: event.citation } };
    case "text":
      return { ...asked, answer: asked.answer + event.text, hint: "" };
    case "done":
      return {
        ...asked,
        answer: event.answer,
        citations: Object.fromEntries(event.citations.map((one) => [one.index, one])),
        unverified: event.unverified,
        hint: event.answer === "" ? t.questions.noAnswer : "",
      };
    default:
      return { ...asked, hint: event.message, isBad: true };
  }
}

function Answer({ asked, onSeek }: { asked: Asked; onSeek(seconds: number): void }) {
  const parts = asked.answer.split(/\[(\d+)\]/);
  const isNamed = (index: number) => parts.some((part, at) => at % 2 === 1 && Number(part) === index);
  const others = Object.values(asked.citations).filter(({ index }) => !isNamed(index));
  return (
    <li>
      <strong dir="auto">{asked.question}</strong>
      <p dir="auto" aria-live="polite">
        {parts.map((part, at) => {
          if (at % 2 === 0) return part;
          const citation = asked.citations[Number(part)];
          return citation ? <Stamp key={`${at}`} start={citation.start} title={citation.text} onSeek={onSeek} /> : null;
        })}
        {others.map((citation) => (
          <Stamp key={citation.index} start={citation.start} title={citation.text} onSeek={onSeek} />
        ))}
      </p>
      {asked.unverified.length > 0 ? (
        <p class="hint">{t.questions.unverified(formats.list(asked.unverified))}</p>
      ) : null}
      {asked.hint ? <p class={asked.isBad ? "problem" : "hint"}>{said(asked.hint)}</p> : null}
    </li>
  );
}

export function Questions({ store, onSeek }: { store: TranscriptStore; onSeek(seconds: number): void }) {
  const all = useSignal<readonly Asked[]>([]);
  const isAsking = useSignal(false);
  const current = useRef<AbortController | undefined>(undefined);
  // Leaving the page cancels the answer.
  useEffect(() => () => current.current?.abort(), []);

  const ask = async (question: string) => {
    const aborting = new AbortController();
    current.current = aborting;
    isAsking.value = true;
    all.value = [{ question, ...newAnswer() }, ...all.value];
    const change = (update: (asked: Asked) => Asked) => {
      const [first, ...rest] = all.value;
      if (first) all.value = [update(first), ...rest];
    };
    try {
      const response = await request(
        "POST",
        `/v2/transcription/${encodeURIComponent(store.id)}/questions`,
        { question },
        aborting.signal,
      );
      for await (const event of questionEvents(response)) change((asked) => withEvent(asked, event));
    } catch (error) {
      change((asked) =>
        aborting.signal.aborted
          ? { ...asked, hint: t.questions.stopped }
          : { ...asked, hint: errorMessage(error), isBad: true },
      );
    } finally {
      isAsking.value = false;
    }
  };

  return (
    <>
      <form
        class="question"
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const question = String(new FormData(form).get("question") ?? "").trim();
          if (question === "" || isAsking.value) return;
          form.reset();
          void ask(question);
        }}
      >
        <label>
          {t.questions.askAbout}
          <input type="text" name="question" maxLength={MOST_CHARACTERS} autoComplete="off" required />
        </label>
        {isAsking.value ? (
          <button type="button" onClick={() => current.current?.abort()}>
            {t.frame.stop}
          </button>
        ) : (
          <button type="submit">{t.questions.ask}</button>
        )}
      </form>
      <ol class="plain answers">
        {all.value.map((asked, at) => (
          <Answer key={`${all.value.length - at}`} asked={asked} onSeek={onSeek} />
        ))}
      </ol>
      <p class="hint">{t.questions.hint}</p>
    </>
  );
}
