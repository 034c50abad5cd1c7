import type { FastifyTypeProvider } from "fastify";
import type { Static, TSchema } from "typebox";

/** Gives handlers the types of their requests and answers from the schemas of the route. */
export interface SchemaTypes extends FastifyTypeProvider {
  validator: this["schema"] extends TSchema ? Static<this["schema"]> : unknown;
  serializer: this["schema"] extends TSchema ? Static<this["schema"]> : unknown;
}
