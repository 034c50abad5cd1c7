// Limits the bytes of a compressed stream by its seconds of audio: the log also stores the parts of a stream that are no audio.
import type { Compression } from "../../../speech/audio/streams/message.ts";

/** Without any audio. A picture in an ID3 tag is shorter. */
export const BYTES_WITHOUT_AUDIO = 8_388_608;
/**
 * Greatest bytes of a second: Opus has up to 510 kbit/s in a channel and headers in each packet of 2.5 ms; containers have up to 8
 * channels, and tracks that are left out; AAC has 6,144 bits in a frame of a channel.
 */
const BYTES_PER_SECOND: Readonly<Record<Compression["encoding"], number>> = {
  opus: 200_000,
  "ogg/opus": 750_000,
  "webm/opus": 750_000,
  aac: 300_000,
  mp3: 100_000,
  container: 750_000,
  broadcast: 750_000,
  packets: 750_000,
};

/** @returns why a stream with these bytes and seconds of audio is refused; undefined if it is not */
export function sizeProblem(encoding: Compression["encoding"], bytes: number, seconds: number): string | undefined {
  const rate = BYTES_PER_SECOND[encoding];
  if (bytes <= BYTES_WITHOUT_AUDIO + seconds * rate) return undefined;
  return `the stream has ${bytes} bytes and only ${seconds.toFixed(1)} s of audio: more than ${(rate * 8) / 1000} kbit/s, the most for the encoding ${encoding}, and ${BYTES_WITHOUT_AUDIO} bytes beside it`;
}
