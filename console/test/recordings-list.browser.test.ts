// The list of recordings: several are selected, exported as one zip file, and deleted; tags are added, filtered by, and removed.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { strFromU8, unzipSync } from "fflate";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHROMIUM, launch, openConsole, overflowOf, pageAt, violationsOf } from "../../test/fixtures/browser.ts";
import { silence, wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech } from "../../test/fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../../test/service.ts";

const PICTURES = process.env["SCREENSHOTS_DIR"];

describe.skipIf(!CHROMIUM)("several recordings (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  /** Two with equal names, one in another script, one without words. */
  const ids: string[] = [];

  beforeAll(async () => {
    service = await startService();
    await ready(service);
    const speech = wav([await decodeSpeech()]);
    for (const name of ["Council/Budget", "council/budget", "会議の録音"]) {
      const id = await submit(service, speech);
      ids.push(id);
      await call(service, "PATCH", `/v2/transcription/${id}`, { body: { name } });
    }
    const silent = await submit(service, wav([silence(2)]));
    ids.push(silent);
    await call(service, "PATCH", `/v2/transcription/${silent}`, { body: { name: "Silence" } });
    for (const id of ids) await finished(service, id);
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });
  beforeEach(async () => {
    await context?.close();
    ({ context, page, complaints } = await openConsole(browser, service.base, {}, "/jobs"));
    await page.getByRole("checkbox", { name: "Choose Silence" }).waitFor();
  });

  const box = (name: string) => page.getByRole("checkbox", { name, exact: true });
  const all = () => box("All on this page");
  const dialog = () => page.getByRole("dialog");
  const download = async () => {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      dialog().getByRole("button", { name: "Download zip file" }).click(),
    ]);
    const content = unzipSync(await readFile(await file.path()));
    return { name: file.suggestedFilename(), content };
  };

  test("a box selects all that are shown, a button clears the selection, and the number is announced", async () => {
    const count = page.locator(".toolbar [role=status]");
    const isMixed = () => all().evaluate((input) => (input as unknown as { indeterminate: boolean }).indeterminate);
    await box("Choose Silence").focus();
    await page.keyboard.press("Space");
    await expect.poll(() => count.textContent()).toBe("1 chosen");
    expect([await isMixed(), await all().isChecked()]).toEqual([true, false]);
    await all().check();
    await expect.poll(() => count.textContent()).toBe("4 chosen");
    expect(await isMixed()).toBe(false);
    await page.getByRole("button", { name: "Clear the selection" }).click();
    await expect.poll(() => count.textContent()).toBe("");
    expect(await page.getByRole("button", { name: "Export" }).isDisabled()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
  });

  test("one zip file has the transcript of each, with the choices of the dialog, and names those that it lacks", async () => {
    await all().check();
    await page.getByRole("button", { name: "Export" }).click();
    await dialog().getByRole("heading", { name: "Export 4 recordings" }).waitFor();
    await dialog().getByLabel("Format").selectOption("vtt");
    await dialog().getByLabel("Characters in a row").fill("20");
    const { name, content } = await download();
    expect(name).toMatch(/^transcripts-\d{4}-\d\d-\d\d\.zip$/);
    expect(Object.keys(content).sort()).toEqual(
      ["Council-Budget (2).vtt", "council-budget.vtt", "会議の録音.vtt"].sort(),
    );
    const [first] = ids;
    const written = await fetch(
      `${service.base}/v2/transcription/${first}/transcript?format=vtt&maximum_characters_per_row=20`,
      { headers: { cookie: (await context.cookies()).map((one) => `${one.name}=${one.value}`).join("; ") } },
    );
    expect(strFromU8(content["会議の録音.vtt"] ?? new Uint8Array())).toBe(await written.text());
    await dialog().getByText("The zip file has 3 transcripts.").waitFor();
    await dialog().getByText("1 recording is not in the zip file:").waitFor();
    await dialog().getByRole("listitem").filter({ hasText: "Silence" }).getByText("It has no words.").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    // The choices are those of the page of a transcript.
    await page.goto(`${service.base}/jobs/${first}`);
    await page.getByRole("button", { name: "Export" }).click();
    expect(await dialog().getByLabel("Format").inputValue()).toBe("vtt");
    expect(complaints).toEqual([]);
  });

  test("a recording that was deleted meanwhile is named, and the others are exported", async () => {
    const gone = await submit(service, wav([await decodeSpeech()]));
    await call(service, "PATCH", `/v2/transcription/${gone}`, { body: { name: "Gone" } });
    await finished(service, gone);
    // The list shows the recording as finished: the dialog exports what the list shows.
    await page.reload();
    await box("Choose Gone").check();
    await box("Choose 会議の録音").check();
    await page.getByRole("button", { name: "Export" }).click();
    await dialog().getByLabel("Format").selectOption("txt");
    await call(service, "DELETE", `/v2/transcription/${gone}`);
    const { content } = await download();
    expect(Object.keys(content)).toEqual(["会議の録音.txt"]);
    await dialog()
      .getByRole("listitem")
      .filter({ hasText: "Gone" })
      .getByText(/not found|no such/i)
      .waitFor();
  });

  test("without a connection, the dialog says so and downloads nothing", async () => {
    await box("Choose 会議の録音").check();
    await page.getByRole("button", { name: "Export" }).click();
    await page.route("**/transcript?*", (route) => route.abort("connectionreset"));
    await dialog().getByRole("button", { name: "Download zip file" }).click();
    await dialog().getByRole("alert").waitFor();
    expect(
      await dialog()
        .getByText(/The zip file has/)
        .count(),
    ).toBe(0);
    await page.unroute("**/transcript?*");
    expect(Object.keys((await download()).content)).toHaveLength(1);
    expect(await dialog().getByRole("alert").count()).toBe(0);
  });

  test("a tag is typed with suggestions of the account, leads to the list of those that have it, and is removed", async () => {
    await call(service, "PATCH", `/v2/transcription/${ids[2]}`, { body: { tags: [] } });
    await call(service, "PATCH", `/v2/transcription/${ids[3]}`, { body: { tags: ["Board"] } });
    const entry = (name: string) => page.locator(".entry").filter({ hasText: name });
    const field = () => page.getByRole("combobox", { name: "New tag" });
    await entry("会議の録音").getByRole("button", { name: "+ Tag · 会議の録音" }).click();
    await expect.poll(() => field().evaluate((input) => input === document.activeElement)).toBe(true);
    await expect
      .poll(() =>
        field().evaluate((input) => [...((input as HTMLInputElement).list?.options ?? [])].map((one) => one.value)),
      )
      .toEqual(["Board"]);
    // Typed text survives a reload.
    await field().fill("budget, 予算");
    await page.reload();
    await expect.poll(() => field().inputValue()).toBe("budget, 予算");
    await field().press("Enter");
    await page.getByRole("button", { name: "Remove 予算" }).waitFor();
    await expect.poll(() => field().inputValue()).toBe("");
    await field().fill("BOARD");
    await field().press("Enter");
    await page.getByRole("button", { name: "Remove BOARD" }).waitFor();
    await field().press("Escape");
    await expect
      .poll(() =>
        page.getByRole("button", { name: "+ Tag · 会議の録音" }).evaluate((one) => one === document.activeElement),
      )
      .toBe(true);
    // A click on a tag filters the list, without regard to case. The page names the filter and removes it.
    await entry("会議の録音").getByRole("link", { name: "BOARD" }).click();
    await page.waitForURL(/tag=BOARD/);
    await expect.poll(() => page.locator(".entry").count()).toBe(2);
    await page.getByRole("searchbox").fill("hello");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect.poll(() => page.locator(".entry").count()).toBe(1);
    expect(new URL(page.url()).searchParams.get("tag")).toBe("BOARD");
    await page.getByRole("searchbox").fill("");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByRole("search").getByRole("button", { name: "Remove BOARD" }).click();
    await expect.poll(() => page.locator(".entry").count()).toBe(4);
    await page.getByRole("searchbox").fill("予算");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect.poll(() => page.locator(".entry").count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
    // The page of the transcript has the same tags.
    await page.getByRole("link", { name: "会議の録音" }).click();
    await page.getByRole("button", { name: "+ Tag · 会議の録音" }).click();
    // A change waits for those before it.
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**/v2/transcription/${ids[2]}`, async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole("button", { name: "Remove budget" }).click();
    // Keys of the page have no effect on typed text.
    await field().fill("j space?");
    await field().press("Enter");
    release();
    await page.getByRole("button", { name: "Remove budget" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove 予算" }).waitFor();
    await page.getByRole("button", { name: "Remove j space?" }).waitFor();
    expect((await call(service, "GET", `/v2/transcription/${ids[2]}`)).json.tags).toEqual([
      "予算",
      "BOARD",
      "j space?",
    ]);
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("link", { name: "予算" }).click();
    await page.waitForURL(/jobs\?tag=/);
    await expect.poll(() => page.locator(".entry").count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("the list and its dialog fit a phone, in both colours", async () => {
    for (const [width, colours] of [
      [390, "light"],
      [390, "dark"],
      [1440, "light"],
      [1440, "dark"],
    ] as const) {
      const other = await pageAt(browser, context, width, colours);
      await other.goto(`${service.base}/jobs`);
      await other.getByLabel("All on this page").check();
      await other.getByText("4 chosen").waitFor();
      expect(await overflowOf(other)).toBe(0);
      if (PICTURES) await other.screenshot({ path: path.join(PICTURES, `list-${width}-${colours}.png`) });
      await other.getByRole("button", { name: "Export" }).click();
      await other.getByRole("dialog").getByLabel("Format").selectOption("txt");
      await other.getByRole("dialog").getByRole("button", { name: "Download zip file" }).click();
      await other.getByText("The zip file has 3 transcripts.").waitFor();
      expect(await overflowOf(other)).toBe(0);
      if (PICTURES) await other.screenshot({ path: path.join(PICTURES, `export-${width}-${colours}.png`) });
      expect(await violationsOf(other)).toEqual([]);
      await other.context().close();
    }
  });

  test("one question deletes several, and what could not be deleted is named", async () => {
    const questions: string[] = [];
    page.on("dialog", (question) => {
      questions.push(question.message());
      void question.accept();
    });
    await page.route(`**/v2/transcription/${ids[3]}?cancel=true`, (route) =>
      route.fulfill({ status: 503, json: { statusCode: 503, message: "Try again in a moment" } }),
    );
    await box("Choose Silence").check();
    await box("Choose Council/Budget").check();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("Silence: Try again in a moment").waitFor();
    await expect.poll(() => page.locator(".entry").count()).toBe(3);
    expect(questions).toEqual(["Delete 2 recordings with audio and transcript?"]);
    expect((await call(service, "GET", `/v2/transcription/${ids[0]}`)).status).toBe(404);
    expect((await call(service, "GET", `/v2/transcription/${ids[3]}`)).status).toBe(200);
  });
});
