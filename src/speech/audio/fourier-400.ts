// Discrete Fourier transform of 400 complex values, the length of Whisper's windows: four stages of radix 4, 4, 5 and 5.
// Pure; buffers are reused between calls.
// Source: Stockham's transform, which needs no reordering, in Van Loan, Computational Frameworks for the Fast Fourier Transform (1992).

const SIZE = 400;
const RADICES = [4, 4, 5, 5];
const COSINES = Float64Array.from({ length: SIZE }, (_, at) => Math.cos((2 * Math.PI * at) / SIZE));
const SINES = Float64Array.from({ length: SIZE }, (_, at) => -Math.sin((2 * Math.PI * at) / SIZE));
const COSINE_72 = Math.cos((2 * Math.PI) / 5);
const COSINE_144 = Math.cos((4 * Math.PI) / 5);
const SINE_72 = Math.sin((2 * Math.PI) / 5);
const SINE_144 = Math.sin((4 * Math.PI) / 5);

export class Fourier400 {
  /** Real parts on input and output. */
  real = new Float64Array(SIZE);
  /** Imaginary parts on input and output. */
  imaginary = new Float64Array(SIZE);
  private otherReal = new Float64Array(SIZE);
  private otherImaginary = new Float64Array(SIZE);
  /** The inputs of one small transform, turned. */
  private readonly turnedReal = new Float64Array(5);
  private readonly turnedImaginary = new Float64Array(5);

  /** Transforms `real` + i `imaginary`; both are other arrays afterwards. */
  transform(): void {
    let done = 1;
    for (const radix of RADICES) {
      this.stage(radix, done);
      [this.real, this.otherReal] = [this.otherReal, this.real];
      [this.imaginary, this.otherImaginary] = [this.otherImaginary, this.imaginary];
      done *= radix;
    }
  }

  /** Combines transforms of `done` values to transforms of `radix` times as many. */
  private stage(radix: number, done: number): void {
    const { real, imaginary, turnedReal, turnedImaginary } = this;
    const count = SIZE / done;
    const left = count / radix;
    for (let frequency = 0; frequency < done; frequency++) {
      for (let index = 0; index < left; index++) {
        for (let part = 0; part < radix; part++) {
          const at = frequency * count + index + left * part;
          const turn = part * frequency * left;
          const cosine = COSINES[turn] as number;
          const sine = SINES[turn] as number;
          turnedReal[part] = (real[at] as number) * cosine - (imaginary[at] as number) * sine;
          turnedImaginary[part] = (real[at] as number) * sine + (imaginary[at] as number) * cosine;
        }
        if (radix === 4) this.writeFour(frequency * left + index, done * left);
        else this.writeFive(frequency * left + index, done * left);
      }
    }
  }

  /** The transform of four turned values. @param at  index of the first result @param step  to the next one */
  private writeFour(at: number, step: number): void {
    const { otherReal, otherImaginary } = this;
    const { turnedReal: real, turnedImaginary: imaginary } = this;
    const evenReal = (real[0] as number) + (real[2] as number);
    const evenImaginary = (imaginary[0] as number) + (imaginary[2] as number);
    const oddReal = (real[1] as number) + (real[3] as number);
    const oddImaginary = (imaginary[1] as number) + (imaginary[3] as number);
    const centreReal = (real[0] as number) - (real[2] as number);
    const centreImaginary = (imaginary[0] as number) - (imaginary[2] as number);
    const sideReal = (real[1] as number) - (real[3] as number);
    const sideImaginary = (imaginary[1] as number) - (imaginary[3] as number);
    otherReal[at] = evenReal + oddReal;
    otherImaginary[at] = evenImaginary + oddImaginary;
    otherReal[at + step] = centreReal + sideImaginary;
    otherImaginary[at + step] = centreImaginary - sideReal;
    otherReal[at + 2 * step] = evenReal - oddReal;
    otherImaginary[at + 2 * step] = evenImaginary - oddImaginary;
    otherReal[at + 3 * step] = centreReal - sideImaginary;
    otherImaginary[at + 3 * step] = centreImaginary + sideReal;
  }

  /** The same of five. */
  private writeFive(at: number, step: number): void {
    const { otherReal, otherImaginary } = this;
    const { turnedReal: real, turnedImaginary: imaginary } = this;
    const first = real[0] as number;
    const firstImaginary = imaginary[0] as number;
    const outerReal = (real[1] as number) + (real[4] as number);
    const outerImaginary = (imaginary[1] as number) + (imaginary[4] as number);
    const innerReal = (real[2] as number) + (real[3] as number);
    const innerImaginary = (imaginary[2] as number) + (imaginary[3] as number);
    const outerSideReal = (real[1] as number) - (real[4] as number);
    const outerSideImaginary = (imaginary[1] as number) - (imaginary[4] as number);
    const innerSideReal = (real[2] as number) - (real[3] as number);
    const innerSideImaginary = (imaginary[2] as number) - (imaginary[3] as number);
    otherReal[at] = first + outerReal + innerReal;
    otherImaginary[at] = firstImaginary + outerImaginary + innerImaginary;
    for (let pair = 1; pair <= 2; pair++) {
      const isFirst = pair === 1;
      const cosine = isFirst ? COSINE_72 : COSINE_144;
      const other = isFirst ? COSINE_144 : COSINE_72;
      const sine = isFirst ? SINE_72 : SINE_144;
      const otherSine = isFirst ? SINE_144 : -SINE_72;
      const middleReal = first + cosine * outerReal + other * innerReal;
      const middleImaginary = firstImaginary + cosine * outerImaginary + other * innerImaginary;
      const turnedReal = sine * outerSideImaginary + otherSine * innerSideImaginary;
      const turnedImaginary = sine * outerSideReal + otherSine * innerSideReal;
      otherReal[at + pair * step] = middleReal + turnedReal;
      otherImaginary[at + pair * step] = middleImaginary - turnedImaginary;
      otherReal[at + (5 - pair) * step] = middleReal - turnedReal;
      otherImaginary[at + (5 - pair) * step] = middleImaginary + turnedImaginary;
    }
  }
}
