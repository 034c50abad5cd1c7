import { expect, test } from "vitest";
import { Fourier } from "./fourier.ts";

/** The sum that defines the transform. */
function directly(real: readonly number[], imaginary: readonly number[], bin: number): [re: number, im: number] {
  let [re, im] = [0, 0];
  for (const [at, value] of real.entries()) {
    const angle = (-2 * Math.PI * at * bin) / real.length;
    re += value * Math.cos(angle) - (imaginary[at] as number) * Math.sin(angle);
    im += value * Math.sin(angle) + (imaginary[at] as number) * Math.cos(angle);
  }
  return [re, im];
}

test.each([2, 4, 8, 16, 32, 512])("a transform of %d values is the sum that defines it", (size) => {
  const fourier = new Fourier(size);
  const real = Array.from({ length: size }, (_, at) => Math.sin(at * at + 1));
  const imaginary = real.map((value, at) => Math.cos(value + 3 * at));
  fourier.real.set(real);
  fourier.imaginary.set(imaginary);
  fourier.transform();
  for (let bin = 0; bin < size; bin++) {
    const [re, im] = directly(real, imaginary, bin);
    expect(fourier.real[bin]).toBeCloseTo(re, 9);
    expect(fourier.imaginary[bin]).toBeCloseTo(im, 9);
  }
});
