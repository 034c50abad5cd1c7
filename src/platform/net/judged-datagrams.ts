// Sockets of UDP to servers that clients name. Addresses are judged like those of connections over TCP.
import { createSocket, type Socket } from "node:dgram";
import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { errors } from "../errors.ts";
import { judgingLookup } from "./connection.ts";
import { type JudgedSocketOptions, judgeHost, type Server } from "./judged-socket.ts";

/** Addresses of a name that are used. */
const MOST_ADDRESSES = 3;

async function judgedAddresses(host: string, options: JudgedSocketOptions): Promise<LookupAddress[]> {
  await judgeHost(host, options);
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  return new Promise((resolve, reject) => {
    judgingLookup(options.allowPrivateAddresses)(host, { all: true }, (error, addresses) => {
      if (error) reject(error);
      else resolve(addresses as LookupAddress[]);
    });
  });
}

/** @returns a socket that receives datagrams of this address and port alone: the system drops those of others */
function connected({ address, family }: LookupAddress, port: number): Promise<Socket> {
  const socket = createSocket({ type: family === 6 ? "udp6" : "udp4" });
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => {
      socket.close();
      reject(error);
    };
    socket.once("error", failed);
    socket.connect(port, address, () => {
      socket.off("error", failed);
      // The reader handles later errors.
      socket.on("error", () => undefined);
      resolve(socket);
    });
  });
}

/**
 * Opens a socket for each of the first addresses of a server. A name is resolved once, and the sockets lead to the addresses that were judged.
 * Nothing is sent.
 * @returns at least one socket; all are the caller's
 * @throws fetch.address_not_allowed; work.aborted; the system's error
 */
export async function openJudgedDatagrams(
  { host, port }: Pick<Server, "host" | "port">,
  options: JudgedSocketOptions,
): Promise<Socket[]> {
  const addresses = (await judgedAddresses(host, options)).slice(0, MOST_ADDRESSES);
  const opened = await Promise.allSettled(addresses.map((address) => connected(address, port)));
  const sockets = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = opened.find((one) => one.status === "rejected");
  if (!options.signal.aborted && sockets.length > 0) return sockets;
  for (const socket of sockets) socket.close();
  throw options.signal.aborted ? errors.aborted() : failed?.reason;
}
