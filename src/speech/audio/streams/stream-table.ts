// The streams that one process decodes. What fails in one of them refuses that one.
import type { Compression, DecodedPart, StreamRequest, StreamResponse } from "./message.ts";
import { StreamDecoder } from "./stream-decoder.ts";
import { FAILED } from "./stream-failure.ts";

type Decoder = Pick<StreamDecoder, "position" | "push" | "step" | "finish" | "close">;

export class StreamTable {
  private readonly streams = new Map<string, Decoder>();

  /** @param onFailed  is given what failed, for the log */
  constructor(
    private readonly onFailed: (error: unknown) => void,
    private readonly create: (compression: Compression) => Decoder = (compression) => new StreamDecoder(compression),
  ) {}

  handle(request: StreamRequest): StreamResponse {
    try {
      return this.answer(request);
    } catch (error) {
      this.onFailed(error);
      this.end(request.stream);
      const refusal: DecodedPart = {
        ...{ kind: "decoded", samples: new Uint8Array(0), marks: [], lost: [], notes: [] },
        ...{ refused: FAILED, hasMore: false },
      };
      return refusal;
    }
  }

  private answer(request: StreamRequest): StreamResponse {
    const { stream } = request;
    if (request.kind === "close") {
      this.end(stream);
      return { kind: "closed" };
    }
    if (request.kind === "push" && request.at === 0) {
      this.end(stream);
      this.streams.set(stream, this.create(request.compression));
    }
    const decoder = this.streams.get(stream);
    if (!decoder || (request.kind === "push" && request.at !== decoder.position)) return { kind: "unknown" };
    if (request.kind === "push") return decoder.push(Buffer.from(request.bytes));
    return request.kind === "finish" ? decoder.finish() : decoder.step();
  }

  private end(stream: string): void {
    const decoder = this.streams.get(stream);
    this.streams.delete(stream);
    try {
      decoder?.close();
    } catch (error) {
      this.onFailed(error);
    }
  }
}
