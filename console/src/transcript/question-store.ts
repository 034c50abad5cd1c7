// Questions about a transcript and their answers. An answer continues while another panel is shown.
import { signal } from "@preact/signals";
import { errorMessage, request } from "../api.ts";
import { t } from "../language/language.ts";
import { type ModelState, modelStateOf, whenModelIsThere } from "../model-download.ts";
import { newKey, openPages, page } from "../open-pages.ts";
import type { AnswerEvent, Citation } from "../shapes.ts";
import { TypedText } from "../typed-text.ts";
import { type KeptQuestion, keptQuestions } from "./kept-questions.ts";

export interface Asked {
  id: string;
  question: string;
  answer: string;
  citations: Readonly<Record<number, Citation>>;
  unverified: readonly string[];
  /** Shown while the model reads, and for an error. */
  hint: string;
  isBad: boolean;
  /** Whether its answer is being written. */
  isOpen: boolean;
  /** The other page of this browser that receives its answer. */
  elsewhere?: string | undefined;
  /** Why the model is missing, if the question can be sent again with `fetch_model`. */
  download?: Extract<ModelState, "needed" | "failed"> | undefined;
}

const newAnswer = (): Omit<Asked, "question" | "id"> => ({
  answer: "",
  citations: {},
  unverified: [],
  hint: t.questions.reads,
  isBad: false,
  isOpen: true,
});

/** One of an earlier visit, or of another page. Without a complete answer, its page was left, or still receives the answer. */
function keptAsked({ isOpen, page: of = "", ...kept }: KeptQuestion, isOpenPage: (page: string) => boolean): Asked {
  const elsewhere = isOpen && of !== "" && of !== page && isOpenPage(of) ? of : undefined;
  if (elsewhere !== undefined) return { ...kept, hint: t.questions.reads, isBad: false, isOpen, elsewhere };
  return { ...kept, hint: isOpen ? t.questions.left : kept.hint, isBad: false, isOpen: false };
}

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

const keptOf = ({ id, question, answer, citations, unverified, hint, isOpen }: Asked): KeptQuestion => ({
  ...{ id, question, answer, citations, unverified, isOpen },
  hint: isOpen ? "" : hint,
});

/** @param job  id of the recording @param path  its address */
export function questionStore(job: string, path: string) {
  const kept = keptQuestions(job);
  /** The last one first. */
  const all = signal<readonly Asked[]>(kept.read().map((one) => keptAsked(one, () => true)));
  /** The question that is typed. */
  const typed = new TypedText({ field: "question", job });
  const isAsking = signal(false);
  let current: AbortController | undefined;
  /** Whether the page was left: its question is then still open for the next visit. */
  let isLeft = false;

  const answer = async (question: string, mayFetch: boolean, { signal: stopped }: AbortController) => {
    let asked: Asked = { id: newKey(), question, ...newAnswer() };
    all.value = [asked, ...all.value];
    kept.put(keptOf(asked));
    const change = (update: (asked: Asked) => Asked) => {
      const former = asked;
      asked = update(former);
      all.value = all.value.map((one) => (one === former ? asked : one));
    };
    try {
      const send = (fetch_model: boolean) =>
        request("POST", `${path}/questions`, { question, ...(fetch_model ? { fetch_model } : {}) }, stopped);
      const response = await whenModelIsThere(
        send,
        mayFetch,
        (hint) => change((before) => ({ ...before, hint })),
        stopped,
      );
      for await (const event of questionEvents(response)) change((before) => withEvent(before, event));
    } catch (error) {
      const state = await modelStateOf(error);
      const download = state === "coming" ? undefined : state;
      change((before) =>
        stopped.aborted
          ? { ...before, hint: t.questions.stopped }
          : { ...before, hint: errorMessage(error), isBad: download !== "needed", download },
      );
    }
    if (isLeft) return kept.leave(asked.id);
    change((before) => ({ ...before, isOpen: false }));
    kept.put(keptOf(asked));
  };
  const begin = async (question: string, mayFetch: boolean) => {
    isAsking.value = true;
    current = new AbortController();
    await answer(question, mayFetch, current).finally(() => {
      isAsking.value = false;
    });
  };
  const drop = (asked: Asked) => {
    all.value = all.value.filter((other) => other !== asked);
    kept.drop(asked.id);
  };
  const again = async (asked: Asked, mayFetch: boolean) => {
    if (isAsking.value) return;
    drop(asked);
    await begin(asked.question, mayFetch);
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
    /** Sends a question again. */
    again: (asked: Asked) => again(asked, false),
    /** Sends a question again. The service may download the model. */
    download: (asked: Asked) => again(asked, true),
    drop,
    stop: () => current?.abort(),
    /** Follows the answers that other pages of this browser receive. @returns stops that */
    watch() {
      const follow = async () => {
        if (all.peek().every(({ elsewhere }) => elsewhere === undefined)) return;
        const isOpenPage = await openPages();
        const stored = kept.read();
        all.value = all.peek().flatMap((asked) => {
          if (asked.elsewhere === undefined) return [asked];
          return stored.filter(({ id }) => id === asked.id).map((one) => keptAsked(one, isOpenPage));
        });
      };
      void follow();
      return kept.whenChangedElsewhere(() => void follow());
    },
    /** The page is left. */
    end() {
      isLeft = true;
      current?.abort();
    },
  };
}

/** Reads the server-sent events of an answer. @throws Error where the stream ends before the answer is complete */
async function* questionEvents(response: Response): AsyncGenerator<AnswerEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let open = "";
  let isComplete = false;
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    const blocks = (open + read.value).split("\n\n");
    open = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data === undefined) continue;
      const event = JSON.parse(data) as AnswerEvent;
      isComplete ||= event.type === "done" || event.type === "error";
      yield event;
    }
  }
  if (!isComplete) throw new Error(t.questions.cut);
}
