// HTTP client of the console. Requests are authenticated by an HttpOnly cookie, which this code cannot read.
import { CONSOLE_ACCOUNT } from "../../src/contract/console-account.ts";
import { at } from "./address.ts";
import { t } from "./language/language.ts";
import { said, whenMessagesAreLoaded } from "./language/messages.ts";
import type { ErrorAnswer, Upload } from "./shapes.ts";

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly fields: string[] = [],
  ) {
    super(message);
  }
}

/** Text to display for any thrown value, in the language of the interface. */
export function errorMessage(thrown: unknown): string {
  if (thrown instanceof ApiError && thrown.fields.length > 0) return thrown.fields.map(said).join(". ");
  return said(thrown instanceof Error ? thrown.message : String(thrown));
}

/** @param response  that reports a failure */
export async function toApiError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as Partial<ErrorAnswer>;
  await whenMessagesAreLoaded();
  return new ApiError(response.status, body.message ?? t.problems.answered(response.status), body.validation_errors);
}

/** Its 401 is about the key that was typed. */
const SIGN_IN = "/console/session";
/** Finds the account that is signed in. */
const ACCOUNT = "/v2/account";

/** Called after the service answered again. */
let onReachable: () => void = () => undefined;
export function whenReachable(listener: () => void): void {
  onReachable = listener;
}
let isUnreachable = false;
/** @param isAnswered  false if a request got no answer */
function noteAnswer(isAnswered: boolean): void {
  if (isAnswered && isUnreachable) onReachable();
  isUnreachable = !isAnswered;
}

let shownAccount: () => string | undefined = () => undefined;
/** @param name  returns that of the account that this page shows. The service refuses requests while another one is signed in. */
export function sendAs(name: () => string | undefined): void {
  shownAccount = name;
}

export function accountHeaders(): Record<string, string> {
  const name = shownAccount();
  return name === undefined ? {} : { [CONSOLE_ACCOUNT]: encodeURIComponent(name) };
}

export async function request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const sentAs = shownAccount();
  let response: Response;
  try {
    response = await fetch(at(path), {
      method,
      headers: {
        ...(path === ACCOUNT ? {} : accountHeaders()),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    noteAnswer(false);
    throw new ApiError(0, t.problems.noAnswer);
  }
  noteAnswer(true);
  if (response.status === 401 && path !== SIGN_IN) {
    // The answer to a request of an account that the page no longer shows says nothing about the one that it shows.
    if (path !== ACCOUNT && sentAs === shownAccount()) onSignedOut();
    throw new ApiError(response.status, t.problems.signedOut);
  }
  if (!response.ok) throw await toApiError(response);
  return response;
}

let onSignedOut: () => void = () => undefined;
/** @param listener  called when the service no longer accepts the key, or when another account is signed in */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

export async function get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return (await request("GET", path, undefined, signal)).json() as Promise<Answer>;
}

export async function send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await request(method, path, body);
  const text = await response.text();
  return (text === "" ? undefined : JSON.parse(text)) as Answer;
}

/** For requests that are not sent by `request`. */
export const noteSignedOut = (): void => onSignedOut();

/** Uploads a file. @param progress  called with shares from 0 to 1 */
export function upload(file: File, progress: (share: number) => void, signal: AbortSignal): Promise<Upload> {
  // XMLHttpRequest, because fetch does not report upload progress.
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append("audio", file, file.name);
    const call = new XMLHttpRequest();
    call.open("POST", at("/v2/upload"));
    for (const [name, value] of Object.entries(accountHeaders())) call.setRequestHeader(name, value);
    call.responseType = "json";
    call.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    call.onload = () => {
      const body = (call.response ?? {}) as Upload & Partial<ErrorAnswer>;
      if (call.status === 401) onSignedOut();
      if (call.status === 200) resolve(body);
      else {
        const error = new ApiError(
          call.status,
          body.message ?? t.problems.answered(call.status),
          body.validation_errors,
        );
        void whenMessagesAreLoaded().then(() => reject(error));
      }
    };
    call.onerror = () => reject(new ApiError(0, t.problems.cutUpload));
    call.onabort = () => reject(new DOMException("stopped", "AbortError"));
    signal.addEventListener("abort", () => call.abort(), { once: true });
    call.send(form);
  });
}
