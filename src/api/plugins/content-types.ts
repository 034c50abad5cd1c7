// Bodies that a route does not read: compressed ones, and those of another content type than the route's. Without this check, a parser
// reports whatever it happens to stumble over.
import type { FastifyRequest } from "fastify";
import { errors, type ParlanceError } from "../../platform/errors.ts";
import type { Api } from "../context.ts";

const WITH_BODY = new Set(["POST", "PUT", "PATCH"]);
const MULTIPART = "multipart/form-data";
const JSON_TYPE = "application/json";
const TEXT = /^text\/plain\s*(;|$)/;
const BYTES_TYPE = "application/octet-stream";

const hasBody = ({ headers }: FastifyRequest) =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** Content types that the route of a request reads. */
const consumedBy = ({ routeOptions }: FastifyRequest): readonly string[] =>
  Object.keys(routeOptions.config.describedBodies ?? { [JSON_TYPE]: undefined });

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
    // Some clients state no type, for which libraries send that of a text. A form needs one, because of its boundary.
    const isUntyped = type === "" || (request.routeOptions.config.takesJsonAsText === true && TEXT.test(type));
    if (isUntyped && hasBody(request)) {
      if (request.routeOptions.config.takesAnyContent) request.raw.headers["content-type"] = BYTES_TYPE;
      else if (consumedBy(request).includes(JSON_TYPE)) request.raw.headers["content-type"] = JSON_TYPE;
    }
    if (type.startsWith(MULTIPART) && !request.is404 && !consumedBy(request).includes(MULTIPART)) {
      throw wrongContentType(request);
    }
  });
}
