// Messages between a result process and its translation process.

export interface TranslationRequest {
  /** Model folders: one direction, or two directions through a pivot language. */
  folders: readonly [string] | readonly [string, string];
  /** HTML. */
  texts: readonly string[];
  /** For a recording: has a lower priority than recognition and live sessions. */
  isBackground: boolean;
}

export interface TranslationResponse {
  texts: string[];
}
