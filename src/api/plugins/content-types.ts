// Bodies that a route does not read: compressed ones, and those of another content type than the route's. Without this check, a parser
// reports whatever it happens to stumble over.
import type { FastifyRequest } from "fastify";
import { errors, type ParlanceError } from "../../errors.ts";
import type { Api } from "../context.ts";

const WITH_BODY = new Set(["POST", "PUT", "PATCH"]);
const MULTIPART = "multipart/form-data";

/** Content types that the route of a request reads. */
const consumedBy = ({ routeOptions }: FastifyRequest): readonly string[] =>
  Object.keys(routeOptions.config.describedBodies ?? { "application/json": undefined });

export function wrongContentType(request: FastifyRequest): ParlanceError {
  return errors.wrongContentType(request.headers["content-type"] ?? "", consumedBy(request).join(" or "));
}

export function addContentTypes(app: Api): void {
  // JSON that is sent as text is refused for its type, not for being text.
  app.removeContentTypeParser("text/plain");
  app.addHook("onRequest", async (request) => {
    // Some clients send the headers of a body with every request.
    if (!WITH_BODY.has(request.method)) return;
    const encoding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "";
    if (encoding !== "" && encoding !== "identity") throw errors.bodyCompressed(encoding);
    const type = request.headers["content-type"]?.trim().toLowerCase() ?? "";
    if (type.startsWith(MULTIPART) && !request.is404 && !consumedBy(request).includes(MULTIPART)) {
      throw wrongContentType(request);
    }
  });
}
