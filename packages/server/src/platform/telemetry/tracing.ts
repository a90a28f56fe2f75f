import { type Attributes, type Span, SpanStatusCode, context, trace } from '@opentelemetry/api';

/**
 * Spans of OpenTelemetry. Until `startTracing` has run, the functions call `work` and record nothing: the API of
 * OpenTelemetry then has no provider.
 */
const tracer = () => trace.getTracer('bidwell');

/** Runs `work` in a span: part of the current one, or the first of a trace. An error of `work` is recorded and thrown. */
export async function span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return tracer().startActiveSpan(name, { attributes }, async (started) => {
    try {
      return await work();
    } catch (error) {
      recordFailure(started, error);
      throw error;
    } finally {
      started.end();
    }
  });
}

/** Like {@link span}, but only as a part of a span that is recorded: for calls that are of no use by themselves. */
export async function childSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return isRecording() ? span(name, attributes, work) : work();
}

/** Records a part of the current span that has just ended, `durationMs` after its begin. */
export function recordPast(
  name: string,
  attributes: Attributes,
  { durationMs, error }: { durationMs: number; error?: unknown },
): void {
  if (!isRecording()) return;
  const endMs = Date.now();
  const past = tracer().startSpan(name, { attributes, startTime: endMs - durationMs });
  if (error !== undefined) recordFailure(past, error);
  past.end(endMs);
}

/** Ids of the current span for log lines; null outside of traces. */
export function currentTrace(): { trace_id: string; span_id: string } | null {
  const current = trace.getSpanContext(context.active());
  return current ? { trace_id: current.traceId, span_id: current.spanId } : null;
}

function recordFailure(failed: Span, error: unknown): void {
  failed.recordException(error instanceof Error ? error : String(error));
  failed.setStatus({ code: SpanStatusCode.ERROR });
}

const isRecording = () => trace.getActiveSpan()?.isRecording() === true;
