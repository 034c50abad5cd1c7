// Roles of a process.

export const ROLES = ["api", "live", "worker"] as const;
export type Role = (typeof ROLES)[number];

/** @returns a sentence about what is wrong with a list of roles */
export function rolesProblem(value: string): string | undefined {
  const roles = value.split(",").map((role) => role.trim());
  const isKnown = roles.length > 0 && roles.every((role) => (ROLES as readonly string[]).includes(role));
  return isKnown ? undefined : `must be one or more of ${ROLES.join(", ")}, comma-separated`;
}
