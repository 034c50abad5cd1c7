// Separate from notes.ts, so that the console lists the colours without loading TypeBox.

export const NOTE_COLOURS = ["yellow", "green", "blue", "pink"] as const;
