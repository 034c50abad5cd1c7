import { expect, test } from "vitest";
import { readMessage } from "../../contract/messages/read-message.ts";
import { fetchedModel, missingModel, type OptionalModel } from "./optional-model.ts";

const SPEAKERS: OptionalModel = {
  ...{ id: "voices", kind: "speaker model", variable: "PARLANCE_SPEAKER_MODEL", mayFetch: false },
  isInstalled: async () => false,
  supply: undefined,
};
const failing = { ensure: () => Promise.reject(new Error("the hub is away")) };

test("each reason why an optional model is not used is a message that pages show in their language", async () => {
  const reasonOf = async (changes: Partial<OptionalModel>) => {
    const found = await fetchedModel({ ...SPEAKERS, ...changes });
    return "problem" in found ? readMessage(found.problem)?.code : undefined;
  };
  const fetched = { mayFetch: true, supply: { ensure: async () => ({}) as never } };
  for (const kind of ["speaker model", "turn model"]) {
    expect(await reasonOf({ kind })).toBe("models.optional.missing");
    expect(await reasonOf({ kind, mayFetch: true, supply: failing })).toBe("models.optional.not_fetched");
    expect(await reasonOf({ kind, id: "" })).toBe("models.optional.none");
    expect(await reasonOf({ kind, ...fetched })).toBe("models.optional.other");
    expect(readMessage(missingModel({ id: "turns", kind }))?.parameters).toMatchObject({ model: "turns" });
  }
});
