import { expect, test } from "vitest";
import { randomOf } from "../../../test/fixtures/random.ts";
import { Fourier400 } from "./fourier-400.ts";

test("the transform is that of its definition", () => {
  const random = randomOf(3);
  const fourier = new Fourier400();
  const values = Array.from({ length: 400 }, () => [random() - 0.5, random() - 0.5] as const);
  for (const [at, [real, imaginary]] of values.entries()) {
    fourier.real[at] = real;
    fourier.imaginary[at] = imaginary;
  }
  fourier.transform();
  for (let frequency = 0; frequency < 400; frequency++) {
    let [real, imaginary] = [0, 0];
    for (const [at, [a, b]] of values.entries()) {
      const angle = (-2 * Math.PI * frequency * at) / 400;
      real += a * Math.cos(angle) - b * Math.sin(angle);
      imaginary += a * Math.sin(angle) + b * Math.cos(angle);
    }
    expect(fourier.real[frequency]).toBeCloseTo(real, 10);
    expect(fourier.imaginary[frequency]).toBeCloseTo(imaginary, 10);
  }
});
