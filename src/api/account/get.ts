// GET /v2/account: who the key belongs to, and the limits that hold.
import { Type } from "@sinclair/typebox";
import { limitsOf } from "../../accounts/limits.ts";
import type { Api, ApiContext } from "../context.ts";
import { errorResponses } from "../schemas/errors.ts";

const noLimit = { minimum: 0, description: "0 is no limit" };

const AccountBody = Type.Object(
  {
    name: Type.String(),
    limits: Type.Object({
      requests_per_second: Type.Number(noLimit),
      concurrent_jobs: Type.Integer(noLimit),
      live_sessions: Type.Integer(noLimit),
      upload_bytes: Type.Number(),
      audio_seconds: Type.Number(),
    }),
  },
  { title: "Account" },
);

export function addAccountGet(app: Api, { settings }: ApiContext): void {
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
