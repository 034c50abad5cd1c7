// The validator behind every schema: all faults at once, nothing coerced, defaults filled in.
import type { FastifyServerOptions } from "fastify";
import { isWebAddress } from "../../net/address-rules.ts";

export const validatorOptions: NonNullable<FastifyServerOptions["ajv"]> = {
  customOptions: { allErrors: true, coerceTypes: false, removeAdditional: false, useDefaults: true },
  plugins: [
    (ajv) => {
      ajv.addFormat("web-address", isWebAddress);
      ajv.addKeyword({ keyword: "x-maturity", schemaType: "string" });
      ajv.addKeyword({
        keyword: "metadataLimit",
        type: "object",
        schemaType: "number",
        error: { message: ({ schema }) => `must not be longer than ${schema} characters once serialised` },
        validate: (limit: number, value: object) => JSON.stringify(value).length <= limit,
      });
      return ajv;
    },
  ],
};
