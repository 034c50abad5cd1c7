import { expect, test } from "vitest";
import { withCleanup } from "./with-cleanup.ts";

const fail = (message: string) => Promise.reject(new Error(message));

test("the result is that of the work, and steps run in the reverse order", async () => {
  const ran: string[] = [];
  const result = await withCleanup(async (add) => {
    add(async () => ran.push("first"));
    add(async () => ran.push("second"));
    ran.push("work");
    return 5;
  });
  expect({ result, ran }).toEqual({ result: 5, ran: ["work", "second", "first"] });
});

test("steps run if the work fails, and if another step fails", async () => {
  const ran: string[] = [];
  const failing = withCleanup(async (add) => {
    add(async () => ran.push("first"));
    add(() => fail("the step"));
    await fail("the work");
  });
  await expect(failing).rejects.toThrow("the step");
  expect(ran).toEqual(["first"]);
});
