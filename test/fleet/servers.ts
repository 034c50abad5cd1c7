// Starts the servers of npm run test:fleet once for all test files, and prints which tests need one process and do not run.
import { noteServers } from "../fixtures/fleet.ts";
import { hasFleetServers, startFleetServers } from "../fixtures/fleet-servers.ts";
import { ONE_PROCESS } from "../fixtures/one-process.ts";

export default async function start(): Promise<() => Promise<void>> {
  if (!hasFleetServers)
    throw new Error("install PostgreSQL, nats-server and versitygw: the services of these tests use them");
  const lines = Object.entries(ONE_PROCESS).flatMap(([file, reasons]) =>
    typeof reasons === "string"
      ? [`  ${file}: ${reasons}`]
      : Object.entries(reasons).map(([title, reason]) => `  ${file} > ${title}: ${reason}`),
  );
  process.stdout.write(`Not run with many processes:\n${lines.join("\n")}\n`);
  const { servers, stop } = await startFleetServers();
  noteServers(servers);
  return stop;
}
