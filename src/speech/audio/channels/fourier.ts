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
    const { real, imaginary, size, reversed } = this;
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
    let half = 1;
    // Of an odd number of stages, the first one is done alone and the others in pairs.
    if (Math.log2(size) % 2 === 1) {
      for (let low = 0; low < size; low += 2) {
        const lowReal = real[low] as number;
        const lowImaginary = imaginary[low] as number;
        const highReal = real[low + 1] as number;
        const highImaginary = imaginary[low + 1] as number;
        real[low] = lowReal + highReal;
        imaginary[low] = lowImaginary + highImaginary;
        real[low + 1] = lowReal - highReal;
        imaginary[low + 1] = lowImaginary - highImaginary;
      }
      half = 2;
    }
    for (; half < size; half <<= 2) this.addStages(half);
  }

  /** Two stages in one pass over the memory, whose speed bounds a transform: those that join parts of `half` and of 2 `half` values. */
  private addStages(half: number): void {
    const { real, imaginary, size, cosines, sines } = this;
    const step = size / (4 * half);
    const quarter = size / 4;
    for (let block = 0; block < size; block += 4 * half) {
      for (let first = block, twiddle = 0; first < block + half; first++, twiddle += step) {
        const second = first + half;
        const third = second + half;
        const fourth = third + half;
        let cosine = cosines[2 * twiddle] as number;
        let sine = sines[2 * twiddle] as number;
        let re = real[second] as number;
        let im = imaginary[second] as number;
        let turnedReal = re * cosine - im * sine;
        let turnedImaginary = re * sine + im * cosine;
        re = real[first] as number;
        im = imaginary[first] as number;
        const firstReal = re + turnedReal;
        const firstImaginary = im + turnedImaginary;
        const secondReal = re - turnedReal;
        const secondImaginary = im - turnedImaginary;
        re = real[fourth] as number;
        im = imaginary[fourth] as number;
        turnedReal = re * cosine - im * sine;
        turnedImaginary = re * sine + im * cosine;
        re = real[third] as number;
        im = imaginary[third] as number;
        const thirdReal = re + turnedReal;
        const thirdImaginary = im + turnedImaginary;
        const fourthReal = re - turnedReal;
        const fourthImaginary = im - turnedImaginary;
        cosine = cosines[twiddle] as number;
        sine = sines[twiddle] as number;
        turnedReal = thirdReal * cosine - thirdImaginary * sine;
        turnedImaginary = thirdReal * sine + thirdImaginary * cosine;
        real[first] = firstReal + turnedReal;
        imaginary[first] = firstImaginary + turnedImaginary;
        real[third] = firstReal - turnedReal;
        imaginary[third] = firstImaginary - turnedImaginary;
        cosine = cosines[twiddle + quarter] as number;
        sine = sines[twiddle + quarter] as number;
        turnedReal = fourthReal * cosine - fourthImaginary * sine;
        turnedImaginary = fourthReal * sine + fourthImaginary * cosine;
        real[second] = secondReal + turnedReal;
        imaginary[second] = secondImaginary + turnedImaginary;
        real[fourth] = secondReal - turnedReal;
        imaginary[fourth] = secondImaginary - turnedImaginary;
      }
    }
  }
}
