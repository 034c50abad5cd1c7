// Why a start on a PostgreSQL server failed, as one sentence that says what to do.

import { type PostgresAddress, placeOf } from "../../../addresses/postgres-address.ts";
import { errors, ParlanceError } from "../../../errors.ts";

const CERTIFICATE = /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_TLS_CERT)/;

const firstLine = (text: string) => text.split("\n")[0] ?? "";

/** @returns undefined for what has no sentence of its own */
function sentence(code: string, message: string, address: PostgresAddress): string | undefined {
  const { user = "", database = user } = address;
  switch (code) {
    case "3D000":
      return `it has no database "${database}". Make it: create database "${database}" encoding 'UTF8' template template0`;
    case "28P01":
      return `it refused the password of the role "${user}". Check user and password in DATABASE_URL`;
    case "28000":
      return /no encryption|SSL off/.test(message)
        ? `it accepts encrypted connections only (${message}). Add ?sslmode=require to DATABASE_URL`
        : `it refused the role "${user}": ${message}. Check the user in DATABASE_URL, and pg_hba.conf of the server`;
    case "42501":
      return `the role "${user}" lacks a permission: ${message}. Give it the database (alter database "${database}" owner to "${user}"), or: grant usage, create on schema public to "${user}"`;
    case "3F000":
      return `there is no schema for the tables: ${message}. Make the schema, or name one: ?schema=NAME`;
    case "EACCES":
      return `its socket may not be opened by this user: ${message}`;
  }
  if (CERTIFICATE.test(code)) {
    return `its certificate is not accepted (${message}). Name the certificate of its authority: sslrootcert=FILE, or use sslmode=require, which does not verify`;
  }
  if (/does not support SSL/.test(message)) return `it has no TLS. Use sslmode=disable or sslmode=prefer`;
  if (/password must be a string/.test(message))
    return `it requires a password for the role "${user}", and DATABASE_URL has none`;
  if (/^corrupted migrations/.test(message)) {
    return `its tables were made by a newer version of Parlance, or by another program (${message}). Use that version, or a database of its own`;
  }
  return undefined;
}

export function asPostgresProblem(thrown: unknown, address: PostgresAddress): unknown {
  if (thrown instanceof ParlanceError && thrown.code !== "database.unavailable") return thrown;
  const place = placeOf(address);
  const isGone = thrown instanceof ParlanceError;
  const { code = "", message = "" } = (isGone ? thrown.cause : thrown) as { code?: string; message?: string };
  if (isGone) return errors.databaseNotFound(place, thrown.cause);
  const found = sentence(String(code), firstLine(message), address);
  return found === undefined ? thrown : errors.databaseRefused(`PostgreSQL at ${place}: ${found}`, thrown);
}
