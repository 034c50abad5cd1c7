// What live sessions use of NATS, in memory: streams whose messages name their predecessor, key-value buckets with revisions and
// expiry, subscriptions. The servers act one request at a time.
import { JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream";
import type { MsgHdrs } from "@nats-io/transport-node";
import type { Broker } from "../../src/service/live/log/jetstream/broker.ts";
import type { Network } from "./network.ts";
import type { Place } from "./virtual-time.ts";

const MACHINE_MILLISECONDS = 15_000;
const REQUEST_MILLISECONDS = 5_000;

interface StoredMessage {
  seq: number;
  subject: string;
  data: Uint8Array;
  headers: MsgHdrs;
}

interface Entry {
  key: string;
  revision: number;
  operation: "PUT" | "DEL";
  value: Uint8Array;
  /** By the clock of the servers. */
  at: number;
}

const conflict = () =>
  new JetStreamApiError({
    code: 400,
    err_code: JetStreamApiCodes.StreamWrongLastSequence,
    description: "wrong last sequence",
  });

/** A queue that is read by `for await`. */
class Items<Item> implements AsyncIterable<Item> {
  private readonly waiting: Item[] = [];
  private wake = () => {};
  private ended: { error?: Error } | undefined;

  push(item: Item): void {
    this.waiting.push(item);
    this.wake();
  }

  stop = (error?: Error): void => {
    this.ended ??= error ? { error } : {};
    this.wake();
  };

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for (;;) {
      const item = this.waiting.shift();
      if (item !== undefined) yield item;
      else if (this.ended?.error) throw this.ended.error;
      else if (this.ended) return;
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }
}

class Bucket {
  private readonly entries = new Map<string, Entry>();
  private revision = 0;
  readonly watchers = new Set<{ place: Place; seen: number; items: Items<Entry> }>();

  constructor(
    private readonly network: Network,
    private readonly keepMilliseconds: number,
  ) {}

  get(key: string): Entry | null {
    const found = this.entries.get(key);
    return found && this.network.time.now - found.at < this.keepMilliseconds ? found : null;
  }

  /** @param previous  revision that the entry must have, 0 for none; undefined for any */
  put(key: string, operation: Entry["operation"], text: string, previous?: number): number {
    const found = this.get(key);
    const isFree = previous === 0 && found?.operation !== "PUT";
    if (previous !== undefined && !isFree && (found?.revision ?? 0) !== previous) throw conflict();
    const at = this.network.time.now;
    const entry = { key, operation, value: Buffer.from(text), revision: ++this.revision, at };
    this.entries.set(key, entry);
    for (const watcher of this.watchers) this.show(watcher, entry);
    return this.revision;
  }

  /** Those entries that the watcher has not received; after a cut, the newest of each key. */
  show(watcher: { place: Place; seen: number; items: Items<Entry> }, entry: Entry): void {
    const { network } = this;
    const { place, items } = watcher;
    if (network.isCut(place, "nats")) {
      network.time.at(network.servers, network.reconnection(place, "nats"), () => this.catchUp(watcher));
      return;
    }
    watcher.seen = Math.max(watcher.seen, entry.revision);
    network.time.after(place, network.delay(place, "nats"), () => items.push(entry));
  }

  catchUp(watcher: { place: Place; seen: number; items: Items<Entry> }): void {
    if (!this.watchers.has(watcher)) return;
    const missed = [...this.entries.values()].filter(({ key, revision }) => revision > watcher.seen && this.get(key));
    for (const entry of missed.sort((one, other) => one.revision - other.revision)) this.show(watcher, entry);
  }
}

export class NatsServers {
  private readonly streams = new Map<string, { last: number; messages: StoredMessage[] }>();
  private readonly owners: Bucket;
  private readonly machines: Bucket;
  private readonly subscriptions = new Set<{ place: Place; callback: (error: null, message: unknown) => void }>();

  /** @param onStored  called for each message of a stream */
  constructor(
    private readonly network: Network,
    private readonly onStored: (subject: string, message: StoredMessage) => void,
  ) {
    this.owners = new Bucket(network, Number.POSITIVE_INFINITY);
    this.machines = new Bucket(network, MACHINE_MILLISECONDS);
  }

  /** The connection of a process. */
  broker(place: Place): Broker {
    const ask = <Answer>(work: () => Answer, milliseconds = REQUEST_MILLISECONDS): Promise<Answer> =>
      this.network.request<Answer>(
        place,
        "nats",
        (answer) => {
          try {
            answer({ value: work() });
          } catch (error) {
            answer({ error });
          }
        },
        milliseconds,
        () => new Error("NATS: timeout"),
      );
    return {
      connection: this.connection(place),
      stream: this.streamClient(ask),
      manager: {
        getAccountInfo: () => ask(() => ({})),
        streams: {
          getMessage: (name: string, { last_by_subj }: { last_by_subj: string }) =>
            ask(() => {
              const found = this.lastOf(name, last_by_subj);
              return found ? { seq: found.seq, header: found.headers, data: found.data } : null;
            }),
          purge: (name: string, { filter }: { filter: string }) =>
            ask(() => {
              const stream = this.stream(name);
              stream.messages = stream.messages.filter(({ subject }) => subject !== filter);
            }),
        },
      },
      owners: this.bucket(place, this.owners, ask),
      machines: this.bucket(place, this.machines, ask),
    } as unknown as Broker;
  }

  /** The messages of a session's log. */
  log(subject: string): StoredMessage[] {
    return [...this.streams.values()].flatMap(({ messages }) => messages.filter((one) => one.subject === subject));
  }

  private stream(name: string) {
    const known = this.streams.get(name) ?? { last: 0, messages: [] };
    this.streams.set(name, known);
    return known;
  }

  /** Whether this is the sequence of the last message of a subject. */
  isPredecessor(stream: string, subject: string, sequence: number): boolean {
    return (this.lastOf(stream, subject)?.seq ?? 0) === sequence;
  }

  private lastOf(name: string, subject: string): StoredMessage | undefined {
    return this.stream(name).messages.findLast((one) => one.subject === subject);
  }

  private connection(place: Place) {
    const { network, subscriptions } = this;
    return {
      info: { max_payload: 1_048_576 },
      subscribe: (_subject: string, { callback }: { callback: (error: null, message: unknown) => void }) => {
        subscriptions.add({ place, callback });
      },
      publish: (_subject: string, text: string) => {
        if (network.isCut(place, "nats")) return;
        network.time.after(network.servers, network.delay(place, "nats"), () => {
          for (const { place: to, callback } of subscriptions) {
            if (network.isCut(to, "nats")) continue;
            const times = network.random() < 0.1 ? 2 : 1;
            for (let time = 0; time < times; time++)
              network.time.after(to, network.delay(to, "nats"), () => callback(null, { json: () => JSON.parse(text) }));
          }
        });
      },
      close: async () => {
        for (const one of subscriptions) if (one.place === place) subscriptions.delete(one);
      },
    };
  }

  private streamClient(ask: <Answer>(work: () => Answer, milliseconds?: number) => Promise<Answer>) {
    const publish = (
      subject: string,
      data: Uint8Array,
      options: { headers: MsgHdrs; expect: { lastSubjectSequence: number }; timeout: number },
    ) =>
      ask(() => {
        const [prefix, , number] = subject.split(".");
        const name = `${prefix}-live-${number}`;
        const stream = this.stream(name);
        if (!this.isPredecessor(name, subject, options.expect.lastSubjectSequence)) throw conflict();
        // A copy, as the network makes one.
        const message = { seq: ++stream.last, subject, data: Buffer.from(data), headers: options.headers };
        stream.messages.push(message);
        this.onStored(subject, message);
        return { seq: message.seq };
      }, options.timeout);
    const consumers = {
      get: async (name: string, { filter_subjects: subject }: { filter_subjects: string }) => ({
        consume: async () => {
          const items = new Items<StoredMessage>();
          const found = await ask(() => this.stream(name).messages.filter((one) => one.subject === subject));
          for (const message of found) items.push(message);
          return Object.assign(items, { close: async () => items.stop() });
        },
        delete: async () => true,
      }),
    };
    return { publish, consumers };
  }

  private bucket(place: Place, bucket: Bucket, ask: <Answer>(work: () => Answer) => Promise<Answer>) {
    const shown = (entry: Entry | null) =>
      entry && { ...entry, json: () => JSON.parse(Buffer.from(entry.value).toString("utf8")) };
    return {
      get: async (key: string) => shown(await ask(() => bucket.get(key))),
      put: (key: string, text: string) => ask(() => bucket.put(key, "PUT", text)),
      create: (key: string, text: string) => ask(() => bucket.put(key, "PUT", text, 0)),
      update: (key: string, text: string, revision: number) => ask(() => bucket.put(key, "PUT", text, revision)),
      delete: (key: string, { previousSeq }: { previousSeq?: number } = {}) =>
        ask(() => void bucket.put(key, "DEL", "", previousSeq)),
      watch: async () => {
        const items = new Items<Entry>();
        const watcher = { place, seen: 0, items };
        await ask(() => {
          bucket.watchers.add(watcher);
          bucket.catchUp(watcher);
        });
        const { stop } = items;
        items.stop = (error) => {
          bucket.watchers.delete(watcher);
          stop(error);
        };
        return items;
      },
    };
  }
}
