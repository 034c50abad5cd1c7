// Where recordings and results lie, whichever kind of job made them.

export const audioKey = (fileId: string) => `audio/${fileId}`;
export const resultKey = (jobId: string) => `results/${jobId}.json`;
