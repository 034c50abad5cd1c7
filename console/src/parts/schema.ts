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

/** Whether the names of an object are free and its values have a schema. */
export const isDictionary = ({ additionalProperties }: Schema): boolean => typeof additionalProperties === "object";

export type Values = Record<string, unknown>;
