// The checksum of Ogg pages (RFC 3533): a CRC of 32 bits, not reflected, with the polynomial 0x04c11db7.

const POLYNOMIAL = 0x04c11db7;

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ POLYNOMIAL : value << 1;
  return value >>> 0;
});

/** @param before  checksum of the bytes before these */
export function crc32(bytes: Uint8Array, before = 0): number {
  let value = before;
  for (const byte of bytes) value = (value << 8) ^ (TABLE[((value >>> 24) ^ byte) & 0xff] as number);
  return value >>> 0;
}

const NO_CHECKSUM = new Uint8Array(4);

/** Of a page whose own checksum, which counts as zero, is at `at`. */
export function pageChecksum(page: Uint8Array, at: number): number {
  const end = at + NO_CHECKSUM.length;
  return crc32(page.subarray(end), crc32(NO_CHECKSUM, crc32(page.subarray(0, at))));
}
