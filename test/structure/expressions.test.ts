// The search for texts that a regular expression takes long for.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";

// A script without types.
const { attackOn } = await import(pathToFileURL(path.resolve("structure/attacks.js")).href);

const LIMIT_MILLISECONDS = 60;

describe("more than linear time is found", () => {
  test.each([
    /^(<!--[\s\S]*?-->\s*|<\?xml[^>]*>\s*)*<(!doctype html|html|head|body)\b/,
    /^(a+)+$/,
    /\/+$/,
    /^\s*\d{1,2}[.)]\s/gm,
    // With the flag m, a line begins behind a carriage return, too.
    /^[^\S\n]*\d{1,2}[.)]\s/gm,
    /[\w.+-]+@[\w-]+\.[\w.-]+\w/gu,
    /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu,
    /\s*\S+/g,
    /\?(.*&)?\w+=[^?]*$/s,
    /\B(?=(\d{3})+$)/g,
    /<[^>]*>|&[a-z]+;/g,
  ])("%s", ({ source, flags }) => {
    expect(attackOn(source, flags, 60_000, LIMIT_MILLISECONDS)).toBeDefined();
  });
});

describe("linear time is not", () => {
  test.each([
    /(?<!\/)\/+$/,
    /^\w+$/,
    /(?<![^\n])[^\S\n]*\d{1,2}[.)]\s/g,
    /(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+\w/gu,
    /\p{Lu}\p{Ll}{2,40}|(\d)\1/gu,
    /[^A-Za-z0-9+/_\s-]/,
  ])("%s", ({ source, flags }) => {
    expect(attackOn(source, flags, 8_000, LIMIT_MILLISECONDS)).toBeUndefined();
  });
});
