import { recordRequests } from './request-span.ts';

/** Where traces are sent, and how many. */
export interface TracingSettings {
  /** Address of a collector of OTLP over HTTP, without `/v1/traces` and without a trailing slash. */
  endpoint: string;
  /** Headers of each call, such as the collector's key. */
  headers: Readonly<Record<string, string>>;
  /** Share of the traces that are recorded, 0 to 1. */
  ratio: number;
  serviceName: string;
}

/** Spans that wait for the collector; further ones are dropped. */
const QUEUE_SPANS = 4096;
const BATCH_SPANS = 512;
const EXPORT_MS = 5000;
const STOP_MS = 2000;
const TEXT_CHARACTERS = 2000;

/**
 * Sends the process's traces to a collector until `stop`, in batches from a bounded queue: while the collector is silent,
 * spans are dropped. The libraries are loaded only here. A process has one exporter.
 */
export async function startTracing(settings: TracingSettings): Promise<{ stop(): Promise<void> }> {
  const [api, sdk, { AsyncLocalStorageContextManager }, core, resources, { OTLPTraceExporter }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
  const { endpoint, headers, ratio, serviceName } = settings;
  const sampled = new sdk.TraceIdRatioBasedSampler(ratio);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: EXPORT_MS,
  });
  const provider = new sdk.BasicTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': serviceName }),
    // A caller may continue its trace here, but does not decide that it is recorded.
    sampler: new sdk.ParentBasedSampler({
      root: sampled,
      remoteParentSampled: sampled,
      remoteParentNotSampled: sampled,
    }),
    spanLimits: { attributeValueLengthLimit: TEXT_CHARACTERS },
    spanProcessors: [
      new sdk.BatchSpanProcessor(exporter, {
        maxQueueSize: QUEUE_SPANS,
        maxExportBatchSize: BATCH_SPANS,
        exportTimeoutMillis: EXPORT_MS,
      }),
    ],
  });
  api.trace.setGlobalTracerProvider(provider);
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  api.propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  recordRequests(true);
  return {
    async stop() {
      recordRequests(false);
      const late = new Promise<void>((resolve) => void setTimeout(resolve, STOP_MS).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      api.trace.disable();
      api.context.disable();
      api.propagation.disable();
    },
  };
}
