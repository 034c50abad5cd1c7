// The validator behind every schema: all faults at once, nothing coerced, defaults filled in.
import buildCompiler, { type ValidatorFactory } from "@fastify/ajv-compiler";
import type { AnySchema } from "ajv";
import type { AnyValidateFunction } from "ajv/dist/core.js";
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

const compilerOf = buildCompiler();

/** Makes a route's validators when they are first needed: all of them at once hold a start up. */
export const validateLazily: ValidatorFactory =
  (...options: Parameters<typeof compilerOf>) =>
  (route: AnySchema) => {
    let made: AnyValidateFunction | undefined;
    const validate = (data: unknown) => {
      made ??= compilerOf(...options)(route);
      const isValid = made(data);
      validate.errors = made.errors;
      return isValid;
    };
    validate.errors = null as AnyValidateFunction["errors"];
    return validate as AnyValidateFunction;
  };
