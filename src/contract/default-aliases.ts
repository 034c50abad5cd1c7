/** Model names that clients of hosted services send; all mean the default model. */
export const DEFAULT_ALIASES: readonly string[] = ["solaria-1", "solaria-3", "solaria-fusion", "default"];
