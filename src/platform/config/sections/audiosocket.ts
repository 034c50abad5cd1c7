// The listener for Asterisk. keyless-listener.ts has the rules that concern several of these.
import { clientsProblem, listenerHostProblem } from "../keyless-listener.ts";
import type { Setting } from "../setting.ts";

export const audioSocket = {
  audioSocketPort: {
    kind: "number",
    variable: "PARLANCE_AUDIOSOCKET_PORT",
    unit: "",
    default: 0,
    least: 0,
    most: 65_535,
    integer: true,
    why: "TCP port of [Asterisk's AudioSocket](telephony.md#asterisk), usually 9092; 0 turns it off. Processes with the role `live` listen.",
  },
  audioSocketHost: {
    kind: "text",
    variable: "PARLANCE_AUDIOSOCKET_HOST",
    default: "127.0.0.1",
    check: listenerHostProblem,
    why: "Address to listen on: an IP address, a host name, or `*` for every address of this machine. Any address but a loopback one requires `PARLANCE_AUDIOSOCKET_CLIENTS`: the protocol has no keys.",
  },
  audioSocketClients: {
    kind: "text",
    variable: "PARLANCE_AUDIOSOCKET_CLIENTS",
    default: "loopback",
    check: clientsProblem,
    why: "Which Asterisk servers may connect, as in `PARLANCE_WYOMING_CLIENTS`.",
  },
  audioSocketKey: {
    kind: "text",
    variable: "PARLANCE_AUDIOSOCKET_KEY",
    isSecret: true,
    default: "",
    why: "API key of the account that the sessions of this listener belong to; empty: the default account. When the key is revoked, its sessions end.",
  },
} satisfies Record<string, Setting>;
