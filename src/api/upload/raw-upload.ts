// Uploads whose body is the file itself, as clients of AssemblyAI's interface send them.
import type { FastifyRequest } from "fastify";

const UPLOAD = /^\/v2\/upload\/?(\?|$)/;
const FORM = /^\s*multipart\/form-data\s*(;|$)/i;
const JSON_TEXT = /^\s*application\/json\s*(;|$)/i;

/** The key alone, as only these clients send it. */
const BARE_KEY = /^\S+$/;

export const hasBareKey = ({ headers }: FastifyRequest): boolean => BARE_KEY.test(headers.authorization?.trim() ?? "");

const isUploadWithoutForm = ({ method, url, headers }: FastifyRequest) =>
  method === "POST" && UPLOAD.test(url) && !FORM.test(headers["content-type"] ?? "");
const declaresJson = ({ headers }: FastifyRequest) => JSON_TEXT.test(headers["content-type"] ?? "");

/** Whether an upload is one of that interface, so that its errors have that form. */
export const isAssemblyAiUpload = (request: FastifyRequest): boolean =>
  isUploadWithoutForm(request) && hasBareKey(request);

/** Whether the body of an upload may be the file: it is declared neither as a form nor as an address. */
export const isRawUpload = (request: FastifyRequest): boolean =>
  isUploadWithoutForm(request) && (!declaresJson(request) || hasBareKey(request));

/** Whether the body of an upload is declared as JSON and may be the file: many programs for that interface send it in this way. */
export const isFileAsJson = (request: FastifyRequest): boolean => isAssemblyAiUpload(request) && declaresJson(request);
