import { type Span, SpanKind, SpanStatusCode, context, propagation, trace } from '@opentelemetry/api';
import type { IncomingMessage, ServerResponse } from 'node:http';

let isOn = false;

/** Begins or stops recording requests. Until then a request costs one comparison. */
export function recordRequests(on: boolean): void {
  isOn = on;
}

/**
 * Begins the span of a request that was received, in the trace that its `traceparent` header names. `route` is a template:
 * addresses contain secrets. Null where the request is not sampled.
 */
export function beginRequestSpan(
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  route?: string,
): Span | null {
  if (!isOn) return null;
  // Node builds the object of headers when it is first read.
  const { method = '', headers } = request;
  const caller = propagation.extract(context.active(), headers);
  const span = trace
    .getTracer('bidwell')
    .startSpan(
      route === undefined ? method : `${method} ${route}`,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
      caller,
    );
  if (!span.isRecording()) return null;
  if (route !== undefined) span.setAttribute('http.route', route);
  return span;
}

/** Ends the span of a request with the status of its response. */
export function endRequestSpan(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Ends the span when the response is sent, or its connection is closed. */
export function endWithResponse(span: Span, response: ServerResponse): void {
  response.once('close', () => endRequestSpan(span, response.statusCode));
}
