import { expect, test } from "vitest";
import { ENTITY_TYPES } from "../intelligence/entity-types.ts";
import { entityName, isInResults, PII_POLICIES, typesOfPolicy } from "./entity-names.ts";

test("every type of entity has a policy, and every policy names existing types", () => {
  const covered = PII_POLICIES.flatMap(typesOfPolicy);
  expect([...new Set(covered)].sort()).toEqual([...ENTITY_TYPES].sort());
  expect(ENTITY_TYPES.map(entityName).filter((name) => !PII_POLICIES.includes(name))).toEqual([]);
  // AssemblyAI's older clients know no others in results.
  expect(
    ENTITY_TYPES.map(entityName)
      .filter((name) => !isInResults(name))
      .toSorted(),
  ).toEqual([...["corporate_action", "financial_metric", "medical_code", "product", "trend"]]);
  expect(typesOfPolicy("constructor")).toEqual([]);
});

test("narrower policies redact their type, and results keep the wider names", () => {
  expect(typesOfPolicy("location_city")).toEqual(["LOCATION_CITY"]);
  expect(typesOfPolicy("location_address_street")).toEqual(["LOCATION_ADDRESS"]);
  expect(typesOfPolicy("gender")).toEqual(["GENDER_SEXUALITY"]);
  expect(["LOCATION_CITY", "GENDER_SEXUALITY", "ORGANIZATION_MEDICAL_FACILITY"].map(entityName)).toEqual([
    "location",
    "gender_sexuality",
    "organization",
  ]);
  expect(["day", "effect", "month", "organization_id", "project", "year"].flatMap(typesOfPolicy)).toEqual([]);
});
