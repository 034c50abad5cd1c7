// Questions about a transcript and their answers. This browser keeps the last ones for the account: the service stores neither.
import { firstOf } from "../../../src/contract/first-of.ts";
import { dropKept, keep, readKept } from "../kept.ts";
import { whenStoredElsewhere } from "../memory.ts";
import { page } from "../open-pages.ts";
import type { Citation } from "../shapes.ts";
import { allNamesOfTyped, nameOfTyped } from "../typed-text.ts";

const FIELD = "questions";
const MOST = 20;
const MOST_RECORDINGS = 30;

export interface KeptQuestion {
  id: string;
  question: string;
  answer: string;
  citations: Readonly<Record<number, Citation>>;
  unverified: readonly string[];
  /** Why there is no answer; "" if there is one. */
  hint: string;
  /** Whether the answer was not complete when this was stored. */
  isOpen: boolean;
  /** The page that receives its answer; "" once that recording was left. */
  page?: string | undefined;
}

/** Drops those of the recordings whose last question is the oldest: typed corrections need the storage. @param name  stays */
function dropOldest(name: string): void {
  const lastAsked = (one: string) => readKept<KeptQuestion[]>(one)?.[0]?.id ?? "";
  const others = allNamesOfTyped(FIELD)
    .filter((one) => one !== name)
    .map((one) => ({ name: one, id: lastAsked(one) }))
    .sort((left, right) => (left.id > right.id ? -1 : 1));
  for (const old of others.slice(MOST_RECORDINGS - 1)) dropKept(old.name);
}

/** @param job  id of the recording */
export function keptQuestions(job: string) {
  const name = nameOfTyped({ field: FIELD, job });
  const read = () => readKept<KeptQuestion[]>(name) ?? [];
  const write = (questions: readonly KeptQuestion[]) => {
    if (questions.length === 0) dropKept(name);
    else keep(name, questions);
  };
  return {
    /** The last one first. */
    read,
    /** Another window may have stored others since. */
    put(question: KeptQuestion) {
      const stored = read();
      const at = stored.findIndex(({ id }) => id === question.id);
      const own = { ...question, page };
      write(at < 0 ? firstOf([own, ...stored], MOST).first : stored.with(at, own));
      if (at < 0) dropOldest(name);
    },
    /** Its answer does not continue, although its page is open. */
    leave(id: string) {
      const stored = read();
      if (stored.some((one) => one.id === id)) write(stored.map((one) => (one.id === id ? { ...one, page: "" } : one)));
    },
    /** @returns stops that */
    whenChangedElsewhere: (listener: () => void) => whenStoredElsewhere(name, listener),
    drop(id: string) {
      write(read().filter((one) => one.id !== id));
    },
  };
}
