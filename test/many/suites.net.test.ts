// A part of the acceptance tests once more, with each service as two processes of each role behind one address, on PostgreSQL, an S3 server
// and NATS. npm run test:fleet runs all of them.
import { afterAll, beforeAll, describe } from "vitest";
import { noteServers } from "../fixtures/fleet.ts";
import { hasFleetServers, startFleetServers } from "../fixtures/fleet-servers.ts";

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

    describe("accounts", () => import("../acceptance/accounts.test.ts").then(() => undefined));
    describe("callbacks", () => import("../acceptance/callbacks.test.ts").then(() => undefined));
  },
);
