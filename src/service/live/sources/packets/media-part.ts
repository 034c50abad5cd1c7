// Parts of a stream whose protocol frames its packets (RTSP, RTMP), or carries a container in datagrams (SRT).
import type { Socket as DatagramSocket } from "node:dgram";
import type { Socket } from "node:net";
import type { StreamAddress } from "../../../../platform/addresses/stream-address.ts";
import type { CodecSetup } from "../../../../speech/audio/streams/demuxer.ts";

export type MediaPart =
  /** The packets that follow have this format. */
  | { kind: "setup"; setup: CodecSetup }
  | {
      /** bytes: the next ones of a container. */
      kind: "packet" | "bytes";
      bytes: Buffer;
      /** Time of the packet on the clock of the sender, seconds. */
      seconds: number;
      /** Packets before it are missing: silence replaces them, even if it is short. */
      isAfterLoss: boolean;
      /** The clock of the sender begins again: its times say nothing about what was before. */
      isBreak: boolean;
    };

export interface PacketSource {
  address: StreamAddress;
  /** Opens a connection to a judged address. @throws live.source_failed, live.source_refused */
  connect(address: StreamAddress): Promise<Socket>;
  /** Opens sockets of UDP to the judged addresses of a server. @throws live.source_failed, live.source_refused */
  openDatagrams(address: StreamAddress): Promise<DatagramSocket[]>;
  /** Ends the reading, and its connection. */
  signal: AbortSignal;
}

export type ReadParts = (source: PacketSource) => AsyncGenerator<MediaPart, void>;
