// Uploads whose body is the file itself, as clients of AssemblyAI's interface send them.
import type { FastifyRequest } from "fastify";

const UPLOAD = /^\/v2\/upload\/?(\?|$)/;
const OTHER_BODIES = /^\s*(multipart\/form-data|application\/json)\s*(;|$)/i;

/** Whether the body of an upload is neither a form nor an address. */
export const isRawUpload = ({ method, url, headers }: FastifyRequest): boolean =>
  method === "POST" && UPLOAD.test(url) && !OTHER_BODIES.test(headers["content-type"] ?? "application/json");
