// The panels of results, without a browser.
import { h, render } from "preact";
import { expect, test, vi } from "vitest";
import { showLanguage } from "../src/language/language.ts";
import { SmallNode, stubDocument } from "./fixtures/small-document.ts";

stubDocument();
vi.stubGlobal("location", new URL("http://host/"));
vi.stubGlobal("addEventListener", () => undefined);
const copied: string[] = [];
vi.stubGlobal("navigator", { clipboard: { writeText: async (text: string) => void copied.push(text) } });
const { PANELS } = await import("../src/transcript/panels.tsx");
await showLanguage("en");

test("data that a schema requested is shown and copied as JSON, apart from classes", async () => {
  const data = { orders: Array.from({ length: 600 }, (_, at) => ({ number: at, name: "طلب" })) };
  const results = { data, people: [{ name: "Ada" }] };
  const answer = { success: true, is_empty: false, results, exec_time: 1, error: null };
  const store = { job: { value: { result: { structured_data_extraction: answer } } } } as never;
  const panel = PANELS.find(({ name }) => name === "others");
  if (!panel) throw new Error("there is no panel");
  const root = new SmallNode("root");
  render(h(panel.Body, { store, onSeek: () => undefined }), root as never);
  expect(root.find("pre", "orders")?.text).not.toContain("Ada");
  expect(root.find("pre", "Ada")?.text).not.toContain("orders");
  // A key of Latin letters decides the direction of a line, not a value.
  expect(root.find("pre")?.["dir"]).toBe("ltr");
  expect(root.text).toContain("more lines are not shown");
  root.find("button", "Copy as JSON")?.click();
  await expect.poll(() => copied).toHaveLength(1);
  expect(JSON.parse(copied[0] ?? "")).toEqual(data);
});
