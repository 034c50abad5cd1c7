// The page Transcribe without a browser: audio tracks, dropped folders, presets.
import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** Of a file with two audio tracks. */
const UPLOAD = {
  audio_url: "http://host/file/1",
  audio_track: 1,
  audio_tracks: [0, 1].map((number) => ({ number, number_of_channels: 1 })),
};

/** Jobs of the service that are not deleted: their state by id. */
const jobs = new Map<string, string>();
/** Tracks of the requests so far; undefined for the one that the service selects. */
const requested: unknown[] = [];
let [made, answerAfter] = [0, (_job: number): number => 0];
let refusal: string | undefined;
/** Whether nothing is answered, or no upload, and whether the account has too many jobs. */
let [isCut, isEachCut, isFull] = [false, false, false];
/** Number of jobs that are made without an answer. */
let [lostAnswers, lostDeletions] = [0, 0];

async function answer(path: string, { method, body }: RequestInit): Promise<Response> {
  if (isCut) throw new TypeError("no network");
  const id = path.split("?")[0]?.split("/").at(-1) ?? "";
  if (method === "POST") {
    if (isFull) return Response.json({ message: "The queue is full" }, { status: 429 });
    if (refusal !== undefined) return Response.json({ message: refusal }, { status: 422 });
    requested.push(JSON.parse(String(body)).audio_track);
    const job = ++made;
    await new Promise((resolve) => setTimeout(resolve, answerAfter(job)));
    jobs.set(`${job}`, "processing");
    if (lostAnswers-- > 0) throw new TypeError("no network");
    return Response.json({ id: `${job}` });
  }
  if (method === "DELETE" && lostDeletions-- > 0) throw new TypeError("no network");
  if (method === "DELETE") return new Response(null, { status: jobs.delete(id) ? 202 : 404 });
  if (id === "pre-recorded") {
    const items = [...jobs.keys()].reverse().map((one) => ({ id: one, file: { id: "1" } }));
    return Response.json({ items });
  }
  const request_params = { audio_track: requested[Number(id) - 1 - (made - requested.length)] };
  return Response.json({ status: jobs.get(id), error_code: 500, request_params });
}

/** Requests with a file, or a part of one. */
let uploads = 0;
/** Requests that are not answered yet; undefined while each one is answered at once. */
let held: Upload[] | undefined;

/** Paths of uploads that are deleted. */
const dropped: string[] = [];

class Upload {
  readonly upload = {};
  readonly status = 200;
  readonly response = UPLOAD;
  onload: () => void = () => undefined;
  onerror: () => void = () => undefined;
  abort(): void {}
  open(method: string, path: string): void {
    if (method === "DELETE") dropped.push(path);
  }
  setRequestHeader(): void {}
  send(): void {
    uploads++;
    if (held) return void held.push(this);
    // As a browser does, after the call.
    queueMicrotask(() => (isCut || isEachCut ? this.onerror() : this.onload()));
  }
}

vi.stubGlobal("document", { querySelector: () => null });
vi.stubGlobal("location", new URL("http://host/"));
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("navigator", {});
vi.stubGlobal("fetch", answer);
vi.stubGlobal("XMLHttpRequest", Upload);
const { errorMessage } = await import("../src/api.ts");
const { account } = await import("../src/account.ts");
const { filesOf } = await import("../src/dropped-files.ts");
const { showLanguage } = await import("../src/language/language.ts");
const { keepPreset, presetOf, presets } = await import("../src/presets.ts");
const { factsOf, removalQuestion, stateText } = await import("../src/pages/task-row.tsx");
const { isSentLater, isUnsent, storedTask, taskOf, wantedFile } = await import("../src/task.ts");
const {
  addFiles,
  addRecording,
  cancel,
  dropEnded,
  giveFile,
  options,
  rememberOptions,
  restore,
  retry,
  retryAll,
  tasks,
  transcribeTrack,
  whenUploadFails,
} = await import("../src/tasks.ts");
const { fateOf } = await import("../src/upload-store.ts");
await showLanguage("en");
account.value = { kind: "in", account: { name: "main", limits: {} } as never };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Longer than the pause between two looks at a job. */
const pass = () => vi.advanceTimersByTimeAsync(3_000);

async function addedTask() {
  jobs.clear();
  requested.length = 0;
  rememberOptions({});
  addFiles([new File(["film"], `film-${made}.mkv`)]);
  const task = tasks.value.at(-1);
  if (!task) throw new Error("the file is no task");
  await pass();
  return task;
}

test("another attempt transcribes the track that the list shows, which is the one that was chosen last", async () => {
  const task = await addedTask();
  void transcribeTrack(task, 0);
  await pass();
  const fail = async () => {
    for (const id of jobs.keys()) jobs.set(id, "error");
    await pass();
    expect(task.state.value.kind).toBe("failed");
  };
  const shown = () => [task.tracks.value?.chosen, requested.at(-1)];
  await fail();
  retry(task);
  await pass();
  expect(shown()).toEqual([0, 0]);
  await fail();
  rememberOptions({ audio_track: 1 });
  retry(task);
  await pass();
  expect(shown()).toEqual([1, 1]);
});

test("another attempt whose answer is lost makes one job, in place of the failed one", async () => {
  const task = await addedTask();
  for (const id of jobs.keys()) jobs.set(id, "error");
  await pass();
  lostAnswers = 1;
  retry(task);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(requested).toHaveLength(2);
  expect([...jobs.keys()]).toEqual([`${made}`]);
  expect(task.state.value).toMatchObject({ kind: "working", job: `${made}` });
});

test("another attempt that the service does not get makes its job when the service answers again", async () => {
  const task = await addedTask();
  for (const id of jobs.keys()) jobs.set(id, "error");
  await pass();
  isCut = true;
  retry(task);
  await pass();
  isCut = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(requested).toHaveLength(2);
  expect([...jobs.keys()]).toEqual([`${made}`]);
  expect(task.state.value).toMatchObject({ kind: "working", job: `${made}` });
});

test("of quick choices of a track, the last one is transcribed, and the jobs of the others are removed", async () => {
  const task = await addedTask();
  // The later request would be answered first.
  answerAfter = (job) => 1_000 / job;
  for (const number of [0, 1]) void transcribeTrack(task, number);
  await pass();
  expect(task.tracks.value?.chosen).toBe(1);
  expect(requested).toEqual([undefined, 0, 1]);
  expect([...jobs.keys()]).toEqual([`${made}`]);
  expect(task.state.value).toMatchObject({ kind: "working", job: `${made}` });
  refusal = "no";
  await expect(transcribeTrack(task, 0)).rejects.toThrow("no");
  expect(task.tracks.value?.chosen).toBe(1);
});

test("a choice of a track whose answer is lost leaves no job behind, and can be repeated", async () => {
  refusal = undefined;
  answerAfter = () => 0;
  const task = await addedTask();
  const first = `${made}`;
  lostAnswers = 1;
  const choice = transcribeTrack(task, 0).catch(errorMessage);
  await pass();
  expect(await choice).toContain("does not answer");
  expect([task.tracks.value?.chosen, task.state.value]).toMatchObject([1, { kind: "working", job: first }]);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([...jobs.keys()]).toEqual([first]);
  void transcribeTrack(task, 0);
  await pass();
  expect([...jobs.keys()]).toEqual([`${made}`]);
  expect([task.tracks.value?.chosen, task.state.value]).toMatchObject([0, { kind: "working", job: `${made}` }]);
});

test("a choice of a track that the service does not get removes no job", async () => {
  const task = await addedTask();
  isCut = true;
  const choice = transcribeTrack(task, 0).catch(errorMessage);
  await pass();
  isCut = false;
  expect(await choice).toContain("does not answer");
  await vi.advanceTimersByTimeAsync(30_000);
  expect([...jobs.keys()]).toEqual([`${made}`]);
  expect(task.state.value).toMatchObject({ kind: "working", job: `${made}` });
});

test.each([
  ["takes the place of the job before", "processing"],
  ["is beside the finished transcript", "done"],
])(
  "the job of a track whose page was closed before the answer is found by the next page, and %s",
  async (_, before) => {
    const task = await addedTask();
    const first = `${made}`;
    if (before === "done") jobs.set(first, "done");
    await pass();
    answerAfter = () => 1_000;
    lostAnswers = 1;
    const choice = transcribeTrack(task, 0).catch(errorMessage);
    await vi.advanceTimersByTimeAsync(500);
    // What the next page finds. This page does nothing more.
    const entry = storedTask(task);
    expect(entry).toMatchObject({ job: first, unanswered: { track: 0, known: [first] } });
    task.isDropped = true;
    delete task.unanswered;
    await pass();
    await choice;
    answerAfter = () => 0;
    expect([...jobs.keys()]).toEqual([first, `${made}`]);
    restore([{ ...entry, page: "p", at: 0 }]);
    const next = tasks.value.at(-1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(next?.state.value).toMatchObject({ kind: "working", job: `${made}` });
    expect(next && storedTask(next)).not.toHaveProperty("unanswered");
    expect([...jobs.keys()]).toEqual(before === "done" ? [first, `${made}`] : [`${made}`]);
  },
);

test.each([
  ["is followed by the next page after another outage", false],
  ["is removed with its row, also before it is found", true],
])("the job of a track whose page was closed before the answer %s", async (_, isRemoved) => {
  const task = await addedTask();
  const first = `${made}`;
  answerAfter = () => 1_000;
  lostAnswers = 1;
  const choice = transcribeTrack(task, 0).catch(errorMessage);
  await vi.advanceTimersByTimeAsync(500);
  const entry = storedTask(task);
  task.isDropped = true;
  delete task.unanswered;
  await pass();
  await choice;
  answerAfter = () => 0;
  expect([...jobs.keys()]).toEqual([first, `${made}`]);
  isCut = !isRemoved;
  restore([{ ...entry, page: "p", at: 0 }]);
  const next = tasks.value.at(-1) as ReturnType<typeof taskOf>;
  if (isRemoved) void cancel(next);
  await vi.advanceTimersByTimeAsync(1_500);
  isCut = false;
  await vi.advanceTimersByTimeAsync(120_000);
  expect([...jobs.keys()]).toEqual(isRemoved ? [] : [`${made}`]);
  if (!isRemoved) expect(next.state.value).toMatchObject({ kind: "working", job: `${made}` });
});

test("the job of the track before is removed when the service answers again", async () => {
  const task = await addedTask();
  lostDeletions = 2;
  void transcribeTrack(task, 0);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([...jobs.keys()]).toEqual([`${made}`]);
  expect(task.tracks.value?.chosen).toBe(0);
});

test("a file and a folder that cannot be read are counted, and the other recordings of the drop are taken", async () => {
  const refuse = (_: unknown, reject: (error: Error) => void) => reject(new Error("not readable"));
  const file = (name: string, isReadable = true) => ({
    name,
    file: isReadable ? (resolve: (file: File) => void) => resolve(new File([], name)) : refuse,
  });
  const folder = (name: string, ...entries: object[]) => {
    const parts = [entries, []];
    const readEntries = (resolve: (part: object[]) => void) => resolve(parts.shift() ?? []);
    return { name, isDirectory: true, createReader: () => ({ readEntries }) };
  };
  const locked = { ...folder("locked"), createReader: () => ({ readEntries: refuse }) };
  const dropped = folder("all", file("a.mp3"), file("b.mp3", false), locked, folder("within", file("c.mp3")));
  const itemOf = (entry: object | null) => ({ kind: "file", webkitGetAsEntry: () => entry, getAsFile: () => null });
  const items = [itemOf(dropped), itemOf(locked)] as unknown as DataTransferItemList;
  const { files, unread } = await filesOf({ items });
  expect([files.map(({ name }) => name), unread]).toEqual([["a.mp3", "c.mp3"], 3]);
});

test("a recording from the microphone is removed after a question, also while it is transcribed", async () => {
  refusal = undefined;
  const recorded = { unfinished: undefined, removePieces: async () => undefined };
  void addRecording(new File(["voice"], "voice.webm"), "main", recorded);
  const task = tasks.value.at(-1);
  if (!task) throw new Error("the recording is no task");
  expect(removalQuestion(task)).toContain("not sent");
  await pass();
  expect(task.state.value.kind).toBe("working");
  expect(removalQuestion(task)).toContain("no other copy");
  // A page that takes the task over has the same question.
  expect(storedTask(task).isRecorded).toBe(true);
  for (const id of jobs.keys()) jobs.set(id, "done");
  await pass();
  expect(removalQuestion(task)).toBeUndefined();
  expect(removalQuestion(await addedTask())).toBeUndefined();
});

test("options of one account are not those of the next one in the same browser", async () => {
  const chosen = { callback: true, callback_config: { url: "http://host/of-main" } };
  rememberOptions(chosen);
  account.value = { kind: "in", account: { name: "other", limits: {} } as never };
  expect(options.value).toEqual({});
  addFiles([new File(["film"], "of-other.wav")]);
  expect(tasks.value.at(-1)?.options).toEqual({});
  await pass();
  account.value = { kind: "in", account: { name: "main", limits: {} } as never };
  expect(options.value).toEqual(chosen);
  rememberOptions({});
});

/** Signs in to a new account, and adds its files. */
function addedFiles(count: number, name: string) {
  account.value = { kind: "in", account: { name, limits: {} } as never };
  addFiles(Array.from({ length: count }, (_, at) => new File(["voice"], `${name}-${at}.wav`)));
  return tasks.value;
}
const statesOf = (list: typeof tasks.value) => [...new Set(list.map(({ state }) => state.value.kind))];

test("files wait while the service does not answer, and are sent when it answers again", async () => {
  isCut = true;
  const added = addedFiles(10, "cut");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(statesOf(added)).toEqual(["waiting"]);
  expect(added.map(({ state }) => stateText(state.value))).toContain(
    "Waiting: The connection broke while the file was sent",
  );
  isCut = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(statesOf(added)).toEqual(["working"]);
});

test("a file whose connection is cut each time fails, and one click sends all of them again", async () => {
  isEachCut = true;
  const added = addedFiles(5, "each");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(statesOf(added)).toEqual(["failed"]);
  isEachCut = false;
  retryAll();
  await pass();
  expect(statesOf(added)).toEqual(["working"]);
});

test("a file that waits for a place in the queue of the account shows the reason", async () => {
  isFull = true;
  const [task] = addedFiles(1, "full");
  await pass();
  expect(task && stateText(task.state.value)).toBe("Waiting: The queue is full");
  isFull = false;
  await pass();
  expect(task?.state.value.kind).toBe("working");
});

test("files that a page left behind are those of their account, however old they are", () => {
  const old = { account: "main", at: Date.now() - 30 * 24 * 3_600_000 };
  expect([fateOf(old, "main"), fateOf(old, "other")]).toEqual(["take", "remove"]);
  expect(fateOf({ ...old, at: Date.now() }, "other")).toBe("leave");
});

test("a preset that the browser cannot store is there until the page is closed", () => {
  account.value = { kind: "in", account: { name: "main", limits: {} } as never };
  keepPreset("Interviews", { diarization: true });
  expect(presets.value).toEqual({ Interviews: { diarization: true } });
  expect(presetOf({ diarization: true })).toBe("Interviews");
});

test("the question before a sign-out counts the files that the browser keeps and that can be sent", () => {
  const place = { key: "key", account: "main", name: "a.wav", options: {} };
  const stored = { ...place, source: new File(["voice"], "a.wav") };
  const refused = { ...stored, refusal: "The file is empty" };
  expect([stored, { ...refused, isFinal: false }].map((one) => isSentLater(taskOf(one, true)))).toEqual([true, true]);
  expect(isSentLater(taskOf({ ...refused, isFinal: true }, true))).toBe(false);
  expect(isSentLater(taskOf(stored, false))).toBe(false);
  expect(isSentLater(taskOf({ ...place, source: "http://host/a.wav" }, true))).toBe(false);
});

/** Files that the browser reads for their length, by address. */
const measured = new Map<string, File>();
let mostAtOnce = 0;
/** Reads the length of a file in half a second, and never that of a file named "stuck". */
class Media {
  duration = 200;
  onloadedmetadata: (() => void) | null = null;
  load(): void {}
  removeAttribute(): void {}
  set src(address: string) {
    if (!measured.get(address)?.name.startsWith("stuck")) setTimeout(() => this.onloadedmetadata?.(), 500);
  }
}

/** Lets the page read lengths until the returned function is called. */
function readLengths(): () => void {
  const address = vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    const made = `blob:${address.mock.calls.length}`;
    measured.set(made, file as File);
    mostAtOnce = Math.max(mostAtOnce, measured.size);
    return made;
  });
  const release = vi.spyOn(URL, "revokeObjectURL").mockImplementation((one) => void measured.delete(one));
  vi.stubGlobal("Audio", Media);
  return () => {
    vi.stubGlobal("Audio", undefined);
    for (const spy of [address, release]) spy.mockRestore();
  };
}

test("size and options of a file are shown at once, and its length when it is read, which delays no upload", async () => {
  const end = readLengths();
  const before = uploads;
  rememberOptions({
    language_config: { languages: ["de"] },
    diarization: true,
    diarization_config: {},
    numerals: false,
  });
  addFiles([new File([new Uint8Array(12_000)], "a.wav")]);
  const task = tasks.value.at(-1);
  if (!task) throw new Error("the file is no task");
  expect(factsOf(task)).toBe("12 kB, German, Speakers, Numbers in digits: off");
  await vi.advanceTimersByTimeAsync(0);
  expect(uploads).toBe(before + 1);
  await vi.advanceTimersByTimeAsync(500);
  expect(factsOf(task)).toBe("12 kB, 03:20, German, Speakers, Numbers in digits: off");
  end();
  rememberOptions({});
  addFiles([new File([new Uint8Array(3_400_000)], "b.wav")]);
  expect(tasks.value.slice(-1).map(factsOf)).toEqual(["3 MB, Standard options"]);
  await pass();
});

test("files that wait to be sent show their length, large and refused ones too; a few are read at once, each for a second at most", async () => {
  const end = readLengths();
  mostAtOnce = 0;
  held = [];
  account.value = { kind: "in", account: { name: "long", limits: { upload_bytes: 3_000_000_000 } } as never };
  const names = ["a", "b", "stuck-1", "c", "stuck-2", "d", "e", "large", "refused", "removed"];
  const sizes: Record<string, number> = { large: 2_000_000_000, refused: 4_000_000_000 };
  const files = names.map((name) => {
    const file = new File(["voice"], `${name}.wav`);
    return Object.defineProperty(file, "size", { value: sizes[name] ?? file.size });
  });
  addFiles(files);
  const added = tasks.value;
  const [large, removed] = [7, 9].map((at) => added[at]);
  if (!large || !removed) throw new Error("the files are no tasks");
  await cancel(removed);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(statesOf(added.slice(3, 8))).toEqual(["waiting"]);
  expect(added.map(({ seconds }) => seconds.value)).toEqual(
    names.map((name) => (/stuck|removed/.test(name) ? undefined : 200)),
  );
  expect([mostAtOnce, measured.size]).toEqual([3, 0]);
  end();
  // Its upload has several requests.
  await cancel(large);
  const waiting = held;
  held = undefined;
  for (const upload of waiting) upload.onload();
  await pass();
  expect(statesOf(tasks.value)).toEqual(["working", "failed"]);
});

test("a file that is larger than the limit of the account is refused before it is sent", async () => {
  account.value = { kind: "in", account: { name: "small", limits: { upload_bytes: 2_000_000 } } as never };
  const [before, failed]: [number, string[]] = [uploads, []];
  whenUploadFails(({ name }) => failed.push(name));
  addFiles([new File([new Uint8Array(2_000_001)], "large.wav"), new File([new Uint8Array(2_000_000)], "small.wav")]);
  const [large, small] = tasks.value;
  const message = "The file is larger than the 2 MB allowed";
  expect(large?.state.value).toEqual({ kind: "failed", message, isFinal: true });
  await pass();
  expect(small?.state.value.kind).toBe("working");
  expect([uploads, failed]).toEqual([before + 1, ["large.wav"]]);
});

test("a file that the browser had no room to keep is requested by its name, and continues where it was", async () => {
  account.value = { kind: "in", account: { name: "no-room", limits: {} } as never };
  const failed: string[] = [];
  whenUploadFails(({ name }) => failed.push(name));
  const film = new File([new Uint8Array(12_000)], "film.wav", { lastModified: 5 });
  // What the page before could store: all but the file.
  const named = taskOf({ key: "n", account: "no-room", name: "film.wav", source: film, options: {} }, false);
  const entry = storedTask({ ...named, kept: { kind: "mark", mark: { size: 12_000, lastModified: 5 } } });
  expect(entry).toMatchObject({ name: "film.wav", wanted: { size: 12_000, lastModified: 5 } });
  expect(entry).not.toHaveProperty("source");
  const stored = { key: "n", account: "no-room", name: "film.wav", options: {}, page: "p", at: 0 };
  const left = { ...stored, wanted: { size: 12_000, lastModified: 5 }, unfinished: "/v2/upload/resumable/1" };
  restore([left]);
  const [task] = tasks.value;
  if (!task) throw new Error("the file is no task");
  const before = uploads;
  retryAll();
  await pass();
  expect([task.state.value.kind, uploads, failed, factsOf(task)]).toEqual([
    "failed",
    before,
    ["film.wav"],
    "12 kB, Standard options",
  ]);
  expect(storedTask(task)).toMatchObject({ wanted: left.wanted, unfinished: left.unfinished });
  expect(giveFile(task, new File(["voice"], "other.wav"))).toBe(false);
  expect(task.state.value.kind).toBe("failed");
  // Chosen in any way: a drop continues the task, too.
  held = [];
  addFiles([film]);
  expect([tasks.value.length, task.source, task.unfinished]).toEqual([1, film, left.unfinished]);
  held = undefined;
  await cancel(task);
});

test("a file of the same name that was changed meanwhile is sent from its beginning", async () => {
  account.value = { kind: "in", account: { name: "changed", limits: {} } as never };
  const stored = { key: "c", account: "changed", name: "film.wav", options: {}, page: "p", at: 0 };
  restore([{ ...stored, wanted: { size: 9, lastModified: 5 }, unfinished: "/v2/upload/resumable/1" }]);
  const [task] = tasks.value;
  if (!task) throw new Error("the file is no task");
  expect(giveFile(task, new File([new Uint8Array(12_000)], "film.wav", { lastModified: 6 }))).toBe(true);
  expect(task.unfinished).toBeUndefined();
  await pass();
  expect(task.state.value.kind).toBe("working");
});

test("a file that a person has to choose again leaves the list after a question, and its upload is deleted", async () => {
  account.value = { kind: "in", account: { name: "cleared", limits: {} } as never };
  const stored = { key: "d", account: "cleared", name: "film.wav", options: {}, page: "p", at: 0 };
  restore([{ ...stored, wanted: { size: 9, lastModified: 5 }, unfinished: "/v2/upload/resumable/cleared" }]);
  const [task] = tasks.value;
  expect(task && isUnsent(task)).toBe(true);
  dropEnded(false);
  expect(tasks.value).toEqual([task]);
  dropEnded(true);
  expect([tasks.value, dropped.at(-1)]).toEqual([[], "/v2/upload/resumable/cleared"]);
  // The file itself is in another place.
  expect(task && removalQuestion(task)).toBeUndefined();
});

const UNKNOWN_FILE = "audio_url names an uploaded file that does not exist; upload it again";

test("a file whose job failed after a reload, and which the service has removed, is requested by its name and sent again", async () => {
  account.value = { kind: "in", account: { name: "reloaded", limits: {} } as never };
  const film = new File([new Uint8Array(12_000)], "film.wav", { lastModified: 5 });
  addFiles([film]);
  const [first] = tasks.value;
  await pass();
  if (first?.state.value.kind !== "working") throw new Error("the file has no job");
  // What the next page finds.
  const entry = storedTask(first);
  await cancel(first);
  expect(entry).toMatchObject({ wanted: { size: 12_000, lastModified: 5 }, sent: UPLOAD.audio_url });
  expect(entry).not.toHaveProperty("source");
  jobs.set("removed", "error");
  restore([{ ...entry, page: "p", at: 0, job: "removed" }]);
  const [task] = tasks.value;
  if (!task) throw new Error("the file is no task");
  await pass();
  expect([task.state.value, wantedFile(task)]).toMatchObject([{ kind: "failed", isFinal: false }, undefined]);
  // A refusal of the options requests no file.
  refusal = "model names no model";
  retry(task);
  await pass();
  // The forms of messages are loaded with the first of them.
  await vi.dynamicImportSettled();
  expect([task.state.value.kind, wantedFile(task)]).toEqual(["failed", undefined]);
  refusal = UNKNOWN_FILE;
  retry(task);
  await pass();
  await vi.dynamicImportSettled();
  expect(task.state.value).toMatchObject({ kind: "failed", message: UNKNOWN_FILE, isFinal: false });
  expect(wantedFile(task)).toEqual({ size: 12_000, lastModified: 5 });
  // After another reload, too.
  const left = storedTask(task);
  expect(taskOf(left, true)).toMatchObject({ kept: task.kept, refusal: UNKNOWN_FILE });
  refusal = undefined;
  const before = uploads;
  expect(giveFile(task, film)).toBe(true);
  await pass();
  expect([task.state.value.kind, uploads]).toEqual(["working", before + 1]);
  await cancel(task);
});

test("a file that this page has is sent again where the service has removed it", async () => {
  account.value = { kind: "in", account: { name: "removed", limits: {} } as never };
  addFiles([new File([new Uint8Array(12_000)], "film.wav")]);
  const [task] = tasks.value;
  if (!task) throw new Error("the file is no task");
  await pass();
  for (const id of jobs.keys()) jobs.set(id, "error");
  await pass();
  const before = uploads;
  refusal = UNKNOWN_FILE;
  held = [];
  retry(task);
  await pass();
  refusal = undefined;
  const sent = held;
  held = undefined;
  for (const upload of sent) upload.onload();
  await pass();
  expect([task.state.value.kind, uploads]).toEqual(["working", before + 1]);
  await cancel(task);
});
