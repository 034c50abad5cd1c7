// Pages of transcripts for `parlance mcp`, read by the service: its result has up to 50 MB, and this process may be the service that recognises.
import { errors, toParlanceError } from "../platform/errors.ts";
import { askService, type ServiceAddress } from "../platform/net/service-request.ts";

/** The service is of a version without /mcp, or a proxy does not pass it on. */
const WITHOUT_PAGES = new Set([404, 405, 501]);
const EVENT_DATA = "data: ";

interface ToolAnswer {
  result?: { content: { text: string }[]; isError?: boolean };
  error?: { message: string };
}

/** A message of the protocol, alone or as the last event of a stream. */
function messageIn(text: string): ToolAnswer {
  const line = text.split("\n").findLast((one) => one.startsWith(EVENT_DATA));
  return JSON.parse(line === undefined ? text : line.slice(EVENT_DATA.length)) as ToolAnswer;
}

/**
 * Calls `read_transcript` of the service.
 * @param input  its arguments, of a job that has ended
 * @returns the text; undefined if the service has no such tool
 * @throws service.unreachable, or what the service answers
 */
export async function pageByService(
  service: ServiceAddress,
  input: object,
  signal: AbortSignal,
): Promise<string | undefined> {
  const params = { name: "read_transcript", arguments: input };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const answer = await askService(service, "POST", "/mcp", call, signal).catch((thrown: unknown) => {
    if (WITHOUT_PAGES.has(toParlanceError(thrown).status)) return undefined;
    throw thrown;
  });
  if (!answer) return undefined;
  const { result, error } = messageIn(answer.toString());
  const text = result?.content.map((part) => part.text).join("") ?? error?.message ?? "the service gave no answer";
  if (!result || result.isError) throw errors.serviceRefused(text, 422);
  return text;
}
