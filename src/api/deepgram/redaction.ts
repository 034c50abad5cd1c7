// Values of Deepgram's parameter redact as types and presets of pii_redaction.
import { ENTITY_TYPES } from "../../service/intelligence/entity-types.ts";

const GROUPS = new Map<string, readonly string[]>([
  ["pci", ["PCI"]],
  ["numbers", ["PCI", "NUMERICAL_EXCL_PCI"]],
  ["true", ["PCI", "NUMERICAL_EXCL_PCI"]],
  ["ssn", ["SSN"]],
  ["pii", ["GDPR"]],
  ["phi", ["HEALTH_INFORMATION"]],
]);

/** @returns types, and values that name none */
export function redactedTypesOf(given: readonly string[]): { types: string[]; unknown: string[] } {
  const types = new Set<string>();
  const unknown: string[] = [];
  for (const value of given.map((one) => one.toLowerCase())) {
    if (value === "false") continue;
    const type = ENTITY_TYPES.find((one) => one === value.toUpperCase());
    const found = GROUPS.get(value) ?? (type === undefined ? undefined : [type]);
    if (found) for (const one of found) types.add(one);
    else unknown.push(value);
  }
  return { types: [...types], unknown };
}
