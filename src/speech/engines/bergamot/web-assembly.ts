// What is used of WebAssembly: its types belong to the browser's library, which this program is not compiled against.
interface WebAssemblyGlobal {
  instantiate(
    binary: Uint8Array,
    imports: Record<string, object>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
  RuntimeError: new () => Error;
}

export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyGlobal }).WebAssembly;
