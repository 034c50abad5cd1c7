// Keys that a person chooses for the transcript page: taken in the help, kept in the browser, without effect on typed text.
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, launch, openConsole, overflowOf, pageAt, violationsOf } from "../../test/fixtures/browser.ts";
import { wav } from "../../test/fixtures/recordings.ts";
import { decodeSpeech } from "../../test/fixtures/speech.ts";
import { finished, type RunningService, ready, startService, submit } from "../../test/service.ts";

const PICTURES = process.env["SCREENSHOTS_DIR"];

describe.skipIf(!CHROMIUM)("chosen keys (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let job: string;

  beforeAll(async () => {
    service = await startService();
    await ready(service);
    const id = await submit(service, wav([await decodeSpeech()]));
    await finished(service, id);
    job = `/jobs/${id}`;
    browser = await launch();
    ({ context, page, complaints } = await openConsole(browser, service.base, {}, job));
    await page.locator(".word").first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });

  const help = (of = page) => of.getByRole("dialog", { name: "Shortcuts" });
  const change = (action: string) => help().getByRole("button", { name: `Change the key: ${action}` });
  const keysOf = (action: string) =>
    help().locator("dl > div").filter({ hasText: action }).locator("kbd").allTextContents();

  test("the next key that is pressed becomes that of the action, and one that is taken is named", async () => {
    await page.keyboard.press("?");
    await change("Slower").click();
    await page.keyboard.press("l");
    await help().getByText("This key already has an action: Ahead three seconds. Press another one.").waitFor();
    await page.keyboard.press("Tab");
    await help().getByText("The browser or the system needs this key. Press another one.").waitFor();
    await page.keyboard.press("x");
    await expect.poll(() => keysOf("Slower")).toEqual(["X", "Alt + ,"]);
    expect(await help().getByRole("alert").count()).toBe(0);
    // With the keyboard alone; Escape keeps the key and the dialog.
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    expect(await keysOf("Slower")).toEqual(["X", "Alt + ,"]);
    await page.keyboard.press("Space");
    await page.keyboard.press("Alt+w");
    await expect.poll(() => keysOf("Slower")).toEqual(["X", "Alt + W"]);
    await page.keyboard.press("Escape");
    await help().waitFor({ state: "detached" });
    // Keys act again once the page has been painted without the dialog.
    await page.evaluate(
      () => new Promise<void>((painted) => requestAnimationFrame(() => requestAnimationFrame(() => painted()))),
    );
    const speed = () => page.getByLabel("Speed").inputValue();
    await page.keyboard.press("x");
    await expect.poll(speed).toBe("0.9");
    await page.keyboard.press("<");
    await page.keyboard.press("Alt+w");
    await expect.poll(speed).toBe("0.8");
    expect(complaints).toEqual([]);
  });

  test("a chosen key is there after a reload and in other windows, and never takes a letter from typed text", async () => {
    await page.reload();
    await page
      .locator(".word")
      .first()
      .click({ position: { x: 1, y: 10 } });
    const before = await page.locator(".words").first().textContent();
    const speed = () => page.getByLabel("Speed").inputValue();
    const standing = await speed();
    await page.keyboard.type("xx ");
    expect(await page.locator(".words").first().textContent()).toBe(`xx ${before}`);
    expect(await speed()).toBe(standing);
    await page.keyboard.press("Alt+w");
    await expect.poll(speed).not.toBe(standing);
    await page.keyboard.press("Escape");
    const other = await context.newPage();
    await other.goto(service.base + job);
    await other.locator(".word").first().waitFor();
    await other.keyboard.press("?");
    await help(other).getByText("X", { exact: true }).waitFor();
    await page.keyboard.press("?");
    await help().getByRole("button", { name: "Standard keys" }).click();
    await expect.poll(() => keysOf("Slower")).toEqual(["<", "Alt + ,"]);
    await help(other).getByText("X", { exact: true }).waitFor({ state: "detached" });
    expect(await help(other).getByRole("button", { name: "Standard keys" }).isDisabled()).toBe(true);
  });

  test("the help fits a phone, in both colours", async () => {
    for (const [width, colours] of [
      [390, "light"],
      [1440, "dark"],
    ] as const) {
      const other = await pageAt(browser, context, width, colours);
      await other.goto(service.base + job);
      await other.locator(".word").first().waitFor();
      await other.keyboard.press("?");
      await help(other).getByRole("button", { name: "Change the key: Slower" }).click();
      await other.keyboard.press("l");
      await help(other).getByRole("alert").waitFor();
      expect(await overflowOf(other)).toBe(0);
      if (PICTURES) await other.screenshot({ path: path.join(PICTURES, `keys-${width}-${colours}.png`) });
      expect(await violationsOf(other)).toEqual([]);
      await other.context().close();
    }
  });
});
