// Skips the tests that need one process.
import path from "node:path";
import { beforeEach } from "vitest";
import { oneProcessReason } from "../fixtures/one-process.ts";

function titleOf(task: { name: string; suite?: { name: string; suite?: unknown } | undefined }): string {
  const names = [task.name];
  for (let suite = task.suite; suite; suite = suite.suite as typeof suite) names.unshift(suite.name);
  return names.filter((name) => name !== "").join(" ");
}

beforeEach(({ task, skip }) => {
  const reason = oneProcessReason(path.relative("", task.file.filepath), titleOf(task));
  if (reason !== undefined) skip(reason);
});
