// The interface of a service, as the tools call it: in the same process for /mcp, over the network for `parlance mcp`.
export interface ServiceCalls {
  /**
   * @param path  with the query
   * @param body  sent as JSON
   * @param signal  aborts the call
   * @returns the body of the answer
   * @throws ParlanceError  what the service answers
   */
  call(method: "GET" | "POST", path: string, options?: { body?: object; signal?: AbortSignal }): Promise<Buffer>;
  /**
   * Stores a file of the caller's machine. Undefined where the server cannot read the caller's files.
   * @returns its address for a job
   */
  upload?(file: string): Promise<string>;
}
