// The three pages of Setup in a real browser, against the real service: account, models, machine.
import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, launch, openConsole, overflowOf, pageAt, violationsOf } from "../../test/fixtures/browser.ts";
import { type Hub, startHub } from "../../test/fixtures/hub.ts";
import { parlance } from "../../test/fixtures/parlance.ts";
import { silence, wav } from "../../test/fixtures/recordings.ts";
import { tinyTurns } from "../../test/fixtures/tiny-turns.ts";
import {
  hasTranslationModels,
  startTranslationRegistry,
  type TranslationRegistry,
} from "../../test/fixtures/translation-registry.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../../test/service.ts";

/** Folder for screenshots. */
const PICTURES = process.env["SCREENSHOTS_DIR"];
const PAGES = ["account", "models", "machine"] as const;
const HTTP_ERROR = 500;

describe.skipIf(!CHROMIUM)("the pages of Setup (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let hub: Hub;
  let registry: TranslationRegistry | undefined;

  beforeAll(async () => {
    hub = await startHub({ "pipecat-ai/smart-turn-v3": new Map([["smart-turn-v3.2-cpu.onnx", await tinyTurns()]]) });
    if (hasTranslationModels) registry = await startTranslationRegistry();
    service = await startService({
      environment: {
        PARLANCE_FETCH_MODELS: "true",
        PARLANCE_MODELS_URL: hub.url,
        ...(registry ? { PARLANCE_TRANSLATION_MODELS_URL: registry.url } : {}),
      },
    });
    await ready(service);
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
    await hub?.close();
    await registry?.close();
  });

  const open = (route: string) => openConsole(browser, service.base, {}, route);
  const shoot = async (page: Page, name: string) => {
    if (!PICTURES) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage: true });
  };

  test("each page has its address, title and heading; the former address leads to the account", async () => {
    const { context, page, complaints } = await open("/setup");
    await page.getByRole("heading", { name: "Account", exact: true, level: 1 }).waitFor();
    expect(page.url()).toBe(`${service.base}/setup/account`);
    const pages = page.getByRole("navigation", { name: "Setup" });
    for (const name of ["Models", "Machine", "Account"]) {
      await pages.getByRole("link", { name }).click();
      await page.getByRole("heading", { name, exact: true, level: 1 }).waitFor();
      expect(page.url()).toBe(`${service.base}/setup/${name.toLowerCase()}`);
      expect(await page.title()).toBe(`${name} · Parlance`);
      expect(await pages.locator("[aria-current=page]").allTextContents()).toEqual([name]);
      // The entry of the bar leads to all three.
      const setup = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Setup" });
      expect(await setup.getAttribute("aria-current")).toBe("page");
      await page.reload();
      await page.getByRole("heading", { name, exact: true, level: 1 }).waitFor();
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  test("models: one card for those that are not here; a download that fails says why and is tried again; removed", async () => {
    const { context, page } = await open("/setup/models");
    const speech = page.getByRole("region", { name: "Speech" });
    await speech.getByText("Transcribes English.").first().waitFor();
    // The state and the button follow the answer of /v2/system.
    await expect.poll(() => speech.getByText("In use").count()).toBe(1);
    // Two dozen models, and one button.
    expect(await speech.getByLabel("Model to add").locator("option").count()).toBeGreaterThan(15);
    await expect.poll(() => speech.getByRole("button").count()).toBe(1);
    await speech.getByLabel("Model to add").selectOption("whisper-medium");
    await speech.getByText("Transcribes 99 languages.").waitFor();
    await speech.getByText(/^3\.1\sGB to download$/).waitFor();
    await speech.getByRole("button", { name: "Download whisper-medium" }).waitFor();
    await speech.getByText("Licence and details of whisper-medium").click();
    const licence = speech.getByRole("link", { name: "MIT" });
    expect(await licence.getAttribute("href")).toBe("https://spdx.org/licenses/MIT.html");

    const turns = page.getByRole("region", { name: "Turns" });
    hub.fault.status = HTTP_ERROR;
    await turns.getByRole("button", { name: "Download smart-turn-v3.2" }).click();
    await turns.getByText("The download failed").waitFor();
    expect(await turns.locator(".problem").textContent()).not.toBe("");
    await shoot(page, "models-failed-1280-light");
    delete hub.fault.status;
    await turns.getByRole("button", { name: "Try again" }).click();
    await turns.getByText("Installed", { exact: true }).waitFor();
    expect(await turns.locator(".problem").count()).toBe(0);
    page.on("dialog", (dialog) => dialog.accept());
    await turns.getByRole("button", { name: "Remove smart-turn-v3.2" }).click();
    await turns.getByRole("button", { name: "Download smart-turn-v3.2" }).waitFor();
    await context.close();
  });

  test.skipIf(!hasTranslationModels)(
    "translation: a language is chosen once and fetched in both directions (skipped where ../shared/models is missing)",
    async () => {
      const { context, page } = await open("/setup/models");
      const translation = page.getByRole("region", { name: "Translation" });
      const languages = translation.getByLabel("Language to add");
      await languages.selectOption("Portuguese");
      await translation.getByText("Translates from English to Portuguese and back.").waitFor();
      // The button follows the answer that the key is the operator's.
      await expect.poll(() => translation.getByRole("button").count()).toBe(1);
      await translation.getByRole("button", { name: "Download Portuguese" }).click();
      const card = translation.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Portuguese" }) });
      await card.getByText("Installed", { exact: true }).waitFor();
      const { items } = (await call(service, "GET", "/v2/models")).json;
      const installed = items.filter((model: { purpose: string; installed: boolean }) => {
        return model.purpose === "translation" && model.installed;
      });
      expect(installed.map(({ id }: { id: string }) => id).toSorted()).toEqual(["translate-en-pt", "translate-pt-en"]);
      expect(await languages.locator("option", { hasText: /^Portuguese$/ }).count()).toBe(0);
      await context.close();
    },
  );

  test("the machine: what runs, how much fits, speed and disk; an error has its reason and what to do", async () => {
    await finished(service, await submit(service, wav([silence(2)])));
    const body = { audio_url: `${hub.url}/no/such/recording.mp3` };
    const { id: broken } = (await call(service, "POST", "/v2/pre-recorded", { body })).json;
    await finished(service, broken);
    await call(service, "PATCH", `/v2/transcription/${broken}`, { body: { name: "Lost interview" } });
    const { context, page } = await open("/setup/machine");
    const now = page.getByRole("region", { name: "Now" });
    const tile = (name: string) =>
      now.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });
    await tile("State").getByText("Ready").waitFor();
    const { load, machine } = (await call(service, "GET", "/v2/system")).json;
    await tile("Live sessions").getByText(`0 of ${load.live_capacity}`).waitFor();
    await tile("Recordings").getByText("0 in progress, 0 waiting").waitFor();
    await tile("Recordings").getByText(`${machine.jobs_capacity} recordings are worked on at once.`).waitFor();
    await tile("Speed")
      .getByText(/^An hour of audio takes about/)
      .waitFor();
    await tile("Disk").getByText(/free$/).waitFor();
    const errors = page.getByRole("region", { name: "Last errors" });
    await errors.getByText("Lost interview").waitFor();
    await errors.getByText("Open the recording, and transcribe it again.").waitFor();
    expect(await errors.locator(".problem").count()).toBe(1);
    await shoot(page, "machine-error-1280-light");
    await errors.getByRole("link", { name: "recording" }).click();
    await page.waitForURL(`${service.base}/jobs/${broken}`);
    // The linked page has what the Machine page says: another attempt.
    await page.getByRole("button", { name: "Transcribe again…" }).waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/jobs/") && !url.pathname.endsWith(broken));
    await page.getByRole("heading", { name: "Lost interview" }).waitFor();
    await context.close();
  });

  test("another account sees neither the disk nor other accounts' recordings, and changes no model", async () => {
    await parlance(service.folder, "accounts", "create", "reader");
    const key = await parlance(service.folder, "keys", "create", "--account", "reader");
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(service.base);
    await page.getByLabel("Key").fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "Setup" }).click();
    await page.getByRole("link", { name: "Machine" }).click();
    await page.getByText("Recordings of your account").waitFor();
    await page.getByText("There are none.").waitFor();
    expect(await page.getByRole("heading", { name: "Disk" }).count()).toBe(0);
    await page.getByRole("link", { name: "Models" }).click();
    await page.getByText("Only the operator of the service adds and removes models.").waitFor();
    await page.getByRole("region", { name: "Speech" }).getByText("Transcribes English.").first().waitFor();
    expect(await page.locator(".purpose button").count()).toBe(0);
    await context.close();
  });

  test.each([
    [1440, "light"],
    [1440, "dark"],
    [390, "light"],
    [390, "dark"],
  ] as const)("at %i pixels, %s: nothing is cut off, and axe finds nothing", async (width, colours) => {
    const { context: account, page: first } = await open("/setup/account");
    const page = await pageAt(browser, account, width, colours);
    for (const name of PAGES) {
      await page.goto(`${service.base}/setup/${name}`);
      await page.locator(".card").first().waitFor();
      await expect.poll(() => page.getByText("Loading…").count()).toBe(0);
      await shoot(page, `${name}-${width}-${colours}`);
      const closed = page.locator("main details:not([open]) > summary:visible");
      while ((await closed.count()) > 0) await closed.first().click();
      expect(await violationsOf(page), name).toEqual([]);
      expect(await overflowOf(page), name).toBeLessThanOrEqual(0);
    }
    await page.context().close();
    await first.close();
    await account.close();
  });
});
