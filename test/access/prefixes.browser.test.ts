// The console and the reference page in a browser, below a path of a reverse proxy that leaves the path in place.
import path from "node:path";
import { expect, test } from "vitest";
import { CHROMIUM, complaintsOf, launch, pageLink } from "../fixtures/browser.ts";
import { freePort } from "../fixtures/free-port.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { startService, TEST_KEY } from "../service.ts";

test.skipIf(!CHROMIUM)("the console works below a path (skipped where there is no Chromium)", async () => {
  const port = await freePort();
  const base = `http://localhost:${port}/transcripts`;
  const service = await startService({ environment: { PARLANCE_PORT: String(port), PARLANCE_PUBLIC_URL: `${base}/` } });
  const browser = await launch();
  try {
    const page = await (await browser.newContext()).newPage();
    const complaints = complaintsOf(page);
    const foreign: string[] = [];
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${base}/`) && !/^(data|blob):/.test(url)) foreign.push(url);
    });
    await page.goto(`${base}/`);
    await page.getByLabel("Key").fill(TEST_KEY);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.setInputFiles('input[name="files"]', HELLO_MP3);
    await page.getByRole("link", { name: path.basename(HELLO_MP3) }).click();
    await expect.poll(() => page.locator(".words").textContent()).toMatch(/hello from the/i);
    expect(page.url()).toMatch(new RegExp(`^${base}/jobs/[0-9a-f-]{36}`));
    // A reload is a request to the service for the same address.
    await page.reload();
    await expect.poll(() => page.locator(".words").textContent()).toMatch(/hello from the/i);
    for (const [name, route] of [
      ["Live", "/live"],
      ["Recordings", "/jobs"],
      ["Setup", "/setup/account"],
      ["Transcribe", "/"],
    ] as const) {
      const link = pageLink(page, name);
      await link.click();
      await expect.poll(() => link.getAttribute("aria-current")).toBe("page");
      expect(page.url()).toBe(base + route);
    }
    await pageLink(page, "Live").click();
    const connected = page.waitForEvent("websocket");
    await page.getByRole("button", { name: "Microphone" }).click();
    expect((await connected).url()).toMatch(new RegExp(`^${base.replace("http", "ws")}/v2/live\\?token=`));
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("link", { name: "Its transcript and recording" }).waitFor();
    await page.goto(`${base}/docs/api`);
    const operation = page.locator("#operations-System-getHealth");
    await operation.locator(".opblock-summary").click();
    await operation.getByRole("button", { name: "Execute" }).click();
    await operation.locator(".live-responses-table").getByText('"ok"').waitFor();
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
    // The port without the proxy: the page moves itself below the path.
    await page.goto(`http://localhost:${port}/jobs`);
    await page.getByRole("heading", { name: "Recordings" }).waitFor();
    expect(page.url()).toBe(`${base}/jobs`);
  } finally {
    await browser.close();
    await service.remove();
  }
});
