// Text that a person typed in the console outlives the sign-in of another account, a closed form, and a conflict with another person.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHROMIUM, launch, openConsole, openFold } from "../../test/fixtures/browser.ts";
import { parlance } from "../../test/fixtures/parlance.ts";
import { wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../../test/fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit, TEST_KEY } from "../../test/service.ts";

describe.skipIf(!CHROMIUM)("typed text (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let jobId: string;
  let otherKey: string;

  beforeAll(async () => {
    service = await startService();
    await ready(service);
    jobId = await submit(service, wav([repeated(await decodeSpeech(), 4, 4)]));
    await finished(service, jobId);
    await parlance(service.folder, "accounts", "create", "other");
    otherKey = await parlance(service.folder, "keys", "create", "--account", "other", "--name", "other");
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });
  beforeEach(async () => {
    await context?.close();
    ({ context, page } = await openConsole(browser, service.base));
  });

  const signIn = async (key: string, where = page) => {
    await where.getByLabel("Key", { exact: true }).fill(key);
    await where.getByRole("button", { name: "Sign in" }).click();
    await where.getByRole("heading", { name: "Sign in" }).waitFor({ state: "detached" });
  };
  /** The key is no longer accepted, as after it was revoked. */
  const expire = async () => {
    await context.clearCookies();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  };
  const openTranscript = async () => {
    await page.goto(`${service.base}/jobs/${jobId}`);
    await page.locator(".words").first().waitFor();
  };
  /** The service does not store corrections. */
  const refuseCorrections = () => page.route("**/transcript", (route) => route.abort());
  const type = async (text: string) => {
    await page.locator(".words").first().click();
    await page.locator(".words").first().selectText();
    await page.keyboard.type(text);
  };
  const unsaved = () => page.getByRole("region", { name: "Changes that are not saved" });

  test("another account that opens the address of a transcript deletes no typed text of its owner", async () => {
    await openTranscript();
    await refuseCorrections();
    await type("Typed by the owner.");
    await expire();
    await signIn(otherKey);
    await page.getByText("There is no such recording").waitFor();
    await expire();
    await signIn(TEST_KEY);
    await unsaved().getByText("Typed by the owner.").waitFor();
    await unsaved().getByRole("button", { name: "Discard" }).click();
  });

  test("another account that signs in in another window deletes no typed text of the page that is open", async () => {
    await openTranscript();
    await refuseCorrections();
    await type("Typed before the other sign-in.");
    const other = await context.newPage();
    await other.goto(`${service.base}/`);
    await other.getByRole("button", { name: "Sign out" }).click();
    await signIn(otherKey, other);
    await page.bringToFront();
    await page.getByText("There is no such recording").waitFor();
    await expire();
    await signIn(TEST_KEY);
    await unsaved().getByText("Typed before the other sign-in.").waitFor();
    await unsaved().getByRole("button", { name: "Discard" }).click();
  });

  test("typed text of a recording that was deleted meanwhile is removed from the browser", async () => {
    const id = await submit(service, wav([await decodeSpeech()]));
    await finished(service, id);
    await page.goto(`${service.base}/jobs/${id}`);
    await page.locator(".words").first().waitFor();
    await refuseCorrections();
    await type("Soon without a recording.");
    const left = () => page.evaluate((one) => Object.keys(localStorage).filter((key) => key.includes(one)), id);
    expect(await left()).not.toEqual([]);
    await page.goto("about:blank");
    await call(service, "DELETE", `/v2/transcription/${id}`);
    await page.goto(`${service.base}/jobs/${id}`);
    await page.getByText("There is no such recording").waitFor();
    await expect.poll(left).toEqual([]);
  });

  test("options that are being typed or chosen outlive a reload, and a dialog that is closed", async () => {
    await page.goto(`${service.base}/`);
    await page.getByLabel("Names and terms", { exact: true }).check();
    const words = page.getByRole("textbox", { name: "Vocabulary" });
    await words.pressSequentially("Duguid\n\nAda");
    expect(await words.inputValue()).toBe("Duguid\n\nAda");
    await page.getByRole("button", { name: "Keep these options" }).click();
    await page.getByLabel("Name of the preset").pressSequentially("Inter");
    await page.reload();
    expect(await words.inputValue()).toBe("Duguid\nAda");
    expect(await page.getByLabel("Name of the preset").inputValue()).toBe("Inter");
    await openTranscript();
    const dialog = page.getByRole("dialog", { name: "Transcribe again with other options" });
    const open = () => page.getByRole("button", { name: "Transcribe again…" }).click();
    const subtitles = dialog.getByLabel("Subtitles", { exact: true });
    await open();
    await subtitles.check();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.reload();
    await open();
    expect(await subtitles.isChecked()).toBe(true);
    await dialog.getByRole("button", { name: "Reset" }).click();
    expect(await subtitles.isChecked()).toBe(false);
  });

  test("an input method that composes while paragraphs are joined changes the paragraph in which it composes", async () => {
    await openTranscript();
    const words = (at: number) => page.locator(`.utterance[data-at='${at}'] .words`);
    const [first, second, third, last] = (await page.locator(".utterance .words").allTextContents()).map((text) =>
      text.trim(),
    );
    await words(2).click();
    await page.keyboard.press("End");
    const keyboard = await context.newCDPSession(page);
    const compose = (text: string) =>
      keyboard.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length });
    await compose("\u306b");
    const joined = page.waitForResponse((one) => one.url().endsWith("/corrections"));
    const body = { joins: [{ index: 1, into: 0 }] };
    expect((await call(service, "PATCH", `/v2/transcription/${jobId}/transcript`, { body })).status).toBe(201);
    await joined;
    await page.getByRole("tab", { name: "Corrections" }).waitFor();
    await compose("\u306b\u307b");
    await keyboard.send("Input.insertText", { text: "\u65e5\u672c" });
    await page.getByText(/^Saved \d/).waitFor();
    const { json } = await call(service, "GET", `/v2/transcription/${jobId}/transcript?format=json`);
    const texts = json.transcription.utterances.map(({ text }: { text: string }) => text.trim());
    expect(texts).toEqual([`${first} ${second}`, `${third}\u65e5\u672c`, last]);
  });

  test("a note is kept when its dialog is left, and a note of two people is replaced after both versions were shown", async () => {
    await openTranscript();
    const bar = page.getByRole("form", { name: "Selected words" });
    await page.locator(".word").nth(1).dblclick();
    await bar.getByRole("button", { name: "Note…" }).click();
    const dialog = page.getByRole("dialog", { name: "New note" });
    await dialog.getByLabel("Note").fill("Typed once.");
    await page.keyboard.press("Escape");
    await page.reload();
    await unsaved().getByText("Typed once.").waitFor();
    await unsaved()
      .getByRole("button", { name: /Continue/ })
      .click();
    await dialog.getByRole("button", { name: "Save" }).dblclick();
    await page.getByText("The note is saved").waitFor();
    const route = `/v2/transcription/${jobId}/notes`;
    const { items } = (await call(service, "GET", route)).json;
    expect(items.map(({ text }: { text: string }) => text)).toEqual(["Typed once."]);
    expect(await unsaved().count()).toBe(0);

    await page.getByRole("tab", { name: "Notes" }).click();
    await page.getByRole("button", { name: /^Change the note on/ }).click();
    const change = page.getByRole("dialog", { name: "Change the note" });
    await change.getByLabel("Note").fill("Mine.");
    await call(service, "PATCH", `${route}/${items[0].id}`, { body: { text: "Theirs." } });
    await change.getByRole("button", { name: "Save" }).click();
    await change.getByText("Theirs.").waitFor();
    expect(await change.getByLabel("Note").inputValue()).toBe("Mine.");
    await change.getByRole("button", { name: "Save" }).click();
    await change.waitFor({ state: "detached" });
    expect((await call(service, "GET", route)).json.items[0].text).toBe("Mine.");

    // The tab disappears with the last note; the dialog stays.
    await page.getByRole("button", { name: /^Change the note on/ }).click();
    await change.getByLabel("Note").fill("Mine again.");
    await call(service, "DELETE", `${route}/${items[0].id}`);
    await page.getByRole("tab", { name: "Notes", includeHidden: true }).waitFor({ state: "detached" });
    expect(await change.getByLabel("Note").inputValue()).toBe("Mine again.");
    await change.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").getByText("Someone else has deleted this note.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect((await call(service, "GET", route)).json.items[0].text).toBe("Mine again.");
  });

  test("text in fields that stand alone is kept over a reload until it is sent, for its account", async () => {
    await page.goto(`${service.base}/setup/account`);
    const keyName = page.getByPlaceholder("Name of a new key");
    await keyName.fill("Kept name");
    await page.reload();
    expect(await keyName.inputValue()).toBe("Kept name");
    await page.goto(`${service.base}/`);
    const address = page.getByLabel("Address of a recording");
    await address.fill("https://example.org/a.mp3");
    await call(service, "PATCH", `/v2/transcription/${jobId}/transcript`, {
      body: { utterances: [{ index: 0, speaker: 0 }] },
    });
    await openTranscript();
    const openSpeaker = async () => {
      await openFold(page, "Speakers");
      await page.locator(".speaker-chip", { hasText: "Speaker 0" }).click();
    };
    await openSpeaker();
    const speaker = page.getByRole("dialog").getByLabel("Name", { exact: true });
    await speaker.fill("Ada");
    await page.reload();
    await openSpeaker();
    expect(await speaker.inputValue()).toBe("Ada");
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const kept = () => page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes("typed/")));
    expect((await kept()).filter((name) => name.includes(jobId))).toEqual([]);

    await expire();
    await signIn(otherKey);
    await page.goto(`${service.base}/setup/account`);
    expect(await keyName.inputValue()).toBe("");
    await expire();
    await signIn(TEST_KEY);
    await page.goto(`${service.base}/setup/account`);
    await page.getByRole("button", { name: "Make a key" }).click();
    await page.getByRole("region", { name: "Keys" }).getByRole("status").locator("code").waitFor();
    expect(await keyName.inputValue()).toBe("");
    await page.goto(`${service.base}/`);
    expect(await address.inputValue()).toBe("https://example.org/a.mp3");
    await address.fill("");
    expect(await kept()).toEqual([]);
  });

  test("a double click makes one key, and its key is shown", async () => {
    await page.goto(`${service.base}/setup/account`);
    const keys = page.getByRole("region", { name: "Keys" });
    const asked: string[] = [];
    page.on("request", (one) => {
      if (one.method() === "POST" && one.url().endsWith("/v2/account/keys")) asked.push(one.url());
    });
    await keys.getByPlaceholder("Name of a new key").fill("Twice");
    await keys.getByRole("button", { name: "Make a key" }).dblclick();
    await keys.getByRole("status").locator("code").waitFor();
    await keys.getByText("Twice").waitFor();
    expect(asked).toHaveLength(1);
  });

  test("a vocabulary list is kept over a reload, and one of two people is replaced after both versions were shown", async () => {
    const route = "/v2/vocabulary-lists";
    const section = page.getByRole("region", { name: "Vocabulary lists" });
    await page.goto(`${service.base}/setup/account`);
    await section.getByText("There is no list yet.").waitFor();
    await section.getByRole("button", { name: "New list" }).click();
    await section.getByLabel("Name of the list").fill("Products");
    await section.getByLabel("Names and terms").fill("n8n");
    await page.reload();
    expect(await section.getByLabel("Names and terms").inputValue()).toBe("n8n");
    await section.getByRole("button", { name: "Save" }).dblclick();
    await section.getByRole("button", { name: "Edit the list Products" }).click();
    const { items } = (await call(service, "GET", route)).json;
    await section.getByLabel("Names and terms").fill("n8n\nVercel");
    await call(service, "PATCH", `${route}/${items[0].id}`, { body: { words: ["n8n", "Kubernetes"] } });
    await section.getByRole("button", { name: "Save" }).click();
    await section.getByText("Kubernetes").waitFor();
    await section.getByLabel("Names and terms").fill("n8n\nVercel\nKubernetes");
    await section.getByRole("button", { name: "Save" }).click();
    await section.getByText("3 words").waitFor();
    const wordsNow = async (id: string) => (await call(service, "GET", `${route}/${id}`)).json.words;
    expect(await wordsNow(items[0].id)).toEqual([{ value: "n8n" }, { value: "Vercel" }, { value: "Kubernetes" }]);

    await section.getByRole("button", { name: "Edit the list Products" }).click();
    await section.getByLabel("Names and terms").fill("Acme");
    await call(service, "DELETE", `${route}/${items[0].id}`);
    await section.getByRole("button", { name: "Save" }).click();
    await section.getByText("Someone else has deleted this list.").waitFor();
    await section.getByRole("button", { name: "Save" }).click();
    await section.getByText("1 word", { exact: true }).waitFor();
    // Another account sees none of it.
    await section.getByRole("button", { name: "New list" }).click();
    await section.getByLabel("Names and terms").fill("Secret");
    await expire();
    await signIn(otherKey);
    await section.getByText("There is no list yet.").waitFor();
    expect(await section.getByLabel("Names and terms").count()).toBe(0);
  });
});
