const known = new Map<string, readonly string[]>();

/** Names of keys and values, layer by layer: "kind.0.key", "kind.0.value", "kind.1.key" … */
export function keyValueNames(kind: string, layers: number): readonly string[] {
  const key = `${kind}.${layers}`;
  let names = known.get(key);
  if (!names) {
    names = Array.from({ length: layers }, (_, layer) => [`${kind}.${layer}.key`, `${kind}.${layer}.value`]).flat();
    known.set(key, names);
  }
  return names;
}
