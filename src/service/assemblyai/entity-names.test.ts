import { expect, test } from "vitest";
import { ENTITY_TYPES } from "../intelligence/entity-types.ts";
import { entityName, PII_POLICIES, typesOfPolicy } from "./entity-names.ts";

test("every type of entity has a policy, and every policy names existing types", () => {
  const covered = PII_POLICIES.flatMap(typesOfPolicy);
  expect(covered.toSorted()).toEqual([...ENTITY_TYPES].sort());
  expect(ENTITY_TYPES.map(entityName).filter((name) => !PII_POLICIES.includes(name))).toEqual([]);
  expect(typesOfPolicy("constructor")).toEqual([]);
});
