// The scenarios of live sessions with one process, which is killed, stopped and started again.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { freePort } from "../fixtures/free-port.ts";
import { undisturbed } from "../fixtures/live-invariants.ts";
import { testLiveScenarios } from "../fixtures/live-scenarios.ts";
import { type RunningService, startService } from "../service.ts";

describe("live sessions with one process", () => {
  let folder: string;
  let environment: Record<string, string>;
  let service: RunningService;
  let sent: { audio: Buffer; words: string[] };
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-commands-"));
    environment = { PARLANCE_PORT: String(await freePort()) };
    service = await startService({ folder, environment });
    sent = await undisturbed(service, 3);
    expect(sent.words.length).toBeGreaterThan(10);
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  testLiveScenarios({
    deployment: {
      count: 1,
      process: () => service,
      replace: async (_number, end) => {
        await end(service);
        service = await startService({ folder, environment });
      },
    },
    sent: () => sent,
    runs: 3,
    mostCommands: 25,
    seed: 20_261_121,
  });
});
