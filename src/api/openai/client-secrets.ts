// POST /v1/realtime/client_secrets, and its form of the beta: short-lived keys with which browsers and apps open live sessions.
import { openAiErrors } from "../../contract/openai.ts";
import {
  BetaSessionBody,
  BetaSessionRequest,
  ClientSecretBody,
  ClientSecretRequest,
  DEFAULT_SECRET_SECONDS,
  LEAST_SECRET_SECONDS,
  MOST_SECRET_SECONDS,
} from "../../contract/realtime.ts";
import { errors } from "../../platform/errors.ts";
import {
  type Configuration,
  DEFAULT_CONFIGURATION,
  readSession,
  voiceProblems,
} from "../../service/live/dialects/openai/configuration.ts";
import { betaSessionShape, sessionShape } from "../../service/live/dialects/openai/session-shapes.ts";
import { modelNamed } from "../../service/openai/model-names.ts";
import type { Api, ApiContext } from "../context.ts";

const ANCHOR = "created_at";

/** @returns time until a secret expires, seconds */
function judgeExpiry(given: unknown, path: string, problems: string[]): number {
  if (given === undefined || given === null) return DEFAULT_SECRET_SECONDS;
  if (typeof given !== "object") {
    problems.push(`${path} must be an object with anchor and seconds`);
    return DEFAULT_SECRET_SECONDS;
  }
  const { anchor = ANCHOR, seconds = DEFAULT_SECRET_SECONDS } = given as { anchor?: unknown; seconds?: unknown };
  if (anchor !== ANCHOR) problems.push(`${path}.anchor must be ${ANCHOR}`);
  if (
    Number.isInteger(seconds) &&
    (seconds as number) >= LEAST_SECRET_SECONDS &&
    (seconds as number) <= MOST_SECRET_SECONDS
  ) {
    return seconds as number;
  }
  problems.push(`${path}.seconds must be a whole number from ${LEAST_SECRET_SECONDS} to ${MOST_SECRET_SECONDS}`);
  return DEFAULT_SECRET_SECONDS;
}

export function addClientSecrets(app: Api, context: Pick<ApiContext, "clientSecrets" | "liveModels" | "newId">): void {
  const { clientSecrets, liveModels } = context;
  const judge = async (session: unknown, path: string, problems: string[]) => {
    const read = readSession(session, DEFAULT_CONFIGURATION, path);
    problems.push(...read.problems.map(({ message }) => message), ...voiceProblems(session, path));
    if (problems.length > 0) throw errors.invalidParameters(problems);
    await modelNamed(read.configuration.model, liveModels);
    return read;
  };
  const make = async (account: { id: string }, keyId: string | null, seconds: number, session: unknown) => {
    const made = await clientSecrets.make(account.id, keyId, seconds, session);
    if (!made) throw errors.invalidParameters(["session is too large for a client secret; use a shorter prompt"]);
    return { value: made.value, expires_at: made.expiresAt };
  };
  const shapeId = () => `sess_${context.newId().replaceAll("-", "")}`;
  const described = (warnings: string[]) => (warnings.length > 0 ? { warnings } : {});

  app.post(
    "/v1/realtime/client_secrets",
    {
      schema: {
        tags: ["OpenAI"],
        body: ClientSecretRequest,
        summary: "A short-lived key for live sessions of OpenAI's Realtime interface",
        response: { 200: ClientSecretBody, ...openAiErrors(400, 401, 404, 413, 415) },
      },
    },
    async (request) => {
      const { expires_after: expiry, session = {} } = request.body;
      const { configuration, warnings } = await judge(session, "session", []);
      const seconds = expiry?.seconds ?? DEFAULT_SECRET_SECONDS;
      const secret = await make(request.account, request.keyId, seconds, session);
      return { ...secret, session: sessionShape(shapeId(), configuration), ...described(warnings) };
    },
  );
  app.post(
    "/v1/realtime/transcription_sessions",
    {
      schema: {
        tags: ["OpenAI"],
        body: BetaSessionRequest,
        summary: "The same as the beta of OpenAI's Realtime interface has it",
        response: { 200: BetaSessionBody, ...openAiErrors(400, 401, 404, 413, 415) },
      },
    },
    async (request) => {
      const { client_secret, ...session } = request.body;
      const problems: string[] = [];
      if (client_secret !== undefined && (typeof client_secret !== "object" || client_secret === null)) {
        problems.push("client_secret must be an object with expires_at");
      }
      const expiry = (client_secret as { expires_at?: unknown } | null | undefined)?.expires_at;
      const seconds = judgeExpiry(expiry, "client_secret.expires_at", problems);
      const { configuration, warnings }: { configuration: Configuration; warnings: string[] } = await judge(
        session,
        "session",
        problems,
      );
      const secret = await make(request.account, request.keyId, seconds, session);
      return { ...betaSessionShape(shapeId(), configuration), client_secret: secret, ...described(warnings) };
    },
  );
}
