// Which pieces contain two people: the similarity of the voices at the two ends of a piece, as the speaker stage computes it, for stretches of
// one person and for stretches of two people joined without a pause. ONE_VOICE_SIMILARITY of src/speech/speakers/piece-voices.ts was chosen on the
// people 0, 2, 4, … Needs ../shared with its recordings and its speaker model.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { SPEAKER_MODEL } from "../src/service/models/catalogue.ts";
import { loadSpeakerNetworks } from "../src/speech/engines/speaker-networks/load.ts";
import { voicesOfPieces } from "../src/speech/speakers/piece-voices.ts";
import { FRAME_SAMPLES } from "../src/speech/speakers/speaker-networks.ts";
import { dotProduct } from "../src/speech/speakers/vectors.ts";
import { randomOf } from "../test/fixtures/random.ts";
import { alone, loadRecordings, SAMPLE_RATE } from "./recordings.ts";
import { installSpeakerModel } from "./speaker-model.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const PIECES = 250;
/** Length of a piece of one person. */
const SINGLE_SECONDS = { least: 2.4, most: 4 };
/** Length of each half of a piece of two people. */
const PART_SECONDS = { least: 1.2, most: 2 };
const THRESHOLDS = [0.3, 0.33, 0.36, 0.4, 0.45];

const random = randomOf(20_261_126);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

type Person = readonly Float32Array[];

/** A random excerpt. @returns undefined if all recordings of the person are shorter */
function cut(person: Person, { least, most }: typeof SINGLE_SECONDS): Float32Array | undefined {
  const frames = Math.ceil(((least + (most - least) * random()) * SAMPLE_RATE) / FRAME_SAMPLES);
  const length = frames * FRAME_SAMPLES;
  const long = person.filter((samples) => samples.length >= length);
  if (long.length === 0) return undefined;
  const samples = pick(long);
  const start = Math.floor(random() * (samples.length - length));
  return samples.slice(start, start + length);
}

function joinedCuts(first: Person, second: Person): Float32Array | undefined {
  const [head, tail] = [cut(first, PART_SECONDS), cut(second, PART_SECONDS)];
  return head && tail && Float32Array.from([...head, ...tail]);
}

const models = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-pieces-"));
try {
  const store = await installSpeakerModel(models);
  const networks = await loadSpeakerNetworks((await store.findSpeakerModel(SPEAKER_MODEL))?.folder ?? "");
  const { dimensions } = networks;

  /** Similarity of the voices of the two ends of a piece, which the first request of `voicesOfPieces` contains. */
  async function similarity(samples: Float32Array): Promise<number> {
    const found: number[] = [];
    await voicesOfPieces([{ start: 0, end: samples.length / FRAME_SAMPLES }], async (ranges, excerpts) => {
      const stretches = ranges.map(({ start, end }) => samples.slice(start * FRAME_SAMPLES, end * FRAME_SAMPLES));
      const voices = await networks.voices(stretches, excerpts);
      const row = (at: number) => voices.subarray(at * dimensions, (at + 1) * dimensions);
      const count = excerpts[0]?.length ?? 0;
      if (count > 0) found.push(dotProduct(row(1), row(count)));
      return { voices, dimensions };
    });
    return found[0] ?? Number.NaN;
  }

  async function similarities(make: () => Float32Array | undefined): Promise<number[]> {
    const found: number[] = [];
    while (found.length < PIECES) {
      const samples = make();
      if (samples) found.push(await similarity(samples));
    }
    return found;
  }

  const meetings = await loadRecordings(({ speakers }) => speakers !== undefined);
  const members = [...new Set(meetings.flatMap(({ speakers = [] }) => speakers.map(({ speaker }) => speaker)))];
  const readers = await loadRecordings(({ file }) => /^(audiobook|reading)/.test(file));
  /** All audiobooks have one reader, and so have all readings. */
  const readBy = (prefix: string) =>
    readers.filter(({ file }) => file.startsWith(prefix)).map(({ samples }) => samples);
  const people: Person[] = [
    ...members.map((person) => meetings.flatMap((meeting) => alone(meeting, person))),
    readBy("audiobook"),
    readBy("reading"),
  ];
  const results: Result[] = [];
  for (const [odd, name] of ["people 0, 2, 4, …", "people 1, 3, 5, …"].entries()) {
    const half = people.filter((one, at) => at % 2 === odd && cut(one, PART_SECONDS) !== undefined);
    const same = await similarities(() => cut(pick(half), SINGLE_SECONDS));
    const mixed = await similarities(() => {
      const [first, second] = [pick(half), pick(half)];
      return first === second ? undefined : joinedCuts(first, second);
    });
    const below = (found: readonly number[], threshold: number) =>
      `${rounded((100 * found.filter((value) => value < threshold).length) / found.length, 1)} % of ${found.length}`;
    for (const threshold of THRESHOLDS) {
      const values = { "of two people": below(mixed, threshold), "of one person": below(same, threshold) };
      results.push({ name: `${name}: pieces below ${threshold}`, values });
    }
  }
  await networks.close();
  printResults("Pieces that contain two people", results);
  saveResults("piece-voices", results);
} finally {
  rmSync(models, { recursive: true, force: true });
}
