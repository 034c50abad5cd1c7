// For HEALTHCHECK: ends with 0 while the service answers. Images without curl have Node.
import http from "node:http";
import { localTargets } from "../dist/platform/config/listen-address.js";
import { loadSettings } from "../dist/platform/config/load.js";

const TIMEOUT_MILLISECONDS = 4_000;

/** @param target  host and port, or the path of a Unix socket */
function answers(target) {
  return new Promise((resolve) => {
    const options = { ...target, path: "/health", agent: false, timeout: TIMEOUT_MILLISECONDS / 2 };
    http
      .get(options, (answer) => {
        answer.resume();
        resolve(answer.statusCode === 200);
      })
      .on("error", () => resolve(false))
      .on("timeout", () => resolve(false));
  });
}

// With * the service listens on IPv6 and IPv4, or on IPv4 alone.
for (const target of localTargets(loadSettings())) {
  if (await answers(target)) process.exit(0);
}
process.exit(1);
