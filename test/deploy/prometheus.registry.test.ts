// A real Prometheus reads the metrics of a service. It then has every metric that the alerts and the dashboard name, and evaluates the
// rules of the alerts.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { call, finished, type RunningService, ready, startService, submit, TEST_KEY } from "../service.ts";

const isThere = spawnSync("promtool", ["--version"]).status === 0;
const ALERTS = path.resolve("deploy/prometheus/alerts.yaml");

describe.skipIf(!isThere)("Prometheus (skipped where it is not installed)", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-prometheus-"));
  let service: RunningService;
  let base: string;
  let stop: () => Promise<unknown>;
  const query = async (expression: string) => {
    const answer = await fetch(`${base}/api/v1/query?query=${encodeURIComponent(expression)}`);
    return (await answer.json()) as { status: string; data: { result: { value: [number, string] }[] } };
  };

  beforeAll(async () => {
    service = await startService();
    await ready(service);
    await finished(service, await submit(service, readFileSync(HELLO_MP3)));
    const file = path.join(folder, "prometheus.yaml");
    writeFileSync(path.join(folder, "key"), TEST_KEY);
    writeFileSync(
      file,
      readFileSync("deploy/prometheus/prometheus.yaml", "utf8")
        .replace("localhost:8080", new URL(service.base).host)
        .replace("/etc/prometheus/parlance-key", path.join(folder, "key"))
        .replace("15s", "1s")
        .replace("- alerts.yaml", `- ${ALERTS}`),
    );
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    const child = spawn(
      "prometheus",
      [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`],
      { stdio: "ignore" },
    );
    stop = () => {
      child.kill("SIGTERM");
      return new Promise((resolve) => child.once("exit", resolve));
    };
    for (let tries = 0; tries < 300; tries++) {
      if ((await query("up").catch(() => undefined))?.data.result[0]?.value[1] === "1") return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error("Prometheus does not read the service");
  });
  afterAll(async () => {
    await stop?.();
    await service?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  test("the rules are rules, and none fires on a service that is well", async () => {
    const { status, stdout } = spawnSync("promtool", ["check", "rules", ALERTS], { encoding: "utf8" });
    expect(status, stdout).toBe(0);
    const answer = await fetch(`${base}/api/v1/rules`);
    const { data } = (await answer.json()) as {
      data: { groups: { rules: { name: string; health: string; state: string; lastError?: string }[] }[] };
    };
    const rules = data.groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.filter(({ lastError }) => lastError)).toEqual([]);
    expect((await query('ALERTS{alertstate="firing"}')).data.result).toEqual([]);
  });

  test("every metric that the alerts and the dashboard name is there", async () => {
    const { text } = await call(service, "GET", "/metrics");
    const sources = [readFileSync(ALERTS, "utf8"), readFileSync("deploy/grafana/parlance.json", "utf8")].join("\n");
    const names = new Set(sources.match(/parlance_[a-z0-9_]+/g));
    const missing = [...names].filter(
      (name) => !new RegExp(`^${name}(\\{| )`, "m").test(text) && name !== "parlance_key",
    );
    // Present once there was a callback, or live speech.
    expect(missing.sort()).toEqual(["parlance_callback_attempts_total", "parlance_live_recognition_seconds_bucket"]);
    for (const name of missing) expect(text).toMatch(new RegExp(`^# TYPE ${name.replace(/_bucket$/, "")} `, "m"));
  });

  test("the dashboard's expressions are ones that it can evaluate", async () => {
    const { panels } = JSON.parse(readFileSync("deploy/grafana/parlance.json", "utf8"));
    for (const { targets } of panels) {
      for (const { expr } of targets) expect((await query(expr)).status, expr).toBe("success");
    }
    expect(Number((await query("sum(parlance_process_memory_bytes)")).data.result[0]?.value[1])).toBeGreaterThan(1e8);
    expect(Number((await query("parlance_audio_seconds_total")).data.result[0]?.value[1])).toBeGreaterThan(2);
  });
});
