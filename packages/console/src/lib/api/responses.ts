import { messages } from '@bidwell/contract/text/messages';
import { Failure } from '@bidwell/contract/lib/wire';
import { ApiError, withoutServerText } from './api-error.ts';

/** The body of a successful response. The server's tests compare it with the endpoint's schema; it is not checked again. */
export type Envelope<Data> = { data: Data } | null;

/** The `data` of a response. Throws {@link ApiError} for a failure. */
export async function readData<Data>(response: Response): Promise<Data> {
  const isJson = response.headers.get('content-type')?.includes('application/json') ?? false;
  const body: Envelope<Data> = isJson ? await response.json().catch(() => null) : null;
  if (response.ok && body !== null) return body.data;
  throw failureOf(response.status, body);
}

/** The message of a status, for a body without one. */
function textOf(status: number): string {
  if (status >= 500) return messages.serverError;
  return status === 403 ? messages.roleForbids : messages.noEnvelope;
}

/** The error of a response with this body; `noEnvelope` is its sentence where the body has none. */
export function failureOf(status: number, body: unknown, noEnvelope = textOf(status)): ApiError {
  const failure = Failure.safeParse(body);
  if (!failure.success) return withoutServerText(status, noEnvelope);
  const fields = Object.fromEntries(
    (failure.data.errors ?? []).map(({ field, message }) => [field, message]),
  );
  return new ApiError(status, failure.data.data, fields);
}

/**
 * The header that limits a change to one version of an entity; null for an entity that does not exist yet, no header without a
 * version.
 */
export function matching(version: string | null | undefined): Record<string, string> {
  if (version === undefined) return {};
  return version === null ? { 'if-none-match': '*' } : { 'if-match': `"${version}"` };
}
