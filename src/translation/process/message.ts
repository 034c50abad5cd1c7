// Between an add-on process and its translation process.

export interface TranslationRequest {
  /** Folders of one direction, or of two: by way of the language between them. */
  folders: readonly [string] | readonly [string, string];
  /** HTML. */
  texts: readonly string[];
  /** Of a recording: speech comes first. */
  isBackground: boolean;
}

export interface TranslationResponse {
  texts: string[];
}
