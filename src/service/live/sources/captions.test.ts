// Parts of captions while the database is slow or unavailable.
import { expect, test } from "vitest";
import { errors } from "../../../platform/errors.ts";
import type { Database } from "../../../platform/storage/db/database.ts";
import { Captions } from "./captions.ts";

/** A database that records its writes. */
class Writes {
  readonly stored: string[] = [];
  isAway = false;

  private async write(text: string): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (this.isAway) throw errors.databaseUnavailable(undefined);
    this.stored.push(text);
  }

  get database(): Database {
    const { stored } = this;
    const write = (text: string) => this.write(text);
    const inserting = {
      values: ({ number }: { number: number }) => inserted(number),
    };
    const inserted = (number: number) => ({
      onConflict: () => ({ execute: () => write(`add ${number}`) }),
    });
    const updating = (fields: object, number = "") => ({
      where: (column: string, _operator: string, value: string) =>
        updating(fields, column === "number" ? value : number),
      execute: () => write(`${"text" in fields ? "publish" : "ticks"} ${number}`),
    });
    return {
      stored,
      insertInto: () => inserting,
      updateTable: () => ({ set: (fields: object) => updating(fields) }),
    } as unknown as Database;
  }
}

function opened() {
  const writes = new Writes();
  const captions = new Captions(writes.database, { sessionId: "session" } as never);
  const begin = (number: number) =>
    captions.begin({
      ...{ sequence: number, starts: 6 * number, seconds: 6, onAirAt: new Date(), ticks: null, discontinuities: 0 },
    });
  return { writes, captions, begin };
}

test("each part is published once and in order, however often publishing is requested at once", async () => {
  const { writes, captions, begin } = opened();
  for (let number = 0; number < 6; number++) await begin(number);
  await Promise.all([captions.publish(30), captions.publish(30), captions.publish(30)]);
  expect(writes.stored.filter((text) => text.startsWith("publish"))).toEqual(
    [0, 1, 2, 3, 4].map((number) => `publish ${number}`),
  );
});

test("parts wait in memory while the database is unavailable, and are stored before they are published", async () => {
  const { writes, captions, begin } = opened();
  await begin(0);
  writes.isAway = true;
  await begin(1);
  await captions.setTicks(90_000);
  await begin(2);
  await begin(3);
  expect(captions.last?.number).toBe(3);
  await expect(captions.publish(12)).rejects.toThrow();
  expect(writes.stored).toEqual(["add 0"]);
  writes.isAway = false;
  await captions.publish(12);
  expect(writes.stored).toEqual(["add 0", "add 1", "ticks 1", "add 2", "add 3", "publish 0", "publish 1"]);
  await begin(4);
  expect(writes.stored.at(-1)).toBe("add 4");
});
