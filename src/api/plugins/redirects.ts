// Redirects of routes and plugins name paths of this service; a browser needs the prefix of the reverse proxy in front of them.
import type { Api } from "../context.ts";

const OWN_PATH = /^\/(?![/\\])/;

export function addRedirectPrefixes(app: Api): void {
  app.addHook("onSend", async ({ clientView }, reply) => {
    const location = reply.getHeader("location");
    if (typeof location === "string" && OWN_PATH.test(location)) reply.header("location", clientView.prefix + location);
  });
}
