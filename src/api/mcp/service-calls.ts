// The interface of a service, as the tools call it: in the same process for /mcp, over the network for `parlance mcp`.
import type { ReadInput } from "../../contract/mcp.ts";
import type { PageRequest, TranscriptPage } from "../../service/transcripts/transcript-pages.ts";

export interface ServiceCalls {
  /**
   * @param path  with the query
   * @param body  sent as JSON
   * @param signal  aborts the call
   * @returns the body of the answer
   * @throws ParlanceError  what the service answers
   */
  call(method: "GET" | "POST", path: string, options?: { body?: object; signal?: AbortSignal }): Promise<Buffer>;
  /** A page of the transcript of a job that is done. Undefined where the service is called over the network. */
  page?(id: string, request: PageRequest, signal: AbortSignal): Promise<TranscriptPage>;
  /**
   * What the service's own `read_transcript` returns for a job that is done. Undefined, also as the answer, where it has no such tool: its
   * answers are then read whole.
   */
  read?(input: ReadInput, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Stores a file of the caller's machine. Undefined where the server cannot read the caller's files.
   * @returns its address for a job
   */
  upload?(file: string): Promise<string>;
}
