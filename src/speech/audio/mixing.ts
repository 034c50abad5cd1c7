// Several channels of a stream become the one channel of its session.

export const countedChannels = (channels: number) => (channels === 1 ? "1 channel" : `${channels} channels`);

/** The note of a stream whose channels are mixed. */
export const mixingNote = (channels: number) => `the ${countedChannels(channels)} of the stream are mixed into one`;

/** @param channels  at least one, all of one length @returns their mean */
export function mixedSamples(channels: readonly Float32Array[]): Float32Array {
  const [first] = channels;
  const sum = Float32Array.from(first ?? [], (_, at) =>
    channels.reduce((total, samples) => total + (samples[at] as number), 0),
  );
  return sum.map((value) => value / channels.length);
}
