import { defineConfig } from "vitest/config";
import { ONE_PROCESS_FILES } from "./test/fixtures/one-process.ts";
import { LongFirst } from "./test/long-first.ts";
import { sharingFiles } from "./test/own-process.ts";

const ALL = ["src/**/*.test.ts", "test/**/*.test.ts", "console/test/**/*.test.ts"];
/** Part of a test file's name: what the file needs. docs/contributing.md explains each. */
const NEEDS = ["pg", "net", "browser", "disk", "slow"];
const named = (need: string) => `{src,test,console/test}/**/*.${need}.test.ts`;
const DEMANDING = NEEDS.map(named);
/** They fill disks, exhaust memory or measure how long others wait: they run beside each other only, because most of their time is waiting. */
const FAULTS = [
  named("disk"),
  "src/speech/audio/decode/decoder-pool.slow.test.ts",
  "test/faults/{large-answers,processes,sockets,stop,tenants,tenants-hanging}.slow.test.ts",
  "test/faults/postgres.pg.test.ts",
];
/**
 * Variations whose main path a shorter test proves in .ci/run: further proxies, settings of servers, machines and artefacts. npm run
 * test:all runs them, before a release and after changes to their parts.
 */
const THOROUGH = [
  // test/deploy/package.registry packs, installs and serves the package.
  "test/deploy/release.slow.test.ts",
  // test/access/{proxies,prefixes} have the same rules, caddyfile.net a real proxy.
  "test/deploy/proxies.net.test.ts",
  // versions.registry upgrades without processes beside, and migrate.pg has migrations beside other processes. It builds another version.
  "test/deploy/beside.registry.test.ts",
  // test/docs/commands.test.ts runs the examples of the other pages, test/cli the commands.
  "test/docs/commands.slow.test.ts",
  // The simulation lets clocks jump, and fleet.pg has machines a day apart.
  "test/faults/clock.slow.test.ts",
  // test/acceptance/postgres.pg has the usual settings.
  "test/faults/{pgbouncer,postgres-defaults}.pg.test.ts",
  // live.net hands sessions over, suites.net has two processes of each role.
  "test/many/layout.net.test.ts",
  // As test/acceptance/{live-speakers,voices} and fleet-models.net, on several machines.
  "test/many/{live-models,live-speakers,voices}.net.test.ts",
];
/** The main path, which npm test runs with the unit tests: the interface, its conformance, transcripts and real clients. */
const MAIN_PATH = ["test/acceptance/{clients,conformance,interface,transcripts}.test.ts"];
/** Each starts services, builds or other processes. Together they take longer than the rest of the tests that need nothing else. */
const SERVICES = [
  "test/{acceptance,access,simulation}/**/*.test.ts",
  "test/cli/stale-build.test.ts",
  "test/docs/commands.test.ts",
  "test/offline/npm-start.test.ts",
  "test/structure/repeated-tests.test.ts",
];
/** A project of its own, because .ci/run runs the others without a network. Vitest ignores --exclude where projects are configured. */
const REGISTRY = [named("registry")];

/** Unit tests that share one process for each worker. Vitest sets isolation for a whole project, so that they have a project. */
const SHARING = sharingFiles("src");

/** Suites that start services as clients use them. npm run test:fleet runs them with two processes of each role (docs/contributing.md). */
const OF_SERVICES = ["test/{acceptance,access,faults}/**/*.test.ts", "test/fuzz/{http,greatest-fields}.slow.test.ts"];

/**
 * Test files that run at the same time, on two cores. Files that mostly wait, for browsers or for other servers, are run in larger
 * numbers. Set for each project: Vitest ignores --maxWorkers where projects have a number.
 */
const WORKERS = { quick: 3, services: 3, demanding: 3, faults: 3, thorough: 2, registry: 2, fleet: 1 };
type Kind = keyof typeof WORKERS;
/** Vitest runs one kind after another, as their numbers of workers differ. */
const ofKind = (kind: Kind) => ({
  maxWorkers: WORKERS[kind],
  sequence: { groupOrder: Object.keys(WORKERS).indexOf(kind) },
});

const project = (name: string, kind: Kind, include: string[], exclude: string[], more: object = {}) => ({
  extends: true as const,
  test: { name, include, exclude: ["**/node_modules/**", ...exclude], ...ofKind(kind), ...more },
});

/** Installing and removing packages takes minutes where the disk is slow. */
const REGISTRY_LIMITS = { testTimeout: 1_200_000, hookTimeout: 1_800_000 };

export default defineConfig({
  test: {
    globalSetup: ["test/build.ts"],
    reporters: ["default", "./test/run-summary.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: LongFirst },
    // A condition that a test waits for may come late on a busy machine; the default is a second.
    expect: { poll: { timeout: 60_000 } },
    // CI repeats a failed test once: other work on its machine can delay a process. test/run-summary.ts lists the tests that needed it.
    retry: Number(process.env["TEST_RETRIES"] ?? 0),
    projects: [
      project("quick", "quick", ALL, [...DEMANDING, ...REGISTRY, ...SHARING, ...SERVICES]),
      project("main-path", "quick", MAIN_PATH, []),
      project("units", "quick", SHARING, [], { isolate: false }),
      project("services", "services", SERVICES, [...DEMANDING, ...REGISTRY, ...MAIN_PATH]),
      project("demanding", "demanding", DEMANDING, [...FAULTS, ...THOROUGH]),
      project("faults", "faults", FAULTS, []),
      project("thorough", "thorough", THOROUGH, []),
      project("registry", "registry", REGISTRY, THOROUGH, REGISTRY_LIMITS),
      {
        extends: true as const,
        test: {
          name: "fleet",
          ...ofKind("fleet"),
          include: OF_SERVICES,
          exclude: ["**/node_modules/**", ...REGISTRY, ...ONE_PROCESS_FILES],
          env: { TEST_LAYOUT: "fleet" },
          globalSetup: ["test/fleet/servers.ts"],
          setupFiles: ["test/fleet/skip.ts"],
        },
      },
    ],
  },
});
