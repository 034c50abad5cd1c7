// The language model of the store, with random weights: removed while the service runs, turned off, and files that are refused.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  ask,
  NEEDING,
  ONE_PROMPT,
  startFetching,
  startTinyModelHub,
  submitted,
  TINY_MODEL_FILE,
} from "../fixtures/language-model-requests.ts";
import { parlance, parlanceWith } from "../fixtures/parlance.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { writeTinyLanguageModel } from "../fixtures/tiny-language-model.ts";
import { finished, ready, startService, submit } from "../service.ts";

test("after its removal, if the hub fails, the add-on names the command that adds it", async () => {
  const hub = await startTinyModelHub();
  const service = await startFetching(hub);
  try {
    await submitted(service, ONE_PROMPT);
    expect(hub.fetched).toEqual([{ file: TINY_MODEL_FILE, from: 0 }]);
    await parlance(service.folder, "models", "remove", "tiny");
    hub.fault.status = 503;
    const { result, status } = await submitted(service, NEEDING);
    expect(status).toBe("done");
    expect(result.audio_to_llm.error).toMatchObject({
      status_code: 501,
      message: expect.stringMatching(
        /PARLANCE_LANGUAGE_MODEL is hf:someone\/tiny:tiny\.gguf, which is not installed\. Add it: .*parlance(\.js)? models add hf:someone\/tiny:tiny\.gguf.*PARLANCE_LLM_URL/,
      ),
    });
  } finally {
    await service.remove();
    await hub.close();
  }
});

test("off, the add-on names the setting", async () => {
  const service = await startService({ environment: { PARLANCE_LANGUAGE_MODEL: "off" } });
  try {
    await ready(service);
    const { result } = await submitted(service, NEEDING);
    expect(result.audio_to_llm.error.message).toMatch(/PARLANCE_LANGUAGE_MODEL is off.*PARLANCE_LLM_URL/);
    const id = await submit(service, readFileSync(HELLO_MP3), {});
    await finished(service, id);
    const refused = await ask(service, id, "Who speaks?");
    expect(refused.status).toBe(501);
    expect(((await refused.json()) as { message: string }).message).toMatch(/PARLANCE_LANGUAGE_MODEL is off/);
  } finally {
    await service.remove();
  }
});

describe("models add FILE.gguf", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-gguf-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const add = (file: string) => parlance(path.join(folder, "data"), "models", "add", file);

  test.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)(
    "on a disk that is too small, nothing is left of it",
    async () => {
      const file = writeTinyLanguageModel(path.join(folder, "large.gguf"));
      const small = path.join(folder, "small");
      execFileSync("mkdir", ["-p", small]);
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", small]);
      try {
        const added = parlanceWith({ PARLANCE_MODELS_DIR: small }, "models", "add", file);
        await expect(added).rejects.toThrow(/needs \d+ MB.*PARLANCE_MODELS_DIR/);
        expect(readdirSync(small).filter((name) => !name.startsWith("."))).toEqual([]);
      } finally {
        execFileSync("umount", [small]);
      }
    },
  );

  test("a truncated file, another format and an unknown architecture are refused with the reason", async () => {
    const truncated = writeTinyLanguageModel(path.join(folder, "truncated.gguf"));
    truncateSync(truncated, 50_000);
    await expect(add(truncated)).rejects.toThrow(/truncated: it has 50000 bytes of \d+\. Fetch it again/);
    truncateSync(truncated, 0);
    await expect(add(truncated)).rejects.toThrow(/truncated within its header/);
    await expect(
      add(writeTinyLanguageModel(path.join(folder, "odd.gguf"), { architecture: "unheard-of" })),
    ).rejects.toThrow(/odd\.gguf cannot be used: .*(unknown model architecture|cannot be loaded)/);
    await expect(add("no-such-model")).rejects.toThrow(/There is no model "no-such-model".*a GGUF file/);
  });
});
