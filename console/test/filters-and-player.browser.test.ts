// The filters of recordings show what is applied, and the playback continues after a failed network.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHROMIUM, launch, openConsole } from "../../test/fixtures/browser.ts";
import { wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../../test/fixtures/speech.ts";
import { finished, type RunningService, ready, startService, submit } from "../../test/service.ts";

describe.skipIf(!CHROMIUM)("filters and playback (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let jobId: string;

  beforeAll(async () => {
    service = await startService();
    await ready(service);
    jobId = await submit(service, wav([repeated(await decodeSpeech(), 3, 2)]));
    await finished(service, jobId);
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

  const field = () => page.getByRole("searchbox", { name: "Search" });
  const entries = () => page.locator(".entry").count();
  const nothing = () => page.getByText("No recordings match").waitFor();
  const search = async (text: string) => {
    await field().fill(text);
    await page.getByRole("button", { name: "Search", exact: true }).click();
  };

  test("fields have the filters of the address, also after the browser's Back, and a change keeps the others", async () => {
    await page.goto(`${service.base}/jobs?status=error&kind=live`);
    await nothing();
    const state = page.getByLabel("State");
    expect(await state.inputValue()).toBe("error");
    await page.getByLabel("Kind").selectOption("pre-recorded");
    await page.waitForURL(/kind=pre-recorded/);
    expect(new URL(page.url()).searchParams.get("status")).toBe("error");
    await page.goto(`${service.base}/jobs`);
    await expect.poll(entries).toBe(1);
    await search("zebra");
    await nothing();
    await page.goBack();
    await expect.poll(entries).toBe(1);
    await expect.poll(() => field().inputValue()).toBe("");
    await page.goForward();
    await nothing();
    await expect.poll(() => field().inputValue()).toBe("zebra");
    // Reading the list again changes nothing that is being typed.
    await field().fill("zebras");
    const read = (await page.waitForResponse((one) => one.url().includes("search=zebra"))).finished();
    await read;
    expect(await field().inputValue()).toBe("zebras");
  });

  test("an answer for earlier filters does not replace that for the current ones", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.goto(`${service.base}/jobs`);
    await expect.poll(entries).toBe(1);
    await page.route("**/v2/transcription?*search=zebra*", async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    const asked = page.waitForRequest((one) => one.url().includes("search=zebra"));
    await search("zebra");
    const request = await asked;
    const current = page.waitForResponse((one) => one.url().includes("search=hello"));
    await search("hello");
    await current;
    release();
    await (await request.response())?.finished();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await entries()).toBe(1);
  });

  test("a recording that could not be loaded is loaded again by the next playback or seek", async () => {
    let isCut = true;
    await page.route("**/file", (route) => (isCut ? route.abort("connectionreset") : route.continue()));
    await page.goto(`${service.base}/jobs/${jobId}`);
    const player = page.getByRole("region", { name: "Player" });
    await player.locator(".problem").waitFor();
    await page.locator(".stamp").last().click();
    await player.locator(".problem").waitFor();
    isCut = false;
    await page.locator(".stamp").last().click();
    await player.locator(".problem").waitFor({ state: "detached" });
    const seconds = async () => Number((await player.locator("output.time").textContent())?.split(":").at(-1));
    const first = await seconds();
    expect(first).toBeGreaterThan(0);
    await expect.poll(seconds).toBeGreaterThan(first);
  });
});
