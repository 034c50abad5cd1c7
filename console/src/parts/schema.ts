// The part of JSON Schema that forms are made from.
export interface Schema {
  type?: string;
  title?: string;
  description?: string;
  enum?: string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  deprecated?: boolean;
  format?: string;
  /** What holds where the field is absent and the interface states no default. */
  "x-absent"?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: boolean | Schema;
  "x-metadata-limit"?: number;
}

/** Whether an object may have any names, with one schema for their values. */
export const isDictionary = ({ additionalProperties }: Schema): boolean => typeof additionalProperties === "object";

export type Values = Record<string, unknown>;
