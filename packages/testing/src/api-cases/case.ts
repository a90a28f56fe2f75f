import type { InjectOptions } from 'fastify';
import type { TestCompany } from '../test-app.ts';

/** An id of nothing. */
export const unknown = '01890000-0000-7000-8000-000000000000';
export const range = { start_date: '2026-01-01', end_date: '2026-01-07' };

export type Body = Record<string, unknown>;
/** A valid request; `parts` are sent as a multipart form. */
export interface Call {
  path: string;
  body?: Body;
  parts?: Record<string, string | { name: string; content: Buffer }>;
  cookies?: Record<string, string>;
}
export interface Case {
  /** Creates what the call needs and returns a call that succeeds. */
  good(company: TestCompany): Promise<Call> | Call;
  /** A call that returns 422; by default, each field of the body, or the query, has a wrong type. */
  invalid?(good: Call): Call;
  /** A call that returns 409 after `good`; by default, for calls that create, another body under the same key. */
  conflict?(good: Call, company: TestCompany): Promise<Call> | Call;
  /** A call that returns 404; by default, another company makes the same call. */
  nothing?(good: Call): Call;
  /** True where the call is about the caller themselves. */
  isOfCaller?: true;
  /** Further requests, by the status that the OpenAPI document lists. */
  others?: Partial<Record<number, (good: Call, company: TestCompany) => Promise<InjectOptions>>>;
}

export const get = (path: string): Case => ({ good: () => ({ path }) });
export const post = (path: string, body: Body): Case => ({ good: () => ({ path, body }) });

/** A case for a call on an entity that `made` creates. */
export const onEntity = (
  path: string,
  made: (company: TestCompany) => Promise<string>,
  body?: Body,
  over: Partial<Case> = {},
): Case => ({
  good: async (company) => ({ path: `${path}/${await made(company)}`, ...(body && { body }) }),
  ...over,
});

let addresses = 0;
/** An IP address that no call came from yet. */
export const freshAddress = () => `10.1.${Math.floor((addresses += 1) / 250)}.${addresses % 250}`;

/** A case for a call of the operator; by default, 404 for an unknown id. */
export const inOperator = (
  path: (company: TestCompany) => Promise<string> | string,
  body?: Body,
  over: Partial<Case> = {},
): Case => ({
  good: async (company) => ({ path: await path(company), ...(body && { body }) }),
  nothing: (good) => ({ ...good, path: good.path.replace(/[\da-f]{8}-[\da-f-]{27}/, unknown) }),
  ...over,
});

export async function multipart(
  method: string,
  path: string,
  company: TestCompany,
  parts: NonNullable<Call['parts']>,
  headers: Record<string, string> = {},
): Promise<InjectOptions> {
  const data = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') data.append(name, part);
    else data.append(name, new Blob([new Uint8Array(part.content)]), part.name);
  }
  const request = new Request('http://bidwell.test', { method: 'POST', body: data });
  return {
    method: method as 'POST',
    url: `/api/internal${path}`,
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      authorization: `Bearer ${company.token}`,
      'content-type': request.headers.get('content-type')!,
      ...headers,
    },
  };
}

export function read(good: Call, company: TestCompany, headers: Record<string, string>): InjectOptions {
  return {
    method: 'GET',
    url: `/api/internal${good.path}`,
    headers: { authorization: `Bearer ${company.token}`, ...headers },
  };
}
