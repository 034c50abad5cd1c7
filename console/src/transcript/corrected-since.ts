// Whether results that the service makes from the recognised text are older than its corrections. Pure.
import { type Correction, changesSpeakers } from "../../../src/contract/transcript/correction.ts";

/** A checked word, a cue or the division into paragraphs changes no text. */
const changesText = (correction: Correction): boolean =>
  changesSpeakers(correction) || (correction.utterances ?? []).some(({ text }) => text !== undefined);

/** @param madeAt  when the results were made; results of unknown age are older than any correction that is not undone */
export function isCorrectedSince(madeAt: string | null | undefined, corrections: readonly Correction[]): boolean {
  const isSince = ({ created_at, undone_at }: Correction) => {
    if (!madeAt) return !undone_at;
    const made = Date.parse(madeAt);
    const wasThere = Date.parse(created_at) <= made;
    return undone_at ? wasThere && made < Date.parse(undone_at) : !wasThere;
  };
  return corrections.some((correction) => changesText(correction) && isSince(correction));
}
