// What a browser may do with answers: every page has a policy, and nothing that a client sent runs on this origin.
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHROMIUM, complaintsOf, launch } from "../fixtures/browser.ts";
import { rawRequest } from "../fixtures/raw-request.ts";
import { silence, wav } from "../fixtures/recordings.ts";
import { call, finished, type RunningService, startService, TEST_KEY } from "../service.ts";

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.remove());

const key = { "x-service-key": TEST_KEY };
const PAGES = [
  "/",
  "/live",
  "/jobs",
  "/jobs/x",
  "/setup",
  "/setup/account",
  "/setup/models",
  "/setup/machine",
  "/docs/quick-start",
  "/docs/settings",
  "/docs/search?q=%3Cscript%3E",
  "/docs/decisions/2026-11-22-console",
  "/docs/api",
  "/docs/api/",
  "/docs/api/static/index.html",
  "/docs/api/static/oauth2-redirect.html",
];

test("every page has a policy that lets its own files alone run, and may not be framed", async () => {
  for (const page of PAGES) {
    const { status, headers } = await rawRequest(service, "GET", page);
    expect([200, 302], page).toContain(status);
    const policy = String(headers["content-security-policy"]);
    expect(policy, page).toMatch(/default-src 'none'/);
    expect(policy, page).toMatch(/frame-ancestors 'none'/);
    expect(policy, page).not.toMatch(/script-src[^;]*('unsafe|https:|\*|data:)/);
    expect(headers["x-content-type-options"], page).toBe("nosniff");
    expect(headers["referrer-policy"], page).toBe("no-referrer");
  }
});

test("every answer of the interface is inert in a browser, errors and files that clients sent included", async () => {
  // A name that is markup, quotes, signs that end a header and changes of direction at once.
  const name = `x"><script>alert(1)<script>;'*\u202e\u2066gvs.\u0000\u0085.html`;
  const boundary = "part";
  const body = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="audio"; filename*=UTF-8''${encodeURIComponent(name).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}\r\n\r\n`,
    ),
    wav([silence(0.3)]),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  const uploaded = await rawRequest(
    service,
    "POST",
    "/v2/upload",
    {
      ...key,
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": String(body.length),
    },
    body,
  );
  expect(uploaded.status, uploaded.text).toBe(200);
  const { audio_url } = JSON.parse(uploaded.text);
  const created = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url } });
  await finished(service, created.json.id);
  const file = `/file/${JSON.parse(uploaded.text).audio_metadata.id}`;
  const id = created.json.id;
  const downloads = [
    file,
    `/v2/pre-recorded/${id}/file`,
    ...["srt", "vtt", "md", "txt", "json", "docx"].map(
      (format) => `/v2/transcription/${id}/transcript?format=${format}`,
    ),
  ];
  for (const path of [
    ...downloads,
    `/v2/transcription/${id}`,
    "/v2/account",
    "/nothing<script>",
    "/metrics",
    "/health",
  ]) {
    const { headers, text } = await rawRequest(service, "GET", path, key);
    expect(headers["content-security-policy"], path).toMatch(/default-src 'none'.*sandbox/);
    expect(headers["x-content-type-options"], path).toBe("nosniff");
    expect(headers["cross-origin-resource-policy"], path).toBe("same-origin");
    expect(headers["set-cookie"], path).toBeUndefined();
    if (!downloads.includes(path)) continue;
    const disposition = String(headers["content-disposition"]);
    expect(disposition, path).toMatch(/^attachment; filename="[\w. -]*"; filename\*=UTF-8''[\w.!~%-]*$/);
    const shown = decodeURIComponent(disposition.split("UTF-8''")[1] ?? "");
    expect(shown, path).not.toMatch(/[\p{Cc}\p{Cf}/\\"<>]/u);
    expect(text.length).toBeGreaterThanOrEqual(0);
  }
});

test.skipIf(!CHROMIUM)(
  "the reference page works under its policy (skipped where there is no Chromium)",
  { timeout: 60_000 },
  async () => {
    const browser = await launch();
    try {
      const page = await browser.newPage();
      const complaints = complaintsOf(page);
      await page.goto(`${service.base}/docs/api`);
      await page.getByText("Transcribe a recording").first().waitFor();
      const operation = page.locator("#operations-System-getHealth");
      await operation.locator(".opblock-summary").click();
      await operation.getByRole("button", { name: "Execute" }).click();
      await operation.locator(".live-responses-table").getByText('"ok"').waitFor();
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);
