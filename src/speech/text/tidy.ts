/** A word or phrase as it is written: without spaces at its ends, one space between its words. */
export const tidy = (text: string) => text.replace(/\s+/g, " ").trim();
