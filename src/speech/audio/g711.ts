// A-law and mu-law, the 8-bit codes of telephone lines, by table (ITU-T G.711).

function decodeUlaw(code: number): number {
  const inverted = ~code & 0xff;
  const exponent = (inverted >> 4) & 7;
  const magnitude = (((inverted & 15) << 3) + 132) << exponent;
  return (inverted & 0x80 ? 132 - magnitude : magnitude - 132) / 32_768;
}

function decodeAlaw(code: number): number {
  const toggled = code ^ 0x55;
  const exponent = (toggled >> 4) & 7;
  const mantissa = toggled & 15;
  const magnitude = exponent === 0 ? (mantissa << 4) + 8 : ((mantissa << 4) + 264) << (exponent - 1);
  return (toggled & 0x80 ? magnitude : -magnitude) / 32_768;
}

const table = (decode: (code: number) => number) => Float32Array.from({ length: 256 }, (_, code) => decode(code));

/** Sample in -1 to 1 of each mu-law code. */
export const ULAW = table(decodeUlaw);
/** Sample in -1 to 1 of each A-law code. */
export const ALAW = table(decodeAlaw);
