// Questions about a transcript and their answers. This browser keeps the last ones for the account: the service stores neither.
import { firstOf } from "../../../src/contract/first-of.ts";
import { dropKept, keep, readKept } from "../kept.ts";
import type { Citation } from "../shapes.ts";
import { nameOfTyped } from "../typed-text.ts";

const MOST = 20;

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
}

/** @param job  id of the recording */
export function keptQuestions(job: string) {
  const name = nameOfTyped({ field: "questions", job });
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
      write(at < 0 ? firstOf([question, ...stored], MOST).first : stored.with(at, question));
    },
    drop(id: string) {
      write(read().filter((one) => one.id !== id));
    },
  };
}
