// Facts about the deployment, one row each.
import type { Database } from "./schema.ts";

/**
 * object_store: identity of the store that holds the objects. secrets_canary: known text, sealed with PARLANCE_SECRETS_KEY.
 * schema_usable_from: last migration of the oldest version that can work with the tables.
 * orphan_proven: marks of the last two searches for objects without a row in a bucket that was judged to be the right one.
 * orphan_round: the same marks for earlier versions, which set it before they judged. client_secret_key: signs client secrets, sealed likewise.
 * version: of Parlance, the last one that brought the tables up to date.
 */
export type DeploymentFact =
  | "client_secret_key"
  | "object_store"
  | "orphan_round"
  | "orphan_proven"
  | "schema_usable_from"
  | "secrets_canary"
  | "version";

export async function deploymentFact(database: Database, name: DeploymentFact): Promise<string | undefined> {
  const row = await database.selectFrom("deployment").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value;
}

export async function setDeploymentFact(database: Database, name: DeploymentFact, value: string): Promise<void> {
  await database
    .insertInto("deployment")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** Names the marks that the bucket has, or is about to get (orphans.ts). */
export async function setOrphanMarks(database: Database, marks: readonly string[]): Promise<void> {
  await setDeploymentFact(database, "orphan_proven", marks.join(" "));
  await setDeploymentFact(database, "orphan_round", marks.join(" "));
}

/** Sets a fact if it still has its former value. @param former  undefined if there was none */
export async function replaceDeploymentFact(
  database: Database,
  name: DeploymentFact,
  former: string | undefined,
  value: string,
): Promise<void> {
  if (former === undefined) {
    await database
      .insertInto("deployment")
      .values({ name, value })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
  } else {
    await database
      .updateTable("deployment")
      .set({ value })
      .where("name", "=", name)
      .where("value", "=", former)
      .execute();
  }
}

export async function removeDeploymentFact(database: Database, name: DeploymentFact): Promise<void> {
  await database.deleteFrom("deployment").where("name", "=", name).execute();
}
