// Adding a model where no hub can be reached, which takes as long as the pauses between the attempts.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { installModel } from "./installer.ts";
import { ModelStore } from "./store.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-models-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("an unreachable hub is reported with a remedy", async () => {
  const adding = installModel("whisper-tiny", new ModelStore(folder), {
    hub: { base: "http://127.0.0.1:9" },
    progress: () => undefined,
  });
  await expect(adding).rejects.toMatchObject({
    code: "models.fetch_failed",
    message: expect.stringMatching(/PARLANCE_MODELS_URL.*models add FOLDER/),
  });
}, 60_000);
