// The order of test files. A file that takes minutes and starts near the end of a run keeps one core busy while the other is idle. A clean
// clone has no record of durations, and Vitest then sorts files by size, which says little: the longest ones start services and wait.
import { existsSync } from "node:fs";
import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Each takes more than two minutes of .ci/run on two cores. Those with browsers use the processor; between them are files that mostly wait. */
const LONG_FILES = [
  "console/test/console.browser.test.ts",
  "test/faults/kill.slow.test.ts",
  "test/many/workers.net.test.ts",
  "test/faults/live-streams.slow.test.ts",
  "console/test/nothing-lost.browser.test.ts",
  "test/many/suites.net.test.ts",
  "test/faults/live-commands.slow.test.ts",
  "test/acceptance/packet-sources.net.test.ts",
  "console/test/live-page.browser.test.ts",
  "test/many/live.net.test.ts",
  "test/faults/rows.slow.test.ts",
  "test/faults/live.slow.test.ts",
  "console/test/transcript-page.browser.test.ts",
  "test/faults/damage.slow.test.ts",
  "test/acceptance/languages.slow.test.ts",
  "test/acceptance/models.slow.test.ts",
  "console/test/subtitles.browser.test.ts",
  "test/access/account-deletion.slow.test.ts",
  "test/acceptance/live-languages.slow.test.ts",
  "test/acceptance/live-speakers.slow.test.ts",
  "test/acceptance/live.test.ts",
  "test/docs/commands.test.ts",
  "test/simulation/work-ownership.test.ts",
];

const missing = LONG_FILES.filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`test/long-first.ts names files that do not exist: ${missing.join(", ")}`);

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = LONG_FILES.indexOf(path.relative(".", moduleId));
  return place < 0 ? LONG_FILES.length : place;
};

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((left, right) => placeOf(left) - placeOf(right));
  }
}
