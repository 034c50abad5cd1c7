import { Type } from "@sinclair/typebox";
import { Nullable } from "../../contract/fields.ts";

const Problem = Type.Object(
  {
    error: Type.Object({
      message: Type.String(),
      type: Type.String(),
      param: Nullable(Type.String()),
      code: Nullable(Type.String()),
    }),
  },
  { title: "OpenAiError" },
);

/** Response entries for the error statuses of a route of that interface. */
export function openAiErrors(...statuses: number[]) {
  return Object.fromEntries(
    [...new Set([...statuses, ...(statuses.includes(401) ? [403] : []), 429, 500])].map((status) => [
      status,
      { ...Problem, description: "Error" },
    ]),
  );
}
