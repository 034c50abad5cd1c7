// The pages of the documentation in a browser: search, buttons that copy, the address of this service, tables of contents, the API reference.
import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, complaintsOf, launch, overflowOf, violationsOf } from "../fixtures/browser.ts";
import { type RunningService, startService } from "../service.ts";

/** Folder for screenshots. */
const PICTURES = process.env["SCREENSHOTS_DIR"];

interface PageWindow {
  navigator: { clipboard: { readText(): Promise<string> } };
  getComputedStyle(element: unknown): { backgroundColor: string };
}

describe.skipIf(!CHROMIUM)("the documentation in a browser (skipped where there is no Chromium)", () => {
  let service: RunningService;
  let browser: Browser;
  beforeAll(async () => {
    service = await startService();
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });

  const shoot = async (page: Page, name: string) => {
    if (!PICTURES) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
  };

  test("words are searched in all pages, and a result opens its section", async () => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${service.base}/docs`);
    await page.getByRole("searchbox").fill("acknowledg bytes");
    await page.keyboard.press("Enter");
    await page
      .getByRole("status")
      .getByText(/sections/)
      .waitFor();
    expect(page.url()).toBe(`${service.base}/docs/search?q=acknowledg+bytes`);
    expect(await page.getByRole("searchbox").inputValue()).toBe("acknowledg bytes");
    const first = page.locator(".results a").first();
    const [, anchor] = String(await first.getAttribute("href")).split("#");
    await first.click();
    await page.locator(`[id="${decodeURIComponent(String(anchor))}"]`).waitFor();
    await page.goto(`${service.base}/docs/search?q=zzyzx`);
    await page.getByText("No section has all of these words: zzyzx. Try fewer words.").waitFor();
    await page.goto(`${service.base}/docs/search?q=${encodeURIComponent('"><script>document.title="hit"</script>')}`);
    expect(await page.title()).not.toBe("hit");
    expect(await page.locator("main script").count()).toBe(0);
    expect((await page.request.get(`${service.base}/docs/search?q=${"x".repeat(201)}`)).status()).toBe(400);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("an example has this service's address, and is copied as it is shown", async () => {
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${service.base}/docs/quick-start`);
    const block = page.locator(".code").filter({ hasText: "/v2/upload" }).first();
    await block.getByRole("button", { name: "Copy" }).click();
    await block.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() => (globalThis as unknown as PageWindow).navigator.clipboard.readText());
    expect(copied).toContain(`${service.base}/v2/upload`);
    expect(copied).toBe(await block.locator("code").textContent());
    expect(complaints).toEqual([]);
    await context.close();
  });

  test.each([
    [1440, "light"],
    [1440, "dark"],
    [390, "light"],
    [390, "dark"],
  ] as const)("at %i pixels, %s: nothing is cut off, and axe finds nothing", async (width, colorScheme) => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
    const page = await context.newPage();
    for (const [name, route] of [
      ["docs", "/docs/live"],
      ["docs-search", "/docs/search?q=callback"],
    ] as const) {
      await page.goto(service.base + route);
      await shoot(page, `${name}-${width}-${colorScheme}`);
      expect(await violationsOf(page), name).toEqual([]);
      expect(await overflowOf(page), name).toBeLessThanOrEqual(0);
    }
    const contents = page.getByText("On this page").filter({ visible: true });
    await page.goto(`${service.base}/docs/live`);
    expect(await contents.count()).toBe(1);
    if (width < 800) await contents.click();
    const link = page.locator(".contents a").filter({ visible: true }).nth(1);
    await link.click();
    expect(page.url()).toBe(`${service.base}/docs/live${await link.getAttribute("href")}`);
    await page.goto(`${service.base}/docs/api`);
    const operation = page.locator("#operations-System-getHealth");
    await operation.locator(".opblock-summary").click({ timeout: 60_000 });
    await operation.getByRole("button", { name: "Execute" }).waitFor();
    await shoot(page, `docs-api-${width}-${colorScheme}`);
    const ground = await page
      .locator("#swagger-ui .swagger-ui")
      .first()
      .evaluate((reference) => {
        return (globalThis as unknown as PageWindow).getComputedStyle(reference).backgroundColor;
      });
    expect(ground).toBe(colorScheme === "dark" ? "rgb(17, 20, 26)" : "rgb(246, 247, 249)");
    await context.close();
  });
});
