// A span for each request, which continues the sender's trace.
import type { Api, ApiContext } from "../context.ts";

/** Requested every few seconds by monitoring. */
const UNTRACED = new Set(["/health", "/ready", "/metrics"]);

export function addTraces(app: Api, { tracing }: Pick<ApiContext, "tracing">): void {
  app.decorateRequest("span", undefined);
  app.addHook("onRequest", async (request) => {
    const route = request.routeOptions.url ?? "unknown";
    if (UNTRACED.has(route)) return;
    const { method, headers } = request;
    request.span = tracing.begin(`${method} ${route}`, {
      kind: "server",
      parent: headers["traceparent"] as string | undefined,
      attributes: { "http.request.method": method, "http.route": route, "parlance.request": request.publicRequestId },
    });
  });
  app.addHook("onResponse", async (request, reply) => {
    request.span?.end({ "http.response.status_code": reply.statusCode }, reply.statusCode >= 500);
  });
}
