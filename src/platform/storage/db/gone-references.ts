// A new row refers to a row that another request has deleted in the meantime.

/** PostgreSQL's code. */
const FOREIGN_KEY_VIOLATION = "23503";

/** Tables by the columns that refer to them. PostgreSQL names a constraint TABLE_COLUMN_fkey. Every other column refers to jobs. */
const TABLES = { account_id: "accounts", delivery_id: "deliveries", upload_id: "uploads", voice_id: "voices" } as const;
export type ReferencedTable = (typeof TABLES)[keyof typeof TABLES] | "jobs";

export function referencedTable(constraint: string): ReferencedTable {
  const column = Object.keys(TABLES).find((name) => constraint.endsWith(`_${name}_fkey`));
  return column === undefined ? "jobs" : TABLES[column as keyof typeof TABLES];
}

/** @returns the table of the missing row; undefined for every other error */
export function goneReference(error: unknown): ReferencedTable | undefined {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return code === FOREIGN_KEY_VIOLATION && typeof constraint === "string" ? referencedTable(constraint) : undefined;
}
