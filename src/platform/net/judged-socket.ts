// Connections over TCP and TLS to servers that clients name, for protocols other than HTTP. The address is judged as that of a fetch.
import { connect, isIP, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { errors } from "../errors.ts";
import { PRIVATE_ADVICE, refusedAddress } from "./address-rules.ts";
import { CONNECT_TIMEOUT_MILLISECONDS, judgingLookup } from "./connection.ts";
import { lookUpInTurn } from "./name-lookup.ts";

export interface Server {
  /** A name, or an IP address without brackets. */
  host: string;
  port: number;
  isSecure: boolean;
}

export interface JudgedSocketOptions {
  /** Account on whose behalf it is opened. */
  tenant: string;
  allowPrivateAddresses: boolean;
  /** Ends the attempt; an open socket is the caller's. */
  signal: AbortSignal;
}

/**
 * Judges a host that is an address. A name is looked up here in turn; `judgingLookup` judges its addresses at the connection.
 * @throws fetch.address_not_allowed, work.aborted; the system's error
 */
export async function judgeHost(host: string, options: JudgedSocketOptions): Promise<void> {
  // Sockets do not look IP addresses up.
  if (!options.allowPrivateAddresses && isIP(host) && refusedAddress(host))
    throw errors.addressNotAllowed(`its host lies in a private network; ${PRIVATE_ADVICE}`);
  await lookUpInTurn(host, options.tenant, options.signal);
}

/**
 * Connects to a server. A name is resolved once, and the connection goes to the address that was judged. The certificate of a secure
 * server is verified.
 * @throws fetch.address_not_allowed; the system's error
 */
export async function openJudgedSocket(
  { host, port, isSecure }: Server,
  options: JudgedSocketOptions,
): Promise<Socket> {
  await judgeHost(host, options);
  const { allowPrivateAddresses, signal } = options;
  const lookup = judgingLookup(allowPrivateAddresses);
  const socket = isSecure
    ? connectSecurely({ host, port, lookup, ...(isIP(host) ? {} : { servername: host }) })
    : connect({ host, port, lookup });
  socket.setNoDelay(true);
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      socket.off("error", settle);
      // The reader handles later errors.
      socket.on("error", () => undefined);
      if (!error) return resolve(socket);
      socket.destroy();
      reject(error);
    };
    const onAbort = () => settle(errors.aborted());
    const timer = setTimeout(() => settle(errors.remoteFailed("its host was too slow")), CONNECT_TIMEOUT_MILLISECONDS);
    signal.addEventListener("abort", onAbort, { once: true });
    socket.once("error", settle);
    socket.once(isSecure ? "secureConnect" : "connect", () => settle());
    if (signal.aborted) onAbort();
  });
}
