import { CONSOLE_API } from '@bidwell/contract/lib/endpoint';
import type { InjectOptions } from 'fastify';
import { type Call, freshAddress, multipart } from '../api-cases/case.ts';
import type { TestCompany } from '../test-app.ts';

/** The request of a call of the console's API with the token of a person or a program, from an address of its own. */
export async function requestOf(
  method: string,
  { path, body, parts }: Call,
  caller: TestCompany,
  headers: Record<string, string> = {},
): Promise<InjectOptions> {
  const remoteAddress = freshAddress();
  if (parts) return { ...(await multipart(method, path, caller, parts, headers)), remoteAddress };
  return {
    method: method as 'GET',
    url: CONSOLE_API + path,
    remoteAddress,
    headers: { authorization: `Bearer ${caller.token}`, ...headers },
    ...(body && { payload: body }),
  };
}
