// Tokens that open one thing. The database has their hashes alone.
import { randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;

/** @returns 43 characters of base64url */
export const newToken = () => randomBytes(TOKEN_BYTES).toString("base64url");
