// Corrections that teach in a real browser, against the real service: the offer after the second correction, the places in other transcripts,
// their correction and its undoing, the vocabulary in Setup, and vocabulary lists.
import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHROMIUM, launch, openConsole, overflowOf, pageAt, violationsOf } from "../../test/fixtures/browser.ts";
import { wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../../test/fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../../test/service.ts";

const SHOTS = process.env["EDITOR_SHOTS_DIR"];
/** "Vercel", as the model writes it. */
const NAME = /ver[sc]\w*/i;

describe.skipIf(!CHROMIUM)("corrections that teach (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let jobs: string[];
  let name: string;

  beforeAll(async () => {
    service = await startService();
    await ready(service);
    const sound = wav([repeated(await decodeSpeech(), 3, 2)]);
    jobs = [];
    for (let count = 0; count < 3; count++) jobs.push(await submit(service, sound));
    for (const id of jobs) await finished(service, id);
    name = NAME.exec(await textOf(jobs[0] as string))?.[0] ?? "";
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });
  beforeEach(async () => {
    await context?.close();
    ({ context, page, complaints } = await openConsole(browser, service.base));
  });

  const textOf = async (id: string) =>
    (await call(service, "GET", `/v2/transcription/${id}/transcript?format=txt`)).text;
  const count = async (id: string, word: string) => (await textOf(id)).split(word).length - 1;
  const shot = async (one: Page, file: string) => {
    if (!SHOTS) return;
    mkdirSync(SHOTS, { recursive: true });
    await one.screenshot({ path: path.join(SHOTS, `teaching-${file}.png`) });
  };
  const open = async (id: string, one = page) => {
    await one.goto(`${service.base}/jobs/${id}`);
    await one.locator(".word").first().waitFor();
  };
  const expectAccessible = async () => {
    expect(complaints).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    // axe styles elements, which the content security policy of the page refuses.
    complaints.length = 0;
  };
  /** Types another word in place of the name, in the first paragraph that still has it. */
  const retype = async (id: string, word: string) => {
    const before = await count(id, word);
    const found = page.locator(".word", { hasText: NAME }).first();
    await found.dblclick();
    await page.keyboard.type(word);
    await expect.poll(() => count(id, word)).toBe(before + 1);
  };
  const firstPlace = (on: Page) =>
    on
      .getByRole("dialog")
      .getByRole("checkbox", { name: /^Correct / })
      .first();
  /** Opens the places of the first correction in Setup. */
  const openPlaces = async (one: Page) => {
    await one.getByRole("button", { name: "Show other places" }).first().click();
    await firstPlace(one).waitFor();
  };
  const offer = (one = page) => one.getByRole("group", { name: "Repeated correction" });

  test("the second correction of a word is offered: for the vocabulary, and for other places, which are shown, corrected and undone", async () => {
    const [first, second] = jobs as [string, string];
    await open(first);
    await retype(first, "Vorsal");
    await retype(first, "Vorsal");
    await offer().waitFor();
    expect(await offer().innerText()).toContain(`“${name}” was corrected to “Vorsal” in 2 places.`);
    await shot(page, "offer-desktop");
    await expectAccessible();
    await offer().getByRole("button", { name: "Add to vocabulary" }).click();
    await page.getByText("“Vorsal” is in the vocabulary. New recordings use it.").waitFor();
    expect(await offer().getByRole("button", { name: "Add to vocabulary" }).count()).toBe(0);
    const { items } = (await call(service, "GET", "/v2/vocabulary")).json;
    expect(items).toMatchObject([{ value: "Vorsal", pronunciations: [name] }]);

    await offer().getByRole("button", { name: "Show 7 other places" }).click();
    const dialog = page.getByRole("dialog", { name: "Correct other places" });
    await firstPlace(page).waitFor();
    const rows = dialog.getByRole("listitem");
    expect(await rows.count()).toBe(7);
    expect(await rows.first().locator("del").innerText()).toMatch(NAME);
    expect(await rows.first().locator("ins").innerText()).toContain("Vorsal");
    await shot(page, "places-desktop");
    await expectAccessible();

    // A stretch of the recording is played.
    const played = page.waitForResponse((response) => response.url().includes("/file"));
    await dialog
      .getByRole("button", { name: /^Play / })
      .first()
      .click();
    expect((await played).status()).toBeLessThan(300);

    // Another client corrects one of the places while the dialog is open.
    const { utterances } = (await call(service, "GET", `/v2/transcription/${second}`)).json.result.transcription;
    const body = { utterances: [{ index: 0, text: utterances[0].text.replace(NAME, "Versailles") }] };
    await call(service, "PATCH", `/v2/transcription/${second}/transcript`, { body });
    // One place is left out.
    await rows.first().getByRole("checkbox").uncheck();
    await dialog.getByRole("button", { name: "Correct 6 places" }).click();
    await dialog.getByText("5 places are corrected.").waitFor();
    await dialog.getByText("1 place reads otherwise by now and was left as it is.").waitFor();
    expect([await count(first, "Vorsal"), await count(second, "Vorsal"), await count(second, "Versailles")]).toEqual([
      3, 2, 1,
    ]);
    await shot(page, "outcome-desktop");
    await dialog.getByRole("button", { name: "Undo" }).click();
    await dialog.getByText("The corrections are undone.").waitFor();
    expect([await count(first, "Vorsal"), await count(second, "Vorsal")]).toEqual([2, 0]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await offer().waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  test("on a phone and in a wide window nothing is wider than the window, in light and dark", async () => {
    for (const [width, colours] of [
      [390, "dark"],
      [1440, "light"],
    ] as const) {
      const one = await pageAt(browser, context, width, colours);
      await one.goto(`${service.base}/setup/account`);
      await one.getByRole("button", { name: "Show other places" }).first().waitFor();
      await one.getByRole("region", { name: "Vocabulary", exact: true }).scrollIntoViewIfNeeded();
      await shot(one, `setup-${width}-${colours}`);
      expect(await overflowOf(one)).toBeLessThanOrEqual(0);
      await openPlaces(one);
      await shot(one, `places-${width}-${colours}`);
      expect(await violationsOf(one)).toEqual([]);
      expect(await overflowOf(one)).toBeLessThanOrEqual(0);
      await one.context().close();
    }
  });

  test("two windows correct the same places: the second one reports those that read otherwise by now", async () => {
    await page.goto(`${service.base}/setup/account`);
    const other = await context.newPage();
    await other.goto(`${service.base}/setup/account`);
    for (const one of [page, other]) await openPlaces(one);
    for (const one of [page, other])
      await one
        .getByRole("dialog")
        .getByRole("button", { name: /^Correct \d+ places$/ })
        .click();
    await page
      .getByRole("dialog")
      .getByText(/^\d+ places are corrected\.$/)
      .waitFor();
    await other.getByRole("dialog").getByText("0 places are corrected.").waitFor();
    await other
      .getByRole("dialog")
      .getByText(/\d+ places read otherwise by now/)
      .waitFor();
    expect(complaints).toEqual([]);
  });

  test("Setup has the vocabulary and the repeated corrections; a dismissed one is gone until it is taken back", async () => {
    await page.goto(`${service.base}/setup/account`);
    const section = page.getByRole("region", { name: "Vocabulary", exact: true });
    await section.getByText("was corrected to “Vorsal”").waitFor();
    await section.getByText(`recognised as “${name}”`).waitFor();
    // A removed word is offered again at once.
    const row = section.getByRole("listitem").filter({ hasText: "was corrected to “Vorsal”" });
    await row.getByText("In the vocabulary").waitFor();
    await section.getByRole("button", { name: "Remove Vorsal" }).click();
    await row.getByRole("button", { name: "Add to vocabulary" }).click();
    await row.getByText("In the vocabulary").waitFor();
    await section.getByLabel("A name or term").fill("n8n");
    await section.getByRole("button", { name: "Add", exact: true }).click();
    await section.getByRole("button", { name: "Remove n8n" }).waitFor();
    await section.getByRole("button", { name: "Remove n8n" }).click();
    await section.getByRole("button", { name: "Remove n8n" }).waitFor({ state: "detached" });
    await section
      .getByRole("button", { name: /^Dismiss the correction of / })
      .first()
      .click();
    await section.getByText("was corrected to “Vorsal”").waitFor({ state: "detached" });
    await section.getByLabel("Show dismissed ones").check();
    await section.getByText("was corrected to “Vorsal”").waitFor();
    await section.getByRole("button", { name: /^Take back/ }).click();
    await section.getByLabel("Show dismissed ones").uncheck();
    await section.getByText("was corrected to “Vorsal”").waitFor();
    await section.getByLabel("Use it for new recordings and live sessions").uncheck();
    await expect.poll(async () => (await call(service, "GET", "/v2/vocabulary")).json.enabled).toBe(false);
    await expectAccessible();
    await section.scrollIntoViewIfNeeded();
    await shot(page, "setup-desktop");
    expect(complaints).toEqual([]);
  });

  test("vocabulary lists are made, edited and deleted in Setup, and chosen by name for recordings and live captions", async () => {
    await page.goto(`${service.base}/setup/account`);
    const section = page.getByRole("region", { name: "Vocabulary lists" });
    await section.getByText("There is no list yet.").waitFor();
    const make = async (title: string, lines: string) => {
      await section.getByRole("button", { name: "New list" }).click();
      const form = section.getByRole("form", { name: "New list" });
      await form.getByLabel("Name of the list").fill(title);
      await form.getByLabel("Names and terms").fill(lines);
      await shot(page, "list-form-desktop");
      await form.getByRole("button", { name: "Save" }).click();
    };
    await make("Products", "n8n: ate n, eight n\n\nKubernetes");
    await section.getByText("2 words").waitFor();
    const { items } = (await call(service, "GET", "/v2/vocabulary-lists")).json;
    const route = `/v2/vocabulary-lists/${items[0].id}`;
    const wordsNow = async () => (await call(service, "GET", route)).json.words;
    expect(await wordsNow()).toEqual([{ value: "n8n", pronunciations: ["ate n", "eight n"] }, { value: "Kubernetes" }]);

    // Language and intensity are kept. A second list with the same name is refused, and the typed text stays.
    const words = [
      { value: "n8n", intensity: 0.75 },
      { value: "Kubernetes", language: "en" },
    ];
    await call(service, "PATCH", route, { body: { words } });
    await make("Products", "Acme");
    await page.getByText("There is a vocabulary list named Products already").waitFor();
    expect(complaints.splice(0)).toEqual([expect.stringContaining("409")]);
    const form = section.getByRole("form", { name: "New list" });
    await form.getByLabel("Name of the list").fill("Places");
    await form.getByRole("button", { name: "Save" }).click();
    await section.getByText("1 word", { exact: true }).waitFor();
    await section.getByRole("button", { name: "Edit the list Products" }).click();
    const edit = section.getByRole("form", { name: "Edit the list Products" });
    await edit.getByLabel("Names and terms").fill("n8n\nKubernetes: Kubernets\nVercel");
    await edit.getByLabel("Name of the list").fill("Brands");
    await expectAccessible();
    await edit.getByRole("button", { name: "Save" }).click();
    await section.getByRole("button", { name: "Edit the list Brands" }).waitFor();
    expect(await wordsNow()).toEqual([
      { value: "n8n", intensity: 0.75 },
      { value: "Kubernetes", language: "en", pronunciations: ["Kubernets"] },
      { value: "Vercel" },
    ]);
    await section.scrollIntoViewIfNeeded();
    await shot(page, "lists-desktop");

    await page.goto(`${service.base}/`);
    await page.getByLabel("Vocabulary lists").selectOption("Brands");
    await page.getByRole("button", { name: "Remove Brands" }).waitFor();
    await shot(page, "lists-options");
    const [answer] = await Promise.all([
      page.waitForResponse((one) => one.url().endsWith("/v2/pre-recorded") && one.request().method() === "POST"),
      page
        .locator('input[name="files"]')
        .setInputFiles({ name: "hello.wav", mimeType: "audio/wav", buffer: wav([await decodeSpeech()]) }),
    ]);
    const { id } = await answer.json();
    const { request_params } = (await call(service, "GET", `/v2/transcription/${id}`)).json;
    const lists = (await call(service, "GET", "/v2/vocabulary-lists")).json.items;
    const brands = lists.find((list: { name: string }) => list.name === "Brands");
    expect(request_params.vocabulary_lists).toEqual([brands.id]);
    expect(request_params.account_words).toContainEqual({ value: "n8n", intensity: 0.75 });
    // The chosen list keeps its place under a new name.
    await call(service, "PATCH", `/v2/vocabulary-lists/${brands.id}`, { body: { name: "Marques" } });
    await page.reload();
    await page.getByRole("button", { name: "Remove Marques" }).waitFor();
    await page.goto(`${service.base}/live`);
    await page.getByRole("button", { name: "Options" }).click();
    await page.getByLabel("Vocabulary lists").selectOption("Places");
    await page.getByRole("button", { name: "Remove Places" }).waitFor();
    await shot(page, "lists-live");
    await expectAccessible();

    for (const width of [390, 1440]) {
      const one = await pageAt(browser, context, width, width === 390 ? "dark" : "light");
      await one.goto(`${service.base}/setup/account`);
      const narrow = one.getByRole("region", { name: "Vocabulary lists" });
      await narrow.getByRole("button", { name: "Edit the list Places" }).click();
      await narrow.getByLabel("Names and terms").waitFor();
      await narrow.scrollIntoViewIfNeeded();
      await shot(one, `lists-${width}`);
      expect(await overflowOf(one)).toBeLessThanOrEqual(0);
      expect(await violationsOf(one)).toEqual([]);
      await one.context().close();
    }

    await page.goto(`${service.base}/setup/account`);
    page.once("dialog", (question) => {
      expect(question.message()).toContain("Delete the list Places?");
      void question.accept();
    });
    await section.getByRole("button", { name: "Delete the list Places" }).click();
    await section.getByRole("button", { name: "Delete the list Places" }).waitFor({ state: "detached" });
    await expect.poll(async () => (await call(service, "GET", "/v2/vocabulary-lists")).json.items.length).toBe(1);
  });

  const marked = (one: Page, text: RegExp) => one.locator(".word[class*=noted]", { hasText: text });

  test("selected words are highlighted and get notes, which another window shows; they are changed, exported and deleted", async () => {
    const id = jobs[2] as string;
    await open(id);
    const other = await context.newPage();
    await open(id, other);
    const bar = page.getByRole("form", { name: "Selected words" });
    await page.locator(".word", { hasText: /hello/i }).first().dblclick();
    await bar.getByRole("button", { name: "Highlight" }).click();
    await marked(page, /hello/i).first().waitFor();
    await marked(other, /hello/i).first().waitFor();

    await page.locator(".word", { hasText: /from/i }).first().dblclick();
    await bar.getByRole("button", { name: "Note…" }).click();
    const dialog = page.getByRole("dialog", { name: "New note" });
    await dialog.getByLabel("Note").fill("Who says this?");
    await dialog.getByLabel("Green").check();
    await shot(page, "note-dialog-desktop");
    await expectAccessible();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("The note is saved").waitFor();
    await page.locator(".word.noted-green").waitFor();

    await page.getByRole("tab", { name: "Notes" }).click();
    const panel = page.getByRole("tabpanel", { name: "Notes" });
    await panel.getByText("Who says this?").waitFor();
    await shot(page, "notes-desktop");
    await expectAccessible();
    await panel.getByRole("button", { name: "Change the note on from" }).click();
    const change = page.getByRole("dialog", { name: "Change the note" });
    await change.getByLabel("Note").fill("Anna says this.");
    await change.getByRole("button", { name: "Save" }).click();
    await panel.getByText("Anna says this.").waitFor();

    // A corrected word keeps its highlight.
    await page.locator(".word", { hasText: /hello/i }).first().dblclick();
    await page.keyboard.type("Greetings");
    await expect.poll(() => count(id, "Greetings")).toBe(1);
    await marked(page, /Greetings/)
      .first()
      .waitFor();
    expect(await textOf(id)).toContain("“from”: Anna says this.]");

    for (const width of [390, 1440]) {
      const one = await pageAt(browser, context, width, width === 390 ? "dark" : "light");
      await open(id, one);
      await one.getByRole("tab", { name: "Notes" }).click();
      await one.getByText("Anna says this.").waitFor();
      await shot(one, `notes-${width}`);
      expect(await overflowOf(one)).toBeLessThanOrEqual(0);
      expect(await violationsOf(one)).toEqual([]);
      await one.context().close();
    }

    await panel.getByRole("button", { name: "Delete the note on from" }).click();
    await page.locator(".word.noted-green").waitFor({ state: "detached" });
    await other.locator(".word.noted-green").waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });
});
