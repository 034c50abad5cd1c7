import { expect, test } from "vitest";
import { ENTITY_TYPES } from "../intelligence/entity-types.ts";
import { entityName, isInResults, PII_POLICIES, typesOfPolicy } from "./entity-names.ts";

test("every type of entity has a policy, and every policy names existing types", () => {
  const covered = PII_POLICIES.flatMap(typesOfPolicy);
  expect(covered.toSorted()).toEqual([...ENTITY_TYPES].sort());
  expect(ENTITY_TYPES.map(entityName).filter((name) => !PII_POLICIES.includes(name))).toEqual([]);
  // AssemblyAI's own clients know no others in results.
  expect(
    ENTITY_TYPES.map(entityName)
      .filter((name) => !isInResults(name))
      .toSorted(),
  ).toEqual([...["corporate_action", "financial_metric", "medical_code", "product", "trend"]]);
  expect(typesOfPolicy("constructor")).toEqual([]);
});
