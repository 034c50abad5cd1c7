// Limits of captions: those of a request, or those that subtitling guides recommend.

export interface LayoutOptions {
  /** Seconds. A caption is shorter only if the next one begins or the recording ends. */
  minimumDuration: number;
  /** Seconds. */
  maximumDuration: number;
  /** Columns of one row; a wide character (Chinese, Japanese, Korean) fills two. */
  maximumCharactersPerRow: number;
  maximumRowsPerCaption: number;
  /** Columns a second that a viewer can read. A caption stays for its reading time if the next one leaves room. */
  readingSpeed: number;
}

/** Netflix and BBC guides: two rows of 42 columns, one to seven seconds, 17 characters a second. */
export const STANDARD_LIMITS: Readonly<LayoutOptions> = {
  minimumDuration: 1,
  maximumDuration: 7,
  maximumCharactersPerRow: 42,
  maximumRowsPerCaption: 2,
  readingSpeed: 17,
};
