// Tags of jobs: given with a request or later, in answers, lists, the search and events, and gone with the job.
import { afterAll, beforeAll, expect, test } from "vitest";
import { parlance } from "../fixtures/parlance.ts";
import { wav } from "../fixtures/recordings.ts";
import { decodeSpeech } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../service.ts";

let service: RunningService;
let id: string;

beforeAll(async () => {
  service = await startService();
  await ready(service);
  id = await submit(service, wav([await decodeSpeech()]), { tags: [" Council ", "council", "Förderung"] });
  await finished(service, id);
});
afterAll(() => service?.remove());

const change = (body: unknown, job = id) => call(service, "PATCH", `/v2/transcription/${job}`, { body });
const idsOf = async (query: string) =>
  (await call(service, "GET", `/v2/transcription?${query}`)).json.items.map((item: { id: string }) => item.id);

test("tags of a request are those of the job and stand in lists, and are no part of the parameters", async () => {
  const { tags, request_params } = (await call(service, "GET", `/v2/transcription/${id}`)).json;
  expect(tags).toEqual(["Council", "Förderung"]);
  expect(request_params).not.toHaveProperty("tags");
  for (const route of ["transcription", "pre-recorded"]) {
    const { items } = (await call(service, "GET", `/v2/${route}?tag=council`)).json;
    expect(items).toMatchObject([{ id, tags: ["Council", "Förderung"] }]);
  }
});

test("a live session has tags, which the list of live sessions finds before it has begun", async () => {
  const { json } = await call(service, "POST", "/v2/live", { body: { tags: ["Council", "stream"] } });
  expect((await call(service, "GET", "/v2/live?tag=Stream&tag=council")).json.items).toMatchObject([
    { id: json.id, tags: ["Council", "stream"] },
  ]);
  expect(await idsOf("tag=council&kind=pre-recorded")).toEqual([id]);
  expect((await idsOf("tag[]=council")).sort()).toEqual([id, json.id].sort());
  await call(service, "DELETE", `/v2/live/${json.id}?cancel=true`);
});

test("tags are added, removed and replaced, and the list, its pages and the account's tags have them at once", async () => {
  const changed = await change({ add_tags: ["Budget, part 2"], remove_tags: ["FÖRDERUNG"] });
  expect(changed.json).toEqual({ id, name: null, tags: ["Council", "Budget, part 2"] });
  const page = (await call(service, "GET", "/v2/transcription?tag=budget%2C%20part%202&tag=council&limit=1")).json;
  expect(page.items).toMatchObject([{ id }]);
  const first = new URL(page.first);
  expect(first.searchParams.getAll("tag")).toEqual(["budget, part 2", "council"]);
  expect(await idsOf("tag=förderung")).toEqual([]);
  expect((await call(service, "GET", "/v2/tags")).json.items).toContainEqual({ tag: "Budget, part 2", jobs: 1 });
  expect((await change({ name: "Meeting", tags: ["Council", "Förderung"] })).json).toMatchObject({
    name: "Meeting",
    tags: ["Council", "Förderung"],
  });
});

test("the search finds words of tags together with those of the transcript", async () => {
  await expect.poll(() => idsOf("search=forderung hello")).toEqual([id]);
  await change({ add_tags: ["Wohnungsbau"] });
  await expect.poll(() => idsOf("search=wohnungsbau")).toEqual([id]);
  await change({ remove_tags: ["Wohnungsbau"] });
  await expect.poll(() => idsOf("search=wohnungsbau")).toEqual([]);
});

test("what cannot be a tag is refused by its field, and changes nothing", async () => {
  const problems = async (body: unknown) => {
    const { status, json } = await change(body);
    expect(status, JSON.stringify(body)).toBe(400);
    return json.validation_errors;
  };
  expect(await problems({})).toEqual(["name, tags, add_tags or remove_tags must be given"]);
  expect(await problems({ tags: ["ok", " \n"] })).toEqual(["tags.1 must have a letter, a digit or a sign"]);
  expect(await problems({ add_tags: ["x".repeat(51)] })).toEqual([
    expect.stringMatching(/^add_tags\.0 .*50 characters/),
  ]);
  expect(await problems({ tags: Array.from({ length: 21 }, (_, at) => `${at}`) })).toEqual([
    expect.stringMatching(/^tags .*20 elements/),
  ]);
  expect(await problems({ tags: "council" })).toEqual([expect.stringMatching(/^tags must be/)]);
  const full = await change({ name: "Other", add_tags: Array.from({ length: 19 }, (_, at) => `tag ${at}`) });
  expect(full.status).toBe(409);
  expect(full.json.message).toBe("A job has at most 20 tags; it would have 21. Remove some first");
  expect((await call(service, "GET", `/v2/transcription/${id}`)).json).toMatchObject({
    name: "Meeting",
    tags: ["Council", "Förderung"],
  });
  const created = await call(service, "POST", "/v2/pre-recorded", {
    body: { audio_url: "http://127.0.0.1:1/a.wav", tags: ["\u200b"] },
  });
  expect([created.status, created.json.validation_errors]).toEqual([
    400,
    ["tags.0 must have a letter, a digit or a sign"],
  ]);
  expect((await call(service, "GET", `/v2/transcription?tag=${"x".repeat(51)}`)).status).toBe(400);
  expect((await call(service, "POST", "/v2/live", { body: { tags: ["\n"] } })).status).toBe(400);
});

test("another account neither changes nor sees them, and they are gone with the job", async () => {
  await parlance(service.folder, "accounts", "create", "other");
  const key = await parlance(service.folder, "keys", "create", "--account", "other");
  const as = (method: string, route: string, body?: unknown) =>
    call(service, method, route, { key, ...(body === undefined ? {} : { body }) });
  expect((await as("PATCH", `/v2/transcription/${id}`, { add_tags: ["mine"] })).status).toBe(404);
  expect((await as("GET", "/v2/tags")).json).toEqual({ items: [], further: 0 });
  expect((await as("GET", "/v2/transcription?tag=council")).json.items).toEqual([]);
  expect((await call(service, "GET", "/v2/tags", { key: null })).status).toBe(401);
  await call(service, "DELETE", `/v2/transcription/${id}`);
  expect((await change({ add_tags: ["late"] })).status).toBe(404);
  expect((await call(service, "GET", "/v2/tags")).json.items).toEqual([]);
});
