// Checks this installation for `parlance doctor`.

import { constants } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { pino } from "pino";
import { decoderPool, defaultModels } from "../compose/compose.ts";
import { recognitionPool } from "../compose/recognition-startup.ts";
import { PARLANCE } from "../platform/command-prefix.ts";
import { availableCores, availableMemory } from "../platform/config/container-limits.ts";
import { type LocalTarget, listenAddressOf, localTargets, shownTarget } from "../platform/config/listen-address.ts";
import { loadSettings } from "../platform/config/load.ts";
import type { Settings } from "../platform/config/settings.ts";
import { getLocalJson } from "../platform/net/local-get.ts";
import { configuredModelProblems } from "../service/models/configured-models.ts";
import { modelStore } from "../service/models/store-settings.ts";
import { dataFolderFindings } from "./data-folder-findings.ts";
import { type Finding, reasonOf } from "./findings.ts";
import { storedLogin } from "./login-file.ts";
import { recorders } from "./microphone.ts";
import { serviceFindings } from "./service-findings.ts";
import { keptWeights } from "./shared-weights.ts";

const LEAST_NODE = [20, 18, 1] as const;
const LEAST_MEMORY_BYTES = 2e9;
const LEAST_DISK_BYTES = 1e9;

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

function nodeVersion(): Omit<Finding, "what"> {
  const own = process.versions.node.split(".").map(Number);
  const index = LEAST_NODE.findIndex((least, at) => own[at] !== least);
  const isEnough = index < 0 || (own[index] ?? 0) > (LEAST_NODE[index] ?? 0);
  return isEnough
    ? { level: "good", detail: process.versions.node }
    : { level: "bad", detail: `${process.versions.node}; install Node ${LEAST_NODE.join(".")} or newer` };
}

async function recognition(settings: Settings): Promise<Omit<Finding, "what">> {
  const store = modelStore(settings);
  const model = await store.find(settings.model);
  if (!model)
    return {
      level: "bad",
      detail: `${settings.model} is not installed; run: ${PARLANCE} models add ${settings.model}`,
    };
  const logger = pino({ level: "silent" });
  const pool = recognitionPool({ ...settings, workers: 1 }, store, logger, { sharedFolder: keptWeights(settings) });
  try {
    await pool.start();
    return { level: "good", detail: `${settings.model} loads` };
  } catch (error) {
    return { level: "bad", detail: `${reasonOf(error)}. Reinstall the packages: npm ci` };
  } finally {
    await pool.stop();
  }
}

async function models(settings: Settings): Promise<Omit<Finding, "what">> {
  const store = modelStore(settings);
  const outdated = await store.outdated();
  const [problem] = await configuredModelProblems(store, settings, defaultModels);
  if (problem !== undefined) return { level: "warning", detail: problem };
  if (outdated.length === 0) return { level: "good", detail: `${(await store.all()).length} can be used` };
  const commands = outdated.map(({ source }) => `${PARLANCE} models add ${source}`).join("; ");
  return {
    level: "warning",
    detail: `some were prepared by another version and are not used. Add them again: ${commands}`,
  };
}

async function media(settings: Settings): Promise<Omit<Finding, "what">> {
  const decoders = decoderPool({ ...settings, concurrentJobs: 1 });
  try {
    await decoders.start();
    return { level: "good", detail: "FFmpeg loads" };
  } catch (error) {
    return { level: "bad", detail: `${reasonOf(error)}. Reinstall the packages: npm ci` };
  } finally {
    await decoders.stop();
  }
}

/** @returns code of the error; undefined when it can be listened on. On a path, a file stays as it is. */
function listenFailure(address: { host: string; port: number }): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code ?? "unknown"));
    server.listen(address, () => server.close(() => resolve(undefined)));
  });
}

async function isOwnService(targets: readonly LocalTarget[]): Promise<boolean> {
  for (const target of targets) {
    const answer = (await getLocalJson(target, "/health")) as { status?: unknown } | undefined;
    if (answer?.status === "ok") return true;
  }
  return false;
}

async function port(settings: Settings): Promise<Omit<Finding, "what">> {
  const targets = localTargets(settings);
  const shown = targets.map(shownTarget).join(" or ");
  if (await isOwnService(targets)) return { level: "good", detail: `the service answers at ${shown}` };
  const address = listenAddressOf(settings);
  if (address.kind === "socket") {
    const folder = path.dirname(address.path);
    const isWritable = await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    );
    return isWritable
      ? { level: "good", detail: `${address.path} can be used` }
      : { level: "bad", detail: `${folder} does not exist or cannot be written to; set PARLANCE_HOST to another path` };
  }
  const failures = await Promise.all(address.hosts.map((host) => listenFailure({ host, port: address.port })));
  if (failures.includes(undefined)) return { level: "good", detail: `${address.port} is free` };
  if (failures.includes("EADDRINUSE")) {
    return { level: "bad", detail: `another program has ${address.port}; set PARLANCE_PORT to another one` };
  }
  return {
    level: "bad",
    detail: `${settings.host}, port ${address.port}, cannot be listened on (${failures.join(", ")}); set PARLANCE_HOST or PARLANCE_PORT to another one`,
  };
}

async function disk({ dataDirectory }: Settings): Promise<Omit<Finding, "what">> {
  const { bavail, bsize } = await statfs(dataDirectory).catch(() => statfs("."));
  const free = bavail * bsize;
  return free < LEAST_DISK_BYTES
    ? { level: "warning", detail: `${gigabytes(free)} free at ${dataDirectory}; recordings and transcripts need room` }
    : { level: "good", detail: `${gigabytes(free)} free at ${dataDirectory}` };
}

function memory(): Omit<Finding, "what"> {
  const { free, total } = availableMemory();
  return free < LEAST_MEMORY_BYTES
    ? {
        level: "warning",
        detail: `${gigabytes(free)} free; the service takes about 1.6 GB at work. Fewer PARLANCE_WORKERS take less`,
      }
    : { level: "good", detail: `${gigabytes(free)} of ${gigabytes(total)} free, ${availableCores()} cores` };
}

export async function installationFindings(): Promise<Finding[]> {
  const findings: Finding[] = [{ what: "node", ...nodeVersion() }];
  let settings: Settings;
  try {
    settings = loadSettings();
    findings.push({ what: "settings", level: "good", detail: "can be used" });
  } catch (error) {
    return [...findings, { what: "settings", level: "bad", detail: reasonOf(error) }];
  }
  findings.push({ what: "memory", ...memory() });
  findings.push({ what: "disk", ...(await disk(settings)) });
  findings.push(...(await dataFolderFindings(settings)));
  findings.push({ what: "port", ...(await port(settings)) });
  findings.push({ what: "media", ...(await media(settings)) });
  findings.push({ what: "recognition", ...(await recognition(settings)) });
  findings.push({ what: "models", ...(await models(settings)) });
  const programs = recorders();
  findings.push({
    what: "microphone",
    level: "good",
    detail:
      programs.length > 0
        ? `parlance live records with ${programs[0]}`
        : "parlance live reads pipes only; install ffmpeg, arecord or sox to record",
  });
  findings.push(...(await loginFindings()));
  return findings;
}

/** The service of parlance login, if there is one. */
async function loginFindings(): Promise<Finding[]> {
  try {
    const login = storedLogin();
    if (!login) return [];
    const bad = (await serviceFindings({ base: login.server, key: login.key })).find(({ level }) => level === "bad");
    const detail = bad ? `${login.server}: ${bad.detail}` : `${login.server} answers and accepts the stored key`;
    return [{ what: "login", level: bad ? "warning" : "good", detail }];
  } catch (error) {
    return [{ what: "login", level: "warning", detail: reasonOf(error) }];
  }
}
