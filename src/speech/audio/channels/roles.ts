// Roles of a file's channels by its loudspeaker layout. Pure.

/** `centre`: dialogue of a surround mix; `bass`: low-frequency effects, without intelligible speech. */
export type ChannelRole = "centre" | "bass" | "other";

/** Bits of FFmpeg's channel masks. */
const FRONT_CENTRE = 2;
const LOW_FREQUENCIES = [3, 35];
/** Mono and stereo have no dialogue channel. */
const FEWEST_SURROUND_CHANNELS = 3;

/**
 * @param mask  FFmpeg's mask of a native channel layout; undefined if the file does not state one
 * @returns one role per channel, in the order of the decoded channels
 */
export function rolesOf(channels: number, mask: bigint | undefined): ChannelRole[] {
  const roles: ChannelRole[] = [];
  for (let bit = 0; mask !== undefined && bit < 64; bit++) {
    if (((mask >> BigInt(bit)) & 1n) === 0n) continue;
    if (LOW_FREQUENCIES.includes(bit)) roles.push("bass");
    else roles.push(bit === FRONT_CENTRE ? "centre" : "other");
  }
  const isSurround = roles.length === channels && channels >= FEWEST_SURROUND_CHANNELS;
  return isSurround ? roles : Array.from({ length: channels }, () => "other");
}
