// Routes of the service's own pages: signing in to the console, and the documentation.
import type { Static } from "typebox";
import * as Type from "typebox";

export const SignInBody = Type.Object(
  { key: Type.String({ minLength: 1, maxLength: 500 }), remember: Type.Optional(Type.Boolean({ default: false })) },
  { title: "SignIn" },
);

export const ConsoleSessionBody = Type.Object({
  needs_key: Type.Boolean({ description: "The browser has no valid key, and the service requires one" }),
});
export type ConsoleSession = Static<typeof ConsoleSessionBody>;

export const PageParams = Type.Object({ page: Type.String() });

export const MOST_DOCS_QUERY_CHARACTERS = 200;

export const DocsSearchQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: MOST_DOCS_QUERY_CHARACTERS })),
});
