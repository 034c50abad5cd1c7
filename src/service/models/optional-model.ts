// Fetches an optional model of a job or a live session on first need. A live session transcribes during the fetch.
import { PARLANCE } from "../../platform/command-prefix.ts";
import { toParlanceError } from "../../platform/errors.ts";
import { mustWait } from "../../platform/storage/when-possible.ts";
import { type ModelSupply, OPTIONAL_REST_MILLISECONDS } from "./supply.ts";

export interface OptionalModel {
  /** Id; empty for none. */
  id: string;
  /** For messages, such as "speaker model". */
  kind: string;
  /** The setting that names it. */
  variable: string;
  /** Whether a model of this kind is installed under the id. */
  isInstalled(): Promise<boolean>;
  /** Absent where nothing fetches models. */
  supply: Pick<ModelSupply, "ensure"> | undefined;
  mayFetch: boolean;
}

export type FoundModel = { model: string } | { problem: string };

const installOf = (id: string) => `the operator can add it: ${PARLANCE} models add ${id}`;

/** What to do about a model that is not there. */
export const missingModel = ({ id, kind }: Pick<OptionalModel, "id" | "kind">): string =>
  `the ${kind} ${id} is not installed; ${installOf(id)}`;

/**
 * @returns the id of the installed model, or a sentence with the reason why there is none and what to do
 * @throws an error that passes: it says nothing about the model
 */
export async function fetchedModel(wanted: OptionalModel): Promise<FoundModel> {
  const { id, kind, variable, supply, mayFetch } = wanted;
  const problem = (reason: string) => ({ problem: reason });
  if (id === "") return problem(`${variable} is empty; the operator can set it to the id of a ${kind}`);
  if (await wanted.isInstalled()) return { model: id };
  if (!mayFetch || !supply) return problem(missingModel(wanted));
  try {
    await supply.ensure(id, OPTIONAL_REST_MILLISECONDS);
  } catch (thrown) {
    if (mustWait(thrown)) throw thrown;
    const reason = toParlanceError(thrown).message;
    return problem(`the ${kind} ${id} is not installed and could not be fetched (${reason}); ${installOf(id)}`);
  }
  return (await wanted.isInstalled()) ? { model: id } : problem(`${variable} names ${id}, which is not a ${kind}`);
}
