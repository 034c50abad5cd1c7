// GET /metrics in Prometheus' text format, with a key.
import { errorResponses } from "../../contract/errors.ts";
import { TextBody } from "../../contract/responses.ts";
import type { Api, ApiContext } from "../context.ts";

export function addMetrics(app: Api, { metrics }: Pick<ApiContext, "metrics">): void {
  app.get(
    "/metrics",
    {
      schema: {
        tags: ["System"],
        summary: "Prometheus metrics",
        produces: ["text/plain"],
        response: { 200: TextBody, ...errorResponses(401) },
      },
    },
    async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
}
