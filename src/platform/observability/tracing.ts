// OpenTelemetry traces of a request: its answer, queue, worker, recogniser and callback. Sent to
// OTEL_EXPORTER_OTLP_ENDPOINT; if that is not set, no spans are created and the library is not loaded. The parent of a
// span is passed on as a W3C traceparent, which is stored in the database.
import { within } from "../process/within.ts";

export interface SpanOptions {
  /** traceparent of the parent span. */
  parent?: string | null | undefined;
  kind?: "server" | "client";
  attributes?: Record<string, string | number>;
}

export interface Tracing {
  /**
   * Runs work in a span, which has failed if the work throws.
   * @param work  receives the traceparent of the span; undefined without tracing
   */
  span<Result>(
    name: string,
    options: SpanOptions,
    work: (trace: string | undefined) => Promise<Result>,
  ): Promise<Result>;
  /** Records a completed span. */
  record(name: string, startedAt: Date, endedAt: Date, options: SpanOptions): void;
  /** Starts a span that the caller ends. */
  begin(name: string, options: SpanOptions): OpenSpan | undefined;
  /** Exports the remaining spans. */
  stop(): Promise<void>;
}

export interface OpenSpan {
  trace: string;
  end(attributes: Record<string, string | number>, isFailed: boolean): void;
}

export const NO_TRACING: Tracing = {
  span: (_name, _options, work) => work(undefined),
  record: () => undefined,
  begin: () => undefined,
  stop: async () => undefined,
};

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const STOP_MILLISECONDS = 3_000;

/** @param endpoint  base address of an OTLP receiver over HTTP */
export async function openTracing(endpoint: string, service: string, version: string): Promise<Tracing> {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = await import("@opentelemetry/api");
  const { BasicTracerProvider, BatchSpanProcessor } = await import("@opentelemetry/sdk-trace-base");
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");

  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/(?<!\/)\/+$/, "")}/v1/traces` });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": service, "service.version": version }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer("parlance");

  const start = (name: string, { parent, kind, attributes = {} }: SpanOptions, startTime?: Date) => {
    const [, traceId, spanId, flags] = TRACEPARENT.exec(parent ?? "") ?? [];
    const context =
      traceId && spanId
        ? trace.setSpanContext(ROOT_CONTEXT, {
            traceId,
            spanId,
            traceFlags: Number.parseInt(flags ?? "01", 16),
            isRemote: true,
          })
        : ROOT_CONTEXT;
    const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };
    const options = { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes, ...(startTime ? { startTime } : {}) };
    return tracer.startSpan(name, options, context);
  };
  const traceOf = (span: ReturnType<typeof start>) => {
    const { traceId, spanId, traceFlags } = span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
  };

  return {
    async span(name, options, work) {
      const span = start(name, options);
      try {
        return await work(traceOf(span));
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message });
        throw error;
      } finally {
        span.end();
      }
    },
    record(name, startedAt, endedAt, options) {
      start(name, options, startedAt).end(endedAt);
    },
    begin(name, options) {
      const span = start(name, options);
      return {
        trace: traceOf(span),
        end: (attributes, isFailed) => {
          span.setAttributes(attributes);
          if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    async stop() {
      await within(STOP_MILLISECONDS, provider.shutdown()).catch(() => undefined);
    },
  };
}
