// The OpenAPI document made from the routes' own schemas, and a page to read it on.
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { Api, ApiContext } from "../context.ts";

export async function addOpenApi(app: Api, { settings }: ApiContext, version: string): Promise<void> {
  const names = settings.keyHeaders.split(",").map((name) => name.trim());
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Parlance",
        version,
        description: "Speech transcription that you run yourself: live over WebSocket, recordings over HTTP.",
        license: { name: "MIT", identifier: "MIT" },
      },
      components: {
        securitySchemes: Object.fromEntries(
          names.map((name) => [name, { type: "apiKey" as const, in: "header" as const, name }]),
        ),
      },
      security: names.map((name) => ({ [name]: [] })),
    },
  });
  if (!settings.docs) return;
  await app.register(swaggerUi, { routePrefix: "/docs", uiConfig: { docExpansion: "list", deepLinking: true } });
  app.get("/openapi.json", { config: { isOpen: true }, schema: { hide: true } }, async () => app.swagger());
}
