/** Names of a layer's keys and values, layer by layer: "kind.0.key", "kind.0.value", "kind.1.key" … */
export const keyValueNames = (kind: string, layers: number): string[] =>
  Array.from({ length: layers }, (_, layer) => [`${kind}.${layer}.key`, `${kind}.${layer}.value`]).flat();
