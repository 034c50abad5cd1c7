// Parts of messages of several topics.

export const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

/** Longest part of a client's own text in a message. */
export const MOST_SHOWN_CHARACTERS = 100;
