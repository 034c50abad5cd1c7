// Entities in the form of AssemblyAI's interface.
import type { Entity } from "../../contract/addon-results.ts";
import type { TranscriptBody } from "../../contract/assemblyai-transcript.ts";
import { entityName, isInResults } from "../assemblyai/entity-names.ts";

const MILLISECONDS = 1_000;

export const entitiesOf = (entities: readonly Entity[]): NonNullable<TranscriptBody["entities"]> =>
  entities.flatMap(({ entity_type: type, text, start, end }) => {
    const entity_type = entityName(type);
    if (!isInResults(entity_type)) return [];
    return [{ entity_type, text, start: Math.round(start * MILLISECONDS), end: Math.round(end * MILLISECONDS) }];
  });

/** Names what `entitiesOf` leaves out. */
export function entityWarnings(entities: readonly Entity[] = []): string[] {
  const names = new Set(entities.map(({ entity_type }) => entityName(entity_type)));
  const leftOut = [...names].filter((name) => !isInResults(name));
  if (leftOut.length === 0) return [];
  return [`entities of the types ${leftOut.join(", ")} are left out: clients of this interface cannot read them`];
}
