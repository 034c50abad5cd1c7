// The listener for Home Assistant. keyless-listener.ts has the rules that concern several of these.

import { clientsProblem, listenerHostProblem } from "../keyless-listener.ts";
import type { Setting } from "../setting.ts";

export const wyoming = {
  wyomingPort: {
    kind: "number",
    variable: "PARLANCE_WYOMING_PORT",
    unit: "",
    default: 0,
    least: 0,
    most: 65_535,
    integer: true,
    why: "TCP port of the [Wyoming protocol](wyoming.md), usually 10300; 0 turns it off. Processes with the role `live` listen.",
  },
  wyomingHost: {
    kind: "text",
    variable: "PARLANCE_WYOMING_HOST",
    default: "127.0.0.1",
    check: listenerHostProblem,
    why: "Address to listen on: an IP address, a host name, or `*` for every address of this machine. Any address but a loopback one requires `PARLANCE_WYOMING_CLIENTS`: the protocol has no keys.",
  },
  wyomingClients: {
    kind: "text",
    variable: "PARLANCE_WYOMING_CLIENTS",
    default: "loopback",
    check: clientsProblem,
    why: "Who may connect: addresses and networks (`192.168.1.20`, `10.0.0.0/8`), `loopback`, `private` (loopback and private networks), or `*` for everybody, comma-separated.",
  },
  wyomingKey: {
    kind: "text",
    variable: "PARLANCE_WYOMING_KEY",
    isSecret: true,
    default: "",
    why: "API key of the account that the sessions of this listener belong to; empty: the default account. When the key is revoked, its sessions end.",
  },
} satisfies Record<string, Setting>;
