// A part of the acceptance tests once more, with each service as two processes of each role behind one address, on PostgreSQL, an S3 server
// and NATS. npm run test:fleet runs all of them.
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { noteServers } from "../fixtures/fleet.ts";
import { hasFleetServers, startFleetServers } from "../fixtures/fleet-servers.ts";
import { skipListed } from "../fixtures/skip-listed.ts";

describe.skipIf(!hasFleetServers)(
  "two processes of each role (skipped without PostgreSQL, nats-server, versitygw)",
  () => {
    let stop: (() => Promise<void>) | undefined;
    beforeAll(async () => {
      process.env["TEST_LAYOUT"] = "fleet";
      const started = await startFleetServers();
      stop = started.stop;
      noteServers(started.servers);
    });
    afterAll(() => stop?.());

    const part = (file: string, read: () => Promise<unknown>) =>
      describe(file, async () => {
        beforeEach(skipListed(file));
        await read();
      });
    part("test/acceptance/live-viewers.test.ts", () => import("../acceptance/live-viewers.test.ts"));
    part("test/acceptance/openai.test.ts", () => import("../acceptance/openai.test.ts"));
  },
);
