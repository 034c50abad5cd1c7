// Where recordings and results lie, whichever kind of job made them.

export const audioKey = (fileId: string) => `audio/${fileId}`;
/** How loud the recording is over time. */
export const peaksKey = (fileId: string) => `peaks/${fileId}.json`;
export const resultKey = (jobId: string) => `results/${jobId}.json`;
