import { pino } from "pino";
import { expect, test } from "vitest";
import { errors } from "../../../platform/errors.ts";
import type { InstalledModel } from "../../models/store.ts";
import { TurnModel, type TurnServices } from "./turn-model.ts";

const PARAMETERS = { probableThreshold: 0.5, threshold: 0.5, minimumSeconds: 0.2, maximumSeconds: 2 };

function modelWith(changes: Partial<TurnServices> & { isInstalled?: boolean; fetched?: () => Promise<void> }) {
  const { fetched = () => Promise.reject(errors.modelMissing("smart-turn-v3.2")), ...others } = changes;
  let { isInstalled = false } = changes;
  const problems: string[] = [];
  const model = new TurnModel({
    models: { findTurnModel: async (id) => (isInstalled ? ({ id } as InstalledModel) : undefined) },
    supply: {
      ensure: async (id) => {
        await fetched();
        isInstalled = true;
        return { id } as InstalledModel;
      },
    },
    ...{ recognition: { judgeTurn: async () => 0.7 }, turnModel: "smart-turn-v3.2", mayFetch: true },
    logger: pino({ level: "silent" }),
    ...others,
  });
  const options = model.optionsFor(PARAMETERS);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { model, options, problems, settled, connect: () => model.connected((problem) => problems.push(problem)) };
}

test("an installed model judges before a client connects", async () => {
  const { model, options, problems, connect, settled } = modelWith({ isInstalled: true });
  expect(options.isJudging()).toBe(false);
  await model.find();
  expect(options.isJudging()).toBe(true);
  expect(await options.judge(new Float32Array(1), new AbortController().signal)).toBe(0.7);
  connect();
  await settled();
  expect(problems).toEqual([]);
});

test("a missing model is fetched once, and judges from then on", async () => {
  let fetches = 0;
  const { model, options, connect, settled, problems } = modelWith({ fetched: async () => void fetches++ });
  await model.find();
  connect();
  connect();
  await settled();
  expect(fetches).toBe(1);
  expect(options.isJudging()).toBe(true);
  expect(problems).toEqual([]);
});

test.each([
  { name: "no name", changes: { turnModel: "" }, problem: /PARLANCE_TURN_MODEL is empty/ },
  {
    name: "fetching turned off",
    changes: { mayFetch: false },
    problem: /not installed; .*models add smart-turn-v3\.2/,
  },
  { name: "a failed fetch", changes: {}, problem: /could not be fetched .*models add smart-turn-v3\.2/ },
])("$name is reported once, with what to do", async ({ changes, problem }) => {
  const { model, options, problems, connect, settled } = modelWith(changes);
  await model.find();
  connect();
  connect();
  await settled();
  expect(options.isJudging()).toBe(false);
  expect(problems).toEqual([expect.stringMatching(problem)]);
});

test("a model that fails is not used again", async () => {
  const { model, options, problems, connect, settled } = modelWith({ isInstalled: true });
  await model.find();
  connect();
  await settled();
  options.fail(errors.processFailed("recogniser", "damaged"));
  options.fail(errors.processFailed("recogniser", "damaged"));
  expect(options.isJudging()).toBe(false);
  expect(problems).toEqual(["the turn model smart-turn-v3.2 failed; the log of the service has the reason"]);
});
