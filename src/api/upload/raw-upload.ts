// Uploads whose body is the file itself, as clients of AssemblyAI's interface send them.
import type { FastifyRequest } from "fastify";

const UPLOAD = /^\/v2\/upload\/?(\?|$)/;
const OTHER_BODIES = /^\s*(multipart\/form-data|application\/json)\s*(;|$)/i;

/** The key alone, as only these clients send it. */
const BARE_KEY = /^\S+$/;

/** Whether the body of an upload is declared neither as a form nor as an address. */
export const isRawUpload = ({ method, url, headers }: FastifyRequest): boolean =>
  method === "POST" && UPLOAD.test(url) && !OTHER_BODIES.test(headers["content-type"] ?? "");

/** Whether its errors have the form of that interface. */
export const isAssemblyAiUpload = (request: FastifyRequest): boolean =>
  isRawUpload(request) && BARE_KEY.test(request.headers.authorization?.trim() ?? "");
