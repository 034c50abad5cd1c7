// Requests that share work: it is done once, and aborted when the last of them has left.
import { expect, test } from "vitest";
import { SharedWork } from "./shared-work.ts";

class Work {
  begun = 0;
  signals: AbortSignal[] = [];
  finish: () => void = () => undefined;
  readonly begin = (allLeft: AbortSignal) => {
    this.begun++;
    this.signals.push(allLeft);
    return new Promise<void>((resolve, reject) => {
      this.finish = resolve;
      allLeft.addEventListener("abort", () => reject(new Error("left")));
    });
  };
}

test("requests of one key share work, which continues while one of them waits", async () => {
  const [shared, work] = [new SharedWork(), new Work()];
  const first = new AbortController();
  const runs = [first.signal, new AbortController().signal].map((signal) => shared.run("a", signal, work.begin));
  first.abort();
  expect(work.begun).toBe(1);
  expect(work.signals[0]?.aborted).toBe(false);
  work.finish();
  await Promise.all(runs);
  expect(shared.has("a")).toBe(false);
});

test("work is aborted when all requests have left; a later request starts it again", async () => {
  const [shared, work] = [new SharedWork(), new Work()];
  const clients = [new AbortController(), new AbortController()];
  const runs = clients.map(({ signal }) => shared.run("a", signal, work.begin).catch((error: Error) => error.message));
  for (const client of clients) client.abort();
  expect(work.signals[0]?.aborted).toBe(true);
  const later = shared.run("a", new AbortController().signal, work.begin);
  expect(work.begun).toBe(2);
  expect(await Promise.all(runs)).toEqual(["left", "left"]);
  expect(shared.has("a")).toBe(true);
  work.finish();
  await later;
});
