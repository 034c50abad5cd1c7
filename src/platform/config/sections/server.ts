// Where the service listens, and the addresses that it publishes.
import { corsOriginsProblem } from "../cors-origins.ts";
import { allowedHostsProblem } from "../host-names.ts";
import { hostProblem, socketModeProblem } from "../listen-address.ts";
import { publicUrlProblem } from "../public-url.ts";
import type { Setting } from "../setting.ts";
import { trustedProxiesProblem } from "../trusted-proxies.ts";

export const server = {
  port: {
    kind: "number",
    variable: "PARLANCE_PORT",
    alias: "PORT",
    unit: "",
    default: 8080,
    least: 0,
    most: 65_535,
    integer: true,
    why: "Port of the HTTP and WebSocket server; 0 takes a free one. Without it, `PORT` is used.",
    isEssential: true,
  },
  host: {
    kind: "text",
    variable: "PARLANCE_HOST",
    alias: "HOST",
    default: "127.0.0.1",
    check: hostProblem,
    why: "Where to listen: an IP address, a host name, `*` for every address of this machine (`0.0.0.0`: IPv4 only), or `unix:/run/parlance.sock` for a Unix socket. Without it, `HOST` is used.",
    isEssential: true,
  },
  socketMode: {
    kind: "text",
    variable: "PARLANCE_SOCKET_MODE",
    default: "660",
    check: socketModeProblem,
    why: "Permissions of that socket; who may write to it may connect.",
  },
  publicUrl: {
    kind: "text",
    variable: "PARLANCE_PUBLIC_URL",
    default: "",
    check: publicUrlProblem,
    why: "Base of every address in answers, with the path of the reverse proxy if it has one (`https://example.org/transcripts`); without it, the request's Host is used, or the X-Forwarded-Host and -Prefix of a trusted proxy.",
    isEssential: true,
  },
  trustProxy: {
    kind: "text",
    variable: "PARLANCE_TRUST_PROXY",
    default: "none",
    check: trustedProxiesProblem,
    why: "Reverse proxies whose `X-Forwarded-For`, `-Proto`, `-Host` and `-Prefix` are used: addresses and networks (`10.0.0.7`, `10.0.0.0/8`), `loopback`, `private` (loopback and private networks) or `none`, comma-separated. The value `true` of earlier versions means `private`.",
    isEssential: true,
  },
  allowedHosts: {
    kind: "text",
    variable: "PARLANCE_ALLOWED_HOSTS",
    default: "",
    check: allowedHostsProblem,
    why: "Host names under which the console and, with `PARLANCE_ANONYMOUS`, requests without a key are served, comma-separated (`transcripts.example.org`, `.example.org` for every name below it, `*` for all), beside `localhost`, IP addresses, this machine's name and the host of `PARLANCE_PUBLIC_URL`.",
  },
  corsOrigins: {
    kind: "text",
    variable: "PARLANCE_CORS_ORIGINS",
    default: "",
    check: corsOriginsProblem,
    why: "Origins of browser pages that may call the interface (`https://app.example.org`), comma-separated, or `*`.",
  },
  strictRequests: {
    kind: "switch",
    variable: "PARLANCE_STRICT_REQUESTS",
    default: false,
    why: "Refuse unknown fields and parameters (400, with the nearest known name) on routes that otherwise accept them with a warning. On routes with the parameter `strict`, `?strict=true` and `?strict=false` decide for a single request.",
  },
  docs: {
    kind: "switch",
    variable: "PARLANCE_DOCS",
    default: true,
    why: "Serve the documentation at /docs and the document at /openapi.json.",
  },
} satisfies Record<string, Setting>;
