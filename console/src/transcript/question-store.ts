// Questions about a transcript and their answers. An answer continues while another panel is shown.
import { signal } from "@preact/signals";
import { errorMessage, request } from "../api.ts";
import { t } from "../language/language.ts";
import { type ModelState, modelStateOf, whenModelIsThere } from "../model-download.ts";
import type { AnswerEvent, Citation } from "../shapes.ts";
import { TypedText } from "../typed-text.ts";
import { questionEvents } from "./question-events.ts";

export interface Asked {
  question: string;
  answer: string;
  citations: Readonly<Record<number, Citation>>;
  unverified: readonly string[];
  /** Shown while the model reads, and for an error. */
  hint: string;
  isBad: boolean;
  /** Why the model is missing, if the question can be sent again with `fetch_model`. */
  download?: Extract<ModelState, "needed" | "failed"> | undefined;
}

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

/** @param job  id of the recording @param path  its address */
export function questionStore(job: string, path: string) {
  /** The last one first. */
  const all = signal<readonly Asked[]>([]);
  /** The question that is typed. */
  const typed = new TypedText({ field: "question", job });
  const isAsking = signal(false);
  let current: AbortController | undefined;

  const answer = async (question: string, mayFetch: boolean, { signal: stopped }: AbortController) => {
    all.value = [{ question, ...newAnswer() }, ...all.value];
    const change = (update: (asked: Asked) => Asked) => {
      const [first, ...rest] = all.value;
      if (first) all.value = [update(first), ...rest];
    };
    try {
      const send = (fetch_model: boolean) =>
        request("POST", `${path}/questions`, { question, ...(fetch_model ? { fetch_model } : {}) }, stopped);
      const response = await whenModelIsThere(
        send,
        mayFetch,
        (hint) => change((asked) => ({ ...asked, hint })),
        stopped,
      );
      for await (const event of questionEvents(response)) change((asked) => withEvent(asked, event));
    } catch (error) {
      const state = await modelStateOf(error);
      const download = state === "coming" ? undefined : state;
      change((asked) =>
        stopped.aborted
          ? { ...asked, hint: t.questions.stopped }
          : { ...asked, hint: errorMessage(error), isBad: download !== "needed", download },
      );
    }
  };
  const begin = async (question: string, mayFetch: boolean) => {
    isAsking.value = true;
    current = new AbortController();
    await answer(question, mayFetch, current).finally(() => {
      isAsking.value = false;
    });
  };
  return {
    all,
    typed,
    isAsking,
    /** Sends the typed question. */
    async ask() {
      const question = typed.value.trim();
      if (question === "" || isAsking.value) return;
      typed.value = "";
      await begin(question, false);
    },
    /** Sends a question again. The service may download the model. */
    async download(asked: Asked) {
      if (isAsking.value) return;
      all.value = all.value.filter((other) => other !== asked);
      await begin(asked.question, true);
    },
    stop: () => current?.abort(),
  };
}
