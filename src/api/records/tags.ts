// The tags that the jobs of an account have, for suggestions and filters.
import { errorResponses } from "../../contract/errors.ts";
import { AccountTags } from "../../contract/tags.ts";
import { tagsOfAccount } from "../../platform/storage/db/jobs/job-tags.ts";
import type { Api, ApiContext } from "../context.ts";

export function addTags(app: Api, { database }: Pick<ApiContext, "database">): void {
  app.get(
    "/v2/tags",
    {
      schema: {
        tags: ["All jobs"],
        summary: "The tags of the jobs of the account",
        description:
          "An extension of the interface. Tags of the newest 5,000 jobs that have any. PATCH of a job changes its tags; a list has the parameter tag.",
        operationId: "listTags",
        response: { 200: AccountTags, ...errorResponses(401) },
      },
    },
    async ({ account }) => {
      const { first, rest } = await tagsOfAccount(database, account.id);
      return { items: first, further: rest };
    },
  );
}
