// A field of JSON in a form, without a browser.
import { h, render, type VNode } from "preact";
import { expect, test, vi } from "vitest";
import { showLanguage } from "../src/language/language.ts";
import type { TypedValues } from "../src/parts/typed-values.ts";
import { SmallNode, stubDocument } from "./fixtures/small-document.ts";

stubDocument();
vi.stubGlobal("location", new URL("http://host/"));
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("navigator", {});
const properties = { extra: { type: "object" }, kind: { type: "string" } };
const content = { "application/json": { schema: { type: "object", properties } } };
const paths = { "/v2/pre-recorded": { post: { requestBody: { content } } } };
vi.stubGlobal("fetch", async (path: string) => Response.json(path.includes("openapi") ? { paths } : []));
const { loadDocument } = await import("../src/openapi.ts");
const { Options } = await import("../src/pages/recording-options.tsx");
const { ResetButton } = await import("../src/parts/reset-button.tsx");
const { useTypedValues } = await import("../src/parts/typed-values.ts");
const { options, rememberOptions } = await import("../src/tasks.ts");
const { SchemaForm } = await import("../src/parts/schema-form.tsx");
await showLanguage("en");

test("a field of JSON whose wrong text is replaced by a reset is valid", async () => {
  const schema = { type: "object", properties: { extra: { type: "object" } } } as never;
  const root = new SmallNode("root");
  let values: Record<string, unknown> = {};
  const show = (changed: Record<string, unknown> | undefined) => {
    values = changed ?? {};
    render(h(SchemaForm, { schema, values, onChange: show }), root as never);
  };
  show({ extra: { project: "spring" } });
  const field = root.find("textarea");
  if (!field) throw new Error("there is no field");
  field.write("{");
  await expect.poll(() => field.validity).toContain("not JSON");
  expect(values).toEqual({});
  show({ extra: { project: "spring" } });
  await expect.poll(() => field.validity).toBe("");
  await expect.poll(() => field["value"]).toBe('{"project":"spring"}');
});

/** Types a text that has no value, and clicks Reset. */
async function expectReset(page: () => VNode, hasOptions: () => boolean): Promise<void> {
  const root = new SmallNode("root");
  render(h(page, {}), root as never);
  await expect.poll(() => root.find("textarea")).toBeDefined();
  root.find("textarea")?.write("{");
  await expect.poll(() => root.find("textarea")?.validity).toContain("not JSON");
  expect(root.find("textarea")?.["value"]).toBe("{");
  root.find("input")?.write("film");
  await expect.poll(() => root.find("button", "Reset")).toBeDefined();
  root.find("button", "Reset")?.click();
  await expect.poll(() => root.find("textarea")?.["value"]).toBe("");
  expect(root.find("textarea")?.validity).toBe("");
  expect(hasOptions()).toBe(false);
  await expect.poll(() => root.find("button", "Reset")).toBeUndefined();
}

test("a reset of the options of recordings removes a text without a value from an empty field", async () => {
  await loadDocument();
  rememberOptions({});
  await expectReset(
    () => h(Options, {}),
    () => Object.keys(options.value).length > 0,
  );
});

test("a reset of the options of a dialog removes a text without a value from an empty field", async () => {
  let values: TypedValues | undefined;
  await expectReset(
    () => {
      values = useTypedValues("add", "job", {});
      const form = h(SchemaForm, {
        key: values.resets,
        schema: { type: "object", properties } as never,
        values: values.value,
        onChange(changed) {
          if (values) values.value = changed ?? {};
        },
      });
      return h("form", {}, form, h(ResetButton, { values }));
    },
    () => values?.isChanged === true,
  );
});
