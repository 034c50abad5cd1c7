// Reads a source for one connection to its session. Its scheme decides how; with HTTP, what the address answers: a playlist of HLS, an
// endless stream, or the list of a station, which names one of them.
import type { Logger } from "pino";
import { FetchAddress } from "../../../platform/addresses/fetch-address.ts";
import { errors, ParlanceError } from "../../../platform/errors.ts";
import type { Database } from "../../../platform/storage/db/database.ts";
import { databaseTime } from "../../../platform/storage/db/database-time.ts";
import type { StreamDecoders } from "../../../speech/audio/streams/stream-decoders.ts";
import type { RecordFormat } from "../events/record-format.ts";
import type { Session } from "../session/session.ts";
import type { ViewerFeeds } from "../viewers/viewer-feeds.ts";
import type { Captions } from "./captions.ts";
import { EndlessReading } from "./endless-reading.ts";
import { Fetching, MOST_MILLISECONDS } from "./fetching.ts";
import { HlsReading, MOST_PLAYLIST_BYTES } from "./hls-reading.ts";
import { PacketReading } from "./packet-reading.ts";
import { isHls, stationAddress } from "./playlist.ts";
import { SourceAudio } from "./source-audio.ts";
import { SourceDecoder } from "./source-decoder.ts";

const PLAYLIST_TYPES = /mpegurl|x-scpls|pls\+xml/;
const PLAYLIST_NAMES = /\.(m3u8?|pls)$/i;

export interface SourceServices {
  database: Database;
  decoders: StreamDecoders;
  feeds: ViewerFeeds;
  format: RecordFormat;
  allowPrivateAddresses: boolean;
  logger: Logger;
}

export interface WantedSource {
  address: string;
  accountId: string;
  /** When the session was created, by the clock of the database. */
  createdAt: Date;
  /** Longest time without audio. */
  outageSeconds: number;
}

/** Whether the server refused the request, rather than failing to answer it. */
const isLasting = (error: unknown): boolean => {
  const { cause } = error as { cause?: unknown };
  return cause instanceof ParlanceError && !cause.retryable;
};

export class SourceReading {
  private readonly ending = new AbortController();
  readonly audio: SourceAudio;
  private readonly fetching: Fetching;
  private readonly decoder: SourceDecoder;
  private readonly hls: HlsReading;
  private readonly endless: EndlessReading;
  private readonly packets: PacketReading;
  private isHls = false;

  constructor(
    { database, decoders, allowPrivateAddresses }: SourceServices,
    session: Session,
    { address, accountId, createdAt }: WantedSource,
    captions: Captions,
  ) {
    const { signal } = this;
    const now = () => databaseTime(database);
    this.fetching = new Fetching({ address: FetchAddress.of(address), accountId, allowPrivateAddresses, signal });
    this.audio = new SourceAudio(session, captions, () => (now().getTime() - createdAt.getTime()) / 1000, signal);
    const { stream } = this.fetching;
    const onSamples = (samples: Buffer, ticks: number | undefined) => {
      if (stream) return this.packets.onSamples(samples);
      return this.isHls ? this.hls.onSamples(samples, ticks) : this.audio.add(samples);
    };
    const encoding = stream && stream.protocol !== "srt" ? "packets" : "broadcast";
    this.decoder = new SourceDecoder(decoders, `source ${session.id}`, accountId, onSamples, encoding);
    this.hls = new HlsReading(this.fetching, this.audio, this.decoder, now);
    this.endless = new EndlessReading(this.fetching, this.audio, this.decoder, now);
    this.packets = new PacketReading(this.fetching, this.audio, this.decoder, now);
  }

  get signal(): AbortSignal {
    return this.ending.signal;
  }

  end(): void {
    this.ending.abort();
  }

  close(): Promise<void> {
    return this.decoder.restart();
  }

  /** The decoder process was lost: the stream so far cannot be continued. */
  forget(): void {
    this.endless.forget();
  }

  /** @returns when the source has ended; @throws live.source_failed, live.source_refused, live.source_decoder_lost */
  async once(): Promise<void> {
    if (this.fetching.stream) return this.packets.read();
    let url = this.fetching.first;
    for (let list = 0; list < 2; list++) {
      const range = this.endless.rest(url);
      const answer = await this.fetching.open(url, MOST_MILLISECONDS, range).catch((error: unknown) => {
        if (range && isLasting(error)) this.endless.restRefused();
        throw error;
      });
      this.isHls = false;
      if (!PLAYLIST_TYPES.test(answer.contentType) && !PLAYLIST_NAMES.test(answer.url.pathname))
        return this.endless.read(answer, url);
      const text = await this.fetching.rest(answer, MOST_PLAYLIST_BYTES);
      this.isHls = isHls(text);
      if (this.isHls) return this.hls.read(answer.url, text);
      url = stationAddress(text, answer.url);
    }
    throw errors.liveSourceRefused("its list names another list");
  }
}
