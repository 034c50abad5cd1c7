// Elements of EBML (RFC 8794), and the frames of a block (RFC 9559).

export interface Element {
  id: number;
  headerBytes: number;
  /** Undefined for an unknown length. */
  size: number | undefined;
}

/** @returns value and length of a number; undefined if more bytes are needed; "damaged" for none */
export function readNumber(bytes: Buffer, at: number, keepsMarker: boolean, most: number) {
  const first = bytes[at];
  if (first === undefined) return undefined;
  const length = Math.clz32(first) - 23;
  if (length > most) return "damaged";
  if (bytes.length < at + length) return undefined;
  let value = keepsMarker ? first : first & ((1 << (8 - length)) - 1);
  let isUnknown = (first & ((1 << (8 - length)) - 1)) === (1 << (8 - length)) - 1;
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index] as number;
    isUnknown &&= byte === 0xff;
    value = value * 256 + byte;
  }
  return { value, length, isUnknown };
}

export function readElement(bytes: Buffer, at = 0): Element | "damaged" | undefined {
  const id = readNumber(bytes, at, true, 4);
  if (id === undefined || id === "damaged") return id;
  const size = readNumber(bytes, at + id.length, false, 8);
  if (size === undefined || size === "damaged") return size;
  return { id: id.value, headerBytes: id.length + size.length, size: size.isUnknown ? undefined : size.value };
}

/** Children of an element that is there as a whole; those after a damaged one are left out. */
export function* childrenOf(bytes: Buffer): Generator<{ id: number; body: Buffer }> {
  for (let at = 0; at < bytes.length; ) {
    const element = readElement(bytes, at);
    if (element === undefined || element === "damaged" || element.size === undefined) return;
    const from = at + element.headerBytes;
    yield { id: element.id, body: bytes.subarray(from, from + element.size) };
    at = from + element.size;
  }
}

/** Lengths of the frames of a block with several; undefined if they are damaged. @param at  of the number of frames */
export function laceLengths(block: Buffer, at: number, lacing: number): { lengths: number[]; at: number } | undefined {
  const count = (block[at] ?? 0) + 1;
  let place = at + 1;
  const lengths: number[] = [];
  let last = 0;
  for (let index = 0; index < count - 1 && lacing !== 2; index++) {
    if (lacing === 1) {
      let length = 0;
      let byte: number | undefined;
      do {
        byte = block[place++];
        length += byte ?? 0;
      } while (byte === 255);
      if (byte === undefined) return undefined;
      last = length;
    } else {
      const found = readNumber(block, place, false, 8);
      if (found === undefined || found === "damaged") return undefined;
      place += found.length;
      const bias = index === 0 ? 0 : 2 ** (7 * found.length - 1) - 1;
      last = index === 0 ? found.value : last + found.value - bias;
    }
    if (last < 0) return undefined;
    lengths.push(last);
  }
  const rest = block.length - place - lengths.reduce((sum, length) => sum + length, 0);
  if (rest < 0 || (lacing === 2 && rest % count !== 0)) return undefined;
  if (lacing === 2) return { lengths: Array.from({ length: count }, () => rest / count), at: place };
  return { lengths: [...lengths, rest], at: place };
}
