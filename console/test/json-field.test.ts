// A field of JSON in a form, without a browser.
import { h, render } from "preact";
import { expect, test, vi } from "vitest";
import { showLanguage } from "../src/language/language.ts";

/** What the renderer needs of an element. */
class Node {
  [property: string]: unknown;
  childNodes: Node[] = [];
  parentNode: Node | undefined;
  style = {};
  attributes = [];
  readonly listeners = new Map<string, (event: object) => void>();
  validity = "";
  constructor(
    readonly localName: string,
    public data = "",
  ) {}
  get firstChild(): Node | null {
    return this.childNodes[0] ?? null;
  }
  get nextSibling(): Node | null {
    const { childNodes = [] } = this.parentNode ?? {};
    return childNodes[childNodes.indexOf(this) + 1] ?? null;
  }
  insertBefore(child: Node, next: Node | null): Node {
    child.parentNode?.removeChild(child);
    this.childNodes.splice(next ? this.childNodes.indexOf(next) : this.childNodes.length, 0, child);
    child.parentNode = this;
    return child;
  }
  removeChild(child: Node): void {
    this.childNodes = this.childNodes.filter((one) => one !== child);
  }
  setAttribute(name: string, value: unknown): void {
    this[name] = value;
  }
  removeAttribute(name: string): void {
    delete this[name];
  }
  addEventListener(type: string, listener: (event: object) => void): void {
    this.listeners.set(type.toLowerCase(), listener);
  }
  setCustomValidity(text: string): void {
    this.validity = text;
  }
  type(text: string): void {
    this["value"] = text;
    this.listeners.get("input")?.call(this, { type: "input", target: this, currentTarget: this });
  }
  find(name: string): Node | undefined {
    return this.localName === name ? this : this.childNodes.map((one) => one.find(name)).find(Boolean);
  }
}
vi.stubGlobal("document", {
  querySelector: () => null,
  createElementNS: (_: string, name: string) => new Node(name),
  createTextNode: (text: string) => new Node("#text", text),
});
vi.stubGlobal("location", new URL("http://host/"));
vi.stubGlobal("addEventListener", () => undefined);
vi.stubGlobal("navigator", {});
const { SchemaForm } = await import("../src/parts/schema-form.tsx");
await showLanguage("en");

test("a field of JSON whose wrong text is replaced by a reset is valid", async () => {
  const schema = { type: "object", properties: { extra: { type: "object" } } } as never;
  const root = new Node("root");
  let values: Record<string, unknown> = {};
  const show = (changed: Record<string, unknown> | undefined) => {
    values = changed ?? {};
    render(h(SchemaForm, { schema, values, onChange: show }), root as never);
  };
  show({ extra: { project: "spring" } });
  const field = root.find("textarea");
  if (!field) throw new Error("there is no field");
  field.type("{");
  await expect.poll(() => field.validity).toContain("not JSON");
  expect(values).toEqual({});
  show({ extra: { project: "spring" } });
  await expect.poll(() => field.validity).toBe("");
  await expect.poll(() => field["value"]).toBe('{"project":"spring"}');
});
