// Discrete Fourier transform of two real signals at once. Pure; buffers are reused between calls.

export class Fourier {
  /** The first signal on input; real parts on output. */
  readonly real: Float64Array;
  /** The second signal on input; imaginary parts on output. */
  readonly imaginary: Float64Array;
  private readonly cosines: Float64Array;
  private readonly sines: Float64Array;
  private readonly reversed: Uint32Array;

  /** @param size  a power of two */
  constructor(readonly size: number) {
    this.real = new Float64Array(size);
    this.imaginary = new Float64Array(size);
    this.cosines = Float64Array.from({ length: size / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / size));
    this.sines = Float64Array.from({ length: size / 2 }, (_, at) => -Math.sin((2 * Math.PI * at) / size));
    this.reversed = new Uint32Array(size);
    for (let at = 1; at < size; at++) {
      this.reversed[at] = ((this.reversed[at >> 1] as number) >> 1) | (at & 1 ? size >> 1 : 0);
    }
  }

  /** After `transform` of two real signals: twice the spectra of both. @param bin  from 1 to size / 2 - 1 */
  spectraAt(bin: number): [firstRe: number, firstIm: number, secondRe: number, secondIm: number] {
    const { real, imaginary } = this;
    const mirror = this.size - bin;
    const [re, im] = [real[bin] as number, imaginary[bin] as number];
    const [mirroredRe, mirroredIm] = [real[mirror] as number, imaginary[mirror] as number];
    return [re + mirroredRe, im - mirroredIm, im + mirroredIm, mirroredRe - re];
  }

  /** Transforms `real` + i `imaginary` in place (radix 2, Cooley and Tukey 1965). */
  transform(): void {
    const { real, imaginary, size, cosines, sines, reversed } = this;
    for (let at = 0; at < size; at++) {
      const to = reversed[at] as number;
      if (to <= at) continue;
      const heldReal = real[at] as number;
      const heldImaginary = imaginary[at] as number;
      real[at] = real[to] as number;
      imaginary[at] = imaginary[to] as number;
      real[to] = heldReal;
      imaginary[to] = heldImaginary;
    }
    for (let half = 1, step = size >> 1; half < size; half <<= 1, step >>= 1) {
      for (let block = 0; block < size; block += 2 * half) {
        for (let at = 0, twiddle = 0; at < half; at++, twiddle += step) {
          const low = block + at;
          const high = low + half;
          const cosine = cosines[twiddle] as number;
          const sine = sines[twiddle] as number;
          const highReal = real[high] as number;
          const highImaginary = imaginary[high] as number;
          const lowReal = real[low] as number;
          const lowImaginary = imaginary[low] as number;
          const turnedReal = highReal * cosine - highImaginary * sine;
          const turnedImaginary = highReal * sine + highImaginary * cosine;
          real[high] = lowReal - turnedReal;
          imaginary[high] = lowImaginary - turnedImaginary;
          real[low] = lowReal + turnedReal;
          imaginary[low] = lowImaginary + turnedImaginary;
        }
      }
    }
  }
}
