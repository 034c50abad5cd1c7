// GET /v2/account: who the key belongs to, and the limits that hold.

import { AccountBody } from "../../contract/account.ts";
import { errorResponses } from "../../contract/errors.ts";
import { limitsOf } from "../../service/accounts/limits.ts";
import type { Api, ApiContext } from "../context.ts";

export function addAccountGet(app: Api, { settings }: Pick<ApiContext, "settings">): void {
  app.get(
    "/v2/account",
    {
      schema: {
        tags: ["Account"],
        summary: "The account of this key and its limits",
        response: { 200: AccountBody, ...errorResponses(401) },
      },
    },
    async ({ account }) => {
      const limits = limitsOf(account, settings);
      return {
        name: account.name,
        limits: {
          requests_per_second: limits.requestsPerSecond,
          concurrent_jobs: limits.concurrentJobs,
          live_sessions: limits.liveSessions,
          upload_bytes: limits.uploadBytes,
          audio_seconds: limits.audioSeconds,
        },
      };
    },
  );
}
