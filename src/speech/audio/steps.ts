// Work on a file that pauses every few milliseconds, so that a turn of a decoder process can end in time.

/** Work that yields the seconds of audio that its last step decoded or covered; 0 for any other step. */
export type Steps<Result> = Generator<number, Result>;
export type AsyncSteps<Result> = AsyncGenerator<number, Result>;
