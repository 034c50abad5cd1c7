// Reads DATABASE_URL as libpq reads connection addresses: several hosts, Unix sockets, the modes of sslmode. The driver's own parser
// takes one host, and passwords in percent-encoding only.
import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { errors } from "../errors.ts";
import { percentDecoded, withoutBrackets } from "./web-url.ts";

export const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full", "no-verify"] as const;
export type SslMode = (typeof SSL_MODES)[number];

export interface PostgresHost {
  /** Name, IP address, or folder of a Unix socket. */
  host: string;
  port: number;
}

export interface PostgresAddress {
  /** In the order in which they are tried. */
  hosts: PostgresHost[];
  user?: string;
  password?: string;
  database?: string;
  sslMode: SslMode;
  rootCertificateFile?: string;
  certificateFile?: string;
  keyFile?: string;
  /** Schema of the tables; the role's search_path decides where there is none. */
  schema?: string;
  applicationName?: string;
  /** Further command-line options of the session. */
  options?: string;
  /** Whether a standby is sufficient. */
  needsPrimary: boolean;
}

const DEFAULT_PORT = 5432;
const DEFAULT_HOST = "localhost";
const SCHEME = /^postgres(ql)?:\/\//;

interface Parts {
  credentials: string;
  hosts: string;
  database: string;
  query: string;
}

const HOST = /^(\[[^\]]*\]|[^[\]:]*)(?::(\d{1,5}))?$/;
const areHosts = (text: string) => text.split(",").every((host) => HOST.test(host));

function split(rest: string): Omit<Parts, "credentials"> | undefined {
  const match = /^([^/?#@]*)(?:\/([^?#]*))?(?:\?(.*))?$/s.exec(rest);
  if (!match || !areHosts(match[1] ?? "")) return undefined;
  return { hosts: match[1] ?? "", database: match[2] ?? "", query: match[3] ?? "" };
}

/** @returns undefined if the text is not an address */
function partsOf(address: string): Parts | undefined {
  const rest = address.replace(SCHEME, "");
  const strict = /^([^@/?#]*)@(.*)$/s.exec(rest);
  if (strict) {
    const found = split(strict[2] ?? "");
    if (found && !found.database.includes("@")) return { credentials: strict[1] ?? "", ...found };
  }
  // A password that was not encoded ends at the last @ behind which hosts can be.
  for (let at = rest.lastIndexOf("@"); at >= 0; at = rest.lastIndexOf("@", at - 1)) {
    const found = split(rest.slice(at + 1));
    const isInQuery = /\?(.*&)?\w+=[^?]*$/s.test(rest.slice(0, at));
    if (found && !isInQuery) return { credentials: rest.slice(0, at), ...found };
    if (at === 0) break;
  }
  const found = split(rest);
  return found && { credentials: "", ...found };
}

const isFolder = (host: string) => host.startsWith("/") || host.startsWith("@");

function hostsOf(names: string, ports: string | undefined): PostgresHost[] {
  const given = (ports ?? "").split(",");
  return names.split(",").map((text, index) => {
    const [, name = "", port] = HOST.exec(text) ?? [undefined, text];
    const host = percentDecoded(withoutBrackets(name)) || DEFAULT_HOST;
    return { host, port: Number(port || given[index] || given[0] || DEFAULT_PORT) };
  });
}

const KNOWN_PARAMETERS = new Set([
  ...["host", "port", "user", "password", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey", "schema", "ssl"],
  ...["application_name", "options", "target_session_attrs", "connect_timeout", "uselibpqcompat", "sslnegotiation"],
  ...["fallback_application_name", "client_encoding", "keepalives", "keepalives_idle", "gssencmode", "channel_binding"],
]);

/** @returns the address, or what is wrong with it */
export function parsePostgresAddress(text: string): PostgresAddress | { problem: string } {
  if (!SCHEME.test(text)) return { problem: "must begin with postgres:// or postgresql://" };
  const parts = partsOf(text);
  if (!parts) {
    return {
      problem: "must have the form postgres://USER:PASSWORD@HOST:PORT/DATABASE; several hosts are separated by commas",
    };
  }
  const query = new URLSearchParams(parts.query.replaceAll("+", "%2B"));
  const unknown = [...query.keys()].find((name) => !KNOWN_PARAMETERS.has(name));
  if (unknown !== undefined) return { problem: `has the parameter ${unknown}, which is not known` };
  // The driver's own parameter, which earlier versions passed on: it verifies.
  const ssl = query.get("ssl");
  const ofSsl = ssl === "true" || ssl === "1" ? "verify-full" : "disable";
  const sslMode = query.get("sslmode") ?? ofSsl;
  if (!(SSL_MODES as readonly string[]).includes(sslMode)) {
    return { problem: `has sslmode=${sslMode}; it must be one of ${SSL_MODES.join(", ")}` };
  }
  const target = query.get("target_session_attrs") ?? "read-write";
  if (!["any", "read-write", "primary"].includes(target)) {
    return {
      problem: `has target_session_attrs=${target}; the service writes, so it must be read-write, primary or any`,
    };
  }
  const hosts = hostsOf(query.get("host") ?? parts.hosts, query.get("port") ?? undefined);
  const bad = hosts.find(({ port }) => !Number.isInteger(port) || port < 1 || port > 65_535);
  if (bad) return { problem: "must have ports from 1 to 65535" };
  const colon = parts.credentials.indexOf(":");
  const user = query.get("user") ?? percentDecoded(colon < 0 ? parts.credentials : parts.credentials.slice(0, colon));
  const password = query.get("password") ?? (colon < 0 ? "" : percentDecoded(parts.credentials.slice(colon + 1)));
  const optional: Record<string, string | null> = {
    user,
    password,
    database: query.get("dbname") ?? percentDecoded(parts.database),
    rootCertificateFile: query.get("sslrootcert"),
    certificateFile: query.get("sslcert"),
    keyFile: query.get("sslkey"),
    schema: query.get("schema"),
    applicationName: query.get("application_name"),
    options: query.get("options"),
  };
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null && value !== ""));
  return { hosts, sslMode: sslMode as SslMode, needsPrimary: target !== "any" && hosts.length > 1, ...given };
}

/** The server as messages name it: without user and password. */
export function placeOf({ hosts }: PostgresAddress): string {
  return hosts.map(({ host, port }) => (isFolder(host) ? `${host}/.s.PGSQL.${port}` : `${host}:${port}`)).join(", ");
}

function contentOf(file: string, parameter: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw errors.databaseRefused(`${parameter}=${file} in DATABASE_URL cannot be read: ${(error as Error).message}`);
  }
}

/**
 * TLS of a connection to one host, as libpq understands sslmode.
 * @returns false for a connection without TLS
 * @throws database.refused where a certificate cannot be read
 */
export function tlsOf(address: PostgresAddress, { host }: PostgresHost): ConnectionOptions | false {
  const { sslMode, rootCertificateFile, certificateFile, keyFile } = address;
  // TLS is for the network; servers refuse it on Unix sockets.
  if (sslMode === "disable" || sslMode === "allow" || isFolder(host)) return false;
  const hasRoot = rootCertificateFile !== undefined && rootCertificateFile !== "system";
  const verifies = sslMode.startsWith("verify") || (sslMode === "require" && rootCertificateFile !== undefined);
  return {
    rejectUnauthorized: verifies,
    ...(hasRoot ? { ca: contentOf(rootCertificateFile, "sslrootcert") } : {}),
    ...(certificateFile ? { cert: contentOf(certificateFile, "sslcert") } : {}),
    ...(keyFile ? { key: contentOf(keyFile, "sslkey") } : {}),
    ...(sslMode === "verify-full" ? {} : { checkServerIdentity: () => undefined }),
  };
}
