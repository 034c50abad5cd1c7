// Alternatives of the unsure word that is shown. The service recognises its stretch of the recording again. The alternatives of the next
// unsure word are requested ahead.
import { type ReadonlySignal, type Signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { StretchAlternatives } from "../../../src/contract/stretches.ts";
import { ApiError, errorMessage, request } from "../api.ts";
import { formats, t } from "../language/language.ts";
import type { UnsureWord } from "./doubt.ts";
import type { Editing } from "./editing.ts";
import { fitted } from "./fitted-text.ts";
import type { TranscriptStore } from "./store.ts";
import type { Unsure } from "./unsure-bar.tsx";

/** Time that a word stays selected before its alternatives are requested, so that stepping over words requests nothing. */
const PAUSE_MILLISECONDS = 150;
/** Number of words whose answers are kept. */
const MOST_KEPT = 300;
/** After these statuses, no other word of the transcript is requested. */
const FINAL_STATUSES = new Set([404, 409, 410]);

interface Doubt {
  unsure: UnsureWord;
  text: string;
  /** Of the recogniser, 0 to 1. */
  confidence: number;
  isFirst: boolean;
  body: { start: number; end: number; channel: number; language: string; text: string };
}

type Answer = { items: { text: string; probability: number }[] } | { problem: string };

export interface Alternatives {
  doubt: ReadonlySignal<Doubt | undefined>;
  /** Undefined until the answer arrives. */
  answer: ReadonlySignal<Answer | undefined>;
  /** Number of alternatives that can be chosen now. */
  count: ReadonlySignal<number>;
  isClosed: Signal<boolean>;
  /** Replaces the unsure word. @param number  from 1 on */
  choose(number: number): void;
}

function doubtOf(store: TranscriptStore, unsure: UnsureWord | undefined): Doubt | undefined {
  const utterance = unsure && store.reading.value?.utterances[unsure.at];
  const position = utterance?.words.findIndex(({ start }) => start === unsure?.start) ?? -1;
  const word = utterance?.words[position];
  if (!unsure || !utterance || !word) return undefined;
  const { start, end, confidence } = word;
  const text = word.word.trim();
  const before = utterance.words[position - 1]?.word.trim() ?? "";
  const body = { start, end, channel: utterance.channel, language: utterance.language, text };
  return { unsure, text, confidence, isFirst: position === 0 || /[.?!…]$/u.test(before), body };
}

/** Requests alternatives from the service, and keeps them. */
function answers(path: string) {
  const kept = new Map<string, Answer>();
  let refusal: Answer | undefined;
  return {
    known: ({ body }: Doubt) => refusal ?? kept.get(JSON.stringify(body)),
    async request({ body, text, isFirst }: Doubt, signal: AbortSignal): Promise<Answer> {
      let answer: Answer;
      try {
        const response = await request("POST", `${path}/alternatives`, body, signal);
        const { alternatives } = (await response.json()) as StretchAlternatives;
        answer = { items: alternatives.map((one) => ({ ...one, text: fitted(one.text, text, isFirst) })) };
      } catch (error) {
        if (signal.aborted) throw error;
        answer = { problem: errorMessage(error) };
        if (error instanceof ApiError && FINAL_STATUSES.has(error.status)) refusal = answer;
        // Another word, or another try, may have an answer.
        return answer;
      }
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(JSON.stringify(body), answer);
      return answer;
    },
  };
}

export function useAlternatives(store: TranscriptStore, unsure: Unsure, editing: Editing): Alternatives {
  const doubt = useComputed(() => doubtOf(store, unsure.word.value));
  const answer = useSignal<Answer | undefined>(undefined);
  const isClosed = useSignal(false);
  const service = useMemo(() => answers(store.path), [store]);
  const ahead = useComputed(() => {
    const { value: position } = unsure.position;
    return position === undefined ? undefined : doubtOf(store, unsure.words.value[position + 1]);
  });
  const key = useComputed(() => JSON.stringify(doubt.value?.body));
  useSignalEffect(() => {
    void key.value;
    const now = doubt.peek();
    answer.value = now && service.known(now);
    if (!now) return undefined;
    isClosed.value = false;
    const gone = new AbortController();
    const timer = setTimeout(async () => {
      try {
        answer.value ??= await service.request(now, gone.signal);
        const next = ahead.peek();
        if (next && !service.known(next)) await service.request(next, gone.signal);
      } catch {
        // The bar shows another word now, and aborted the request.
      }
    }, PAUSE_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  });
  const count = useComputed(() => {
    const { value } = answer;
    return !isClosed.value && value && "items" in value ? value.items.length : 0;
  });
  const choose = (number: number) => {
    const [now, value] = [doubt.peek(), answer.peek()];
    const chosen = count.peek() >= number && value && "items" in value ? value.items[number - 1] : undefined;
    if (!now || !chosen) return;
    // Typed text of the same paragraph is stored first: the change names words that the service has.
    void editing.save().then(() => unsure.replace(now.unsure, chosen.text));
  };
  return { doubt, answer, count, isClosed, choose };
}

/** @param what  a number chooses an alternative, from 1 on */
export function settleUnsure(
  what: "next" | "previous" | "accept" | number,
  unsure: Unsure,
  alternatives: Alternatives,
): void {
  if (typeof what === "number") alternatives.choose(what);
  else if (what === "accept") unsure.accept();
  else unsure.step(what === "next" ? 1 : -1);
}

/** At least one in a hundred. */
const shownShare = (share: number) => Math.max(0.01, share);

function Choices({ alternatives }: { alternatives: Alternatives }) {
  const { value: answer } = alternatives.answer;
  if (!answer) return <span class="hint">{t.unsure.listening}</span>;
  if ("problem" in answer) return <span class="hint">{t.unsure.none(answer.problem)}</span>;
  if (answer.items.length === 0) return <span class="hint">{t.unsure.nothingElse}</span>;
  return (
    <>
      {answer.items.map(({ text, probability }, at) => (
        <button
          key={text}
          type="button"
          title={t.unsure.useInstead(at + 1)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => alternatives.choose(at + 1)}
        >
          <kbd>{at + 1}</kbd> {text === "" ? <em>{t.unsure.leaveOut}</em> : <strong dir="auto">{text}</strong>}{" "}
          <span class="hint">{formats.percent(shownShare(probability))}</span>
        </button>
      ))}
    </>
  );
}

export function AlternativesBar({ alternatives, unsure }: { alternatives: Alternatives; unsure: Unsure }) {
  const { value: doubt } = alternatives.doubt;
  if (!doubt || alternatives.isClosed.value) return null;
  return (
    <fieldset class="card selection-bar alternatives">
      <legend class="unseen">{t.unsure.alternatives}</legend>
      <button
        type="button"
        class="primary"
        title={t.unsure.right}
        onMouseDown={(event) => event.preventDefault()}
        onClick={unsure.accept}
      >
        <kbd>{t.keyNames.enter}</kbd> <bdi>{doubt.text}</bdi>{" "}
        <span class="hint">{t.transcript.sure(shownShare(doubt.confidence))}</span>
      </button>
      <output class="row wrap">
        <Choices alternatives={alternatives} />
      </output>
      <button
        type="button"
        class="quiet"
        aria-label={t.unsure.close}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          alternatives.isClosed.value = true;
        }}
      >
        ✕
      </button>
    </fieldset>
  );
}
