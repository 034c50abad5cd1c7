// For HEALTHCHECK: ends with 0 while the service answers. Images without curl have Node.
import http from "node:http";

http
  .get({ host: "127.0.0.1", port: process.env.PARLANCE_PORT ?? 8080, path: "/health", timeout: 4_000 }, (answer) => {
    process.exit(answer.statusCode === 200 ? 0 : 1);
  })
  .on("error", () => process.exit(1))
  .on("timeout", () => process.exit(1));
