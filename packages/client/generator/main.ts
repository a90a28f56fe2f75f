/**
 * node --import ./scripts/typescript.mjs packages/client/generator/main.ts: writes src/generated, the types of the calls that API keys
 * may make and how each is sent.
 */
import { scopesWith } from '@bidwell/contract/accounts/scope';
import { CONSOLE_API, type Endpoint } from '@bidwell/contract/lib/endpoint';
import { keyEndpoints } from '@bidwell/contract/lib/key-calls';
import { documentOfCalls } from '@bidwell/server/platform/http/openapi/document';
import { mkdir, writeFile } from 'node:fs/promises';
import openapiTypes, { astToString } from 'openapi-typescript';

const calls = keyEndpoints();
const folder = new URL('../src/generated/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL('paths.ts', folder), await pathsText());
await writeFile(new URL('calls.ts', folder), callsText());

/** The types of the calls by path and method. */
async function pathsText(): Promise<string> {
  const document = await documentOfCalls(calls.map(({ endpoint }) => endpoint));
  // A field with a default may be left out of a request.
  return astToString(await openapiTypes(JSON.stringify(document), { defaultNonNullable: false }));
}

/** The calls by name, with the comments that their methods have. */
function callsText(): string {
  const entries = calls.map(({ name, endpoint }) => {
    const { method, path, summary, companyPermission } = endpoint;
    const scopes = scopesWith(companyPermission!).join(' or ');
    return `  /** ${summary}. ${method} ${path}; scope ${scopes}. */\n  ${name}: ${JSON.stringify(callOf(endpoint))},\n`;
  });
  return `export const calls = {\n${entries.join('')}} as const;\n`;
}

/** What the client needs to send a call. */
function callOf({ method, path, companyPermission, response, answersSecret, version }: Endpoint) {
  const isCreate = Object.hasOwn(response, 201) && !answersSecret;
  const takesMatch = version && method !== 'GET' && method !== 'POST';
  return {
    method: method.toLowerCase(),
    path: CONSOLE_API + path.replaceAll(/:(\w+)/g, '{$1}'),
    kind: isCreate ? 'create' : companyPermission!.endsWith('.read') ? 'read' : 'write',
    ...('content' in (response[200] ?? response[201]!) && { isFile: true }),
    ...(takesMatch && { version: { ignoring: version.ignoring } }),
  };
}
