// Whether the process lives, and whether it can do its work.
import { errorResponses } from "../../contract/errors.ts";
import { ProcessStatusBody } from "../../contract/system.ts";
import { errors } from "../../platform/errors.ts";
import type { Api, ApiContext } from "../context.ts";

export function addHealth(app: Api, context: Pick<ApiContext, "database" | "isDraining" | "isReady" | "live">): void {
  const { database } = context;
  app.get(
    "/health",
    {
      config: { isOpen: true },
      schema: {
        tags: ["System"],
        summary: "The process lives",
        security: [],
        response: { 200: ProcessStatusBody, ...errorResponses(400) },
      },
    },
    async () => ({ status: "ok" }),
  );
  app.get(
    "/ready",
    {
      config: { isOpen: true },
      schema: {
        tags: ["System"],
        summary: "Database and recogniser answer, and live sessions can be stored",
        security: [],
        response: { 200: ProcessStatusBody, ...errorResponses(400, 503) },
      },
    },
    async () => {
      if (context.isDraining) throw errors.notReady("it is about to stop");
      if (!context.isReady()) throw errors.notReady("no recogniser process runs");
      const problem = context.live.capacity.storageProblem;
      if (problem !== undefined) throw errors.notReady(problem);
      await database
        .selectFrom("accounts")
        .select("id")
        .limit(1)
        .execute()
        .catch(() => {
          throw errors.notReady("the database does not answer");
        });
      return { status: "ready" };
    },
  );
}
