// Small building blocks that several bodies share.
import { type SchemaOptions, type TSchema, Type } from "@sinclair/typebox";

export function Enum(values: readonly string[], options: SchemaOptions = {}) {
  return Type.Unsafe<string>({ type: "string", enum: [...values], ...options });
}

export const Switch = (options: SchemaOptions = {}) => Type.Optional(Type.Boolean({ default: false, ...options }));

/** http or https; what lies behind it is judged when it is fetched. */
export const WebAddress = (options: SchemaOptions = {}) => Type.String({ format: "web-address", ...options });

/** Free-form data of the caller; its size is limited once serialised. */
export const Metadata = (options: SchemaOptions = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true, metadataLimit: 2000, ...options });

export const DEPRECATED = { deprecated: true };
export const BETA = { description: "[Beta]", "x-maturity": "beta" };
export const ALPHA = { description: "[Alpha]", "x-maturity": "alpha" };

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
