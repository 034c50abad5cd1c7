// Checks of `parlance doctor` on a fleet, that is, on processes that share a PostgreSQL database: which run, whether their versions, clocks
// and models agree, whether this machine reaches NATS and the object store, migrations, and work that no process has.
import { createHash } from "node:crypto";
import os from "node:os";
import { natsProbe, objectStore } from "../compose/compose.ts";
import { firstOf, listed } from "../contract/first-of.ts";
import type { Settings } from "../platform/config/settings.ts";
import { packageVersion } from "../platform/process/package-version.ts";
import { within } from "../platform/process/within.ts";
import type { Database } from "../platform/storage/db/database.ts";
import { clockDifference, type ReportedProcess, reportedProcesses } from "../platform/storage/db/machines.ts";
import { isMigrated, type MigrationState } from "../platform/storage/db/migrate.ts";
import { orphanedWork } from "../platform/storage/db/orphaned-work.ts";
import { type Finding, reasonOf } from "./findings.ts";

/** The newest connection of a live session wins by the clocks of machines, which may differ by as much (jetstream/owners.ts). */
const MOST_CLOCK_MILLISECONDS = 10_000;
/** Above this difference, times in the logs of two machines cannot be compared. */
const SUSPECT_CLOCK_MILLISECONDS = 1_000;
/** Some object stores answer slowly for the first time. */
const PROBE_MILLISECONDS = 30_000;
const MOST_NAMED = 5;

const named = (names: readonly string[]) => listed(names, MOST_NAMED);
const shown = ({ host, roles, machine }: ReportedProcess) => `${host} (${roles.join("+")}, ${machine.slice(0, 8)})`;
const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

function processFindings(all: readonly ReportedProcess[]): Finding[] {
  const what = "processes";
  const running = all.filter(({ isRunning }) => isRunning);
  const lost = all.filter(({ isRunning }) => !isRunning);
  const roles = ["api", "live", "worker"].filter((role) => !running.some((one) => one.roles.includes(role)));
  const findings: Finding[] = [];
  if (running.length === 0) findings.push({ what, level: "warning", detail: "no process is running; start one" });
  else {
    const missing = `. None has the role ${roles.join(" or ")}: start one with PARLANCE_ROLES=${roles.join(",")}`;
    findings.push({
      what,
      level: roles.length === 0 ? "good" : "warning",
      detail: `${running.length} run: ${named(running.map(shown))}${roles.length === 0 ? "" : missing}`,
    });
  }
  const { first, rest } = firstOf(lost, MOST_NAMED);
  for (const one of first) {
    findings.push({
      what,
      level: "warning",
      detail: `${shown(one)} did not shut down gracefully and was last seen ${one.ageSeconds} s ago; start it again, or delete its row: delete from machines where name = '${one.machine}'`,
    });
  }
  if (rest > 0) {
    const detail = `${rest} more did not shut down gracefully: select name, report from machines where report is not null`;
    findings.push({ what, level: "warning", detail });
  }
  return findings;
}

function versionFinding(own: string, running: readonly ReportedProcess[]): Finding {
  const what = "versions";
  const versions = grouped(running);
  if (versions.size === 0) return { what, level: "good", detail: `${own} is installed here` };
  const [[only] = [own]] = [...versions];
  if (versions.size === 1 && only === own) return { what, level: "good", detail: `all run ${own}` };
  const parts = [...versions].map(([version, processes]) => `${version}: ${named(processes.map(shown))}`);
  return {
    what,
    level: "warning",
    detail: `${parts.join("; ")}; ${own} is installed here. This is normal during an upgrade; otherwise upgrade the older ones`,
  };
}

function grouped(running: readonly ReportedProcess[]): Map<string, ReportedProcess[]> {
  const versions = new Map<string, ReportedProcess[]>();
  for (const one of running) versions.set(one.version, [...(versions.get(one.version) ?? []), one]);
  return versions;
}

function clockFinding(own: number, running: readonly ReportedProcess[]): Finding {
  const what = "clocks";
  const clocks = [
    { name: "this machine", milliseconds: own },
    ...running.map((one) => ({ name: shown(one), milliseconds: one.clockMilliseconds })),
  ];
  const wrong = clocks.filter(({ milliseconds }) => Math.abs(milliseconds) > SUSPECT_CLOCK_MILLISECONDS);
  if (wrong.length === 0) {
    const most = Math.max(...clocks.map(({ milliseconds }) => Math.abs(milliseconds)));
    return { what, level: "good", detail: `differ from that of the database by at most ${seconds(most)}` };
  }
  const isBad = wrong.some(({ milliseconds }) => Math.abs(milliseconds) > MOST_CLOCK_MILLISECONDS);
  const parts = wrong.map(
    ({ name, milliseconds }) => `${name}: ${milliseconds > 0 ? "+" : ""}${seconds(milliseconds)}`,
  );
  return {
    what,
    level: isBad ? "bad" : "warning",
    detail: `differ from that of the database: ${named(parts)}. Synchronize them by NTP`,
  };
}

/** Whether every process that recognises speech has the same models. */
function modelFinding(running: readonly ReportedProcess[]): Finding | undefined {
  const what = "fleet models";
  const recognizing = running.filter(({ roles }) => roles.includes("live") || roles.includes("worker"));
  if (recognizing.length === 0) return undefined;
  const all = [...new Set(recognizing.flatMap(({ models }) => models))].sort();
  const missing = recognizing.flatMap((one) => {
    const ids = all.filter((id) => !one.models.includes(id));
    return ids.length === 0 ? [] : [`${shown(one)} lacks ${named(ids)}`];
  });
  if (missing.length === 0) return { what, level: "good", detail: `all have ${named(all)}` };
  return {
    what,
    level: "warning",
    detail: `${named(missing)}. Work that needs them waits for another process. POST /v2/models with {"id": MODEL} copies a model to all of them`,
  };
}

function migrationFinding(state: MigrationState | undefined): Finding {
  const what = "migrations";
  if (!state) return { what, level: "good", detail: "none yet; the first start makes the tables" };
  const { last, pending, newer, isUsable } = state;
  if (newer.length > 0) {
    const detail = `the database has ${named(newer)} of a newer version`;
    return isUsable
      ? { what, level: "warning", detail: `${detail}, with which this one works; upgrade this installation` }
      : { what, level: "bad", detail: `${detail}, with which this one does not work; upgrade this installation` };
  }
  if (pending.length > 0) {
    return {
      what,
      level: "warning",
      detail: `${named(pending)} are missing; the next start of this version adds them`,
    };
  }
  return { what, level: "good", detail: `up to date, the last is ${last}` };
}

async function orphanFinding(database: Database, running: readonly ReportedProcess[]): Promise<Finding> {
  const what = "orphans";
  const { jobs, sessions, waiting } = await orphanedWork(
    database,
    running.map(({ machine }) => machine),
  );
  const parts = [
    ...(jobs > 0
      ? [`${jobs} recorded jobs, whose process was lost; a process with the role worker recovers them`]
      : []),
    ...(sessions > 0
      ? [
          `${sessions} live sessions, whose process was lost; with NATS another process with the role live ends them, without it the machine that has them when it starts again`,
        ]
      : []),
  ];
  const hasWorker = running.some(({ roles }) => roles.includes("worker"));
  if (waiting > 0 && !hasWorker) parts.push(`${waiting} jobs wait, and no process has the role worker; start one`);
  if (parts.length === 0) return { what, level: "good", detail: "none" };
  return { what, level: "warning", detail: parts.join(". ") };
}

/** Writes an object and deletes it. */
async function storageFinding(settings: Settings): Promise<Finding> {
  const what = "object store access";
  const objects = await objectStore(settings);
  // One for each machine: a key that may not be deleted leaves a single object.
  const key = `doctor/${createHash("sha256").update(os.hostname()).digest("hex").slice(0, 32)}`;
  const probe = async () => {
    await objects.put(key, "parlance doctor");
    await objects.remove(key);
    if ((await objects.size(key)) !== undefined) throw new Error("a deleted object is still there");
  };
  try {
    await within(PROBE_MILLISECONDS, probe());
    return { what, level: "good", detail: `${objects.place} stores and deletes objects` };
  } catch (error) {
    const detail = `${objects.place}: ${reasonOf(error)}. Its address, key and permissions (to read, write and delete) are set by PARLANCE_S3_…`;
    return { what, level: "bad", detail };
  } finally {
    await objects.remove(key).catch(() => undefined);
    await objects.stop();
  }
}

async function natsFinding(settings: Settings): Promise<Finding | undefined> {
  const what = "nats";
  if (settings.natsUrl === "") {
    return {
      what,
      level: "good",
      detail: "not used: a live session stays on the machine where it began",
    };
  }
  try {
    return { what, level: "good", detail: await within(PROBE_MILLISECONDS, natsProbe(settings)) };
  } catch (error) {
    return { what, level: "bad", detail: reasonOf(error) };
  }
}

/** @param database  of a server @param migrations  of this database */
export async function fleetFindings(
  settings: Settings,
  database: Database,
  migrations: MigrationState | undefined,
): Promise<Finding[]> {
  const ofServers = await Promise.all([
    migrationFinding(migrations),
    settings.s3Bucket === "" ? undefined : storageFinding(settings),
    natsFinding(settings),
  ]);
  const findings = ofServers.filter((one) => one !== undefined);
  // Tables of an earlier version have no reports; the finding about migrations says so.
  if (!isMigrated(migrations)) return findings;
  const all = await reportedProcesses(database);
  const running = all.filter(({ isRunning }) => isRunning);
  const models = modelFinding(running);
  return [
    ...findings,
    ...processFindings(all),
    versionFinding(await packageVersion(), running),
    clockFinding(clockDifference(database), running),
    ...(models ? [models] : []),
    await orphanFinding(database, running),
  ];
}
