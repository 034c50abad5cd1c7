// Entities in the form of AssemblyAI's interface.
import type { Entity } from "../../contract/addon-results.ts";
import type { TranscriptBody } from "../../contract/assemblyai-transcript.ts";
import { entityName, isInResults } from "../assemblyai/entity-names.ts";

export const toMilliseconds = (seconds: number) => Math.round(seconds * 1000);

export const entitiesOf = (entities: readonly Entity[]): NonNullable<TranscriptBody["entities"]> =>
  entities.flatMap(({ entity_type: type, text, start, end }) => {
    const entity_type = entityName(type);
    if (!isInResults(entity_type)) return [];
    return [{ entity_type, text, start: toMilliseconds(start), end: toMilliseconds(end) }];
  });

/** Names what `entitiesOf` leaves out. */
export function entityWarnings(entities: readonly Entity[] = []): string[] {
  const names = new Set(entities.map(({ entity_type }) => entityName(entity_type)));
  const leftOut = [...names].filter((name) => !isInResults(name));
  if (leftOut.length === 0) return [];
  return [
    `entities leaves out these types, which older versions of AssemblyAI's own clients cannot read: ${leftOut.join(", ")}`,
  ];
}
