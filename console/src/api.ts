// The service's interface as the console uses it. Who asks is told by a cookie that this code cannot read.

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly fields: string[] = [],
  ) {
    super(message);
  }
}

/** What to show of anything that was thrown. */
export function told(thrown: unknown): string {
  if (thrown instanceof ApiError && thrown.fields.length > 0) return thrown.fields.join(". ");
  return thrown instanceof Error ? thrown.message : String(thrown);
}

async function failed(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as { message?: string; validation_errors?: string[] };
  return new ApiError(
    response.status,
    body.message ?? `The service answered ${response.status}`,
    body.validation_errors,
  );
}

export async function request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "The service does not answer");
  }
  if (response.status === 401) onSignedOut();
  if (!response.ok) throw await failed(response);
  return response;
}

let onSignedOut: () => void = () => undefined;
/** @param listener  called when the service no longer knows the key */
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

export interface Uploaded {
  audio_url: string;
  audio_metadata: { id: string; filename: string; audio_duration: number };
}

/** Uploads a file. @param progress  told shares from 0 to 1 */
export function upload(file: File, progress: (share: number) => void, signal: AbortSignal): Promise<Uploaded> {
  // fetch does not tell how much of a body was sent.
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append("audio", file, file.name);
    const call = new XMLHttpRequest();
    call.open("POST", "/v2/upload");
    call.responseType = "json";
    call.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    call.onload = () => {
      const body = (call.response ?? {}) as Uploaded & { message?: string; validation_errors?: string[] };
      if (call.status === 401) onSignedOut();
      if (call.status === 200) resolve(body);
      else
        reject(
          new ApiError(call.status, body.message ?? `The service answered ${call.status}`, body.validation_errors),
        );
    };
    call.onerror = () => reject(new ApiError(0, "The connection broke while the file was sent"));
    call.onabort = () => reject(new DOMException("stopped", "AbortError"));
    signal.addEventListener("abort", () => call.abort(), { once: true });
    call.send(form);
  });
}
