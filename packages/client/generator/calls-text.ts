import '@bidwell/contract/lib/examples';
import { scopesWith } from '@bidwell/contract/accounts/scope';
import type { Endpoint } from '@bidwell/contract/lib/endpoint';
import { type NamedEndpoint, keyEndpoints } from '@bidwell/contract/lib/key-calls';
import { z } from 'zod';
import { type JsonSchema, typeText } from './type-text.ts';

/** Named types, by name, as TypeScript. */
type Named = Map<string, string>;

/** The text of `src/calls.ts`, not yet formatted: the types of all calls, and what sending one takes. */
export function callsText(): string {
  const endpoints = keyEndpoints();
  const named: Named = new Map();
  const types = endpoints.map((each) => callType(each, named));
  const entries = endpoints.map(({ name, endpoint }) => `${name}: ${JSON.stringify(entryOf(endpoint))},`);
  const interfaces = [...named]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, type]) => `export type ${name} = ${type};`);
  return [
    '// Written by packages/client/generator/main.ts from the contract. Do not edit.',
    '',
    ...interfaces,
    '',
    '/** What each call takes and answers. */',
    'export interface Calls {',
    ...types,
    '}',
    '',
    '/** How each call is sent. */',
    'export const calls = {',
    ...entries,
    '} as const;',
    '',
  ].join('\n');
}

function callType({ name, endpoint }: NamedEndpoint, named: Named): string {
  const { method, path, summary, params, query, body, form, companyPermission } = endpoint;
  const scopes = scopesWith(companyPermission!).join(' or ');
  const parts = [
    ...partText('params', params, named),
    ...partText('query', query, named),
    ...partText('body', body, named),
    ...(form ? [`form${body ? '?' : ''}: FormData;`] : []),
    `data: ${dataText(endpoint, named)};`,
  ];
  return `/** ${summary}. ${method} ${path}; scope ${scopes}. */\n${name}: { ${parts.join('\n')} };`;
}

function partText(name: string, schema: z.ZodType | undefined, named: Named): string[] {
  if (!schema) return [];
  // A form may take the place of a body.
  const isOptional = schema.safeParse({}).success;
  return [`${name}${isOptional ? '?' : ''}: ${schemaText(schema, 'input', named)};`];
}

/** The type of a successful response's data; a file is the response, whose body is not read yet. */
function dataText({ response }: Endpoint, named: Named): string {
  const success = response[200] ?? response[201]!;
  if ('content' in success) return 'Response';
  const { data } = (success as z.ZodObject<{ data: z.ZodType }>).shape;
  return schemaText(data, 'output', named);
}

function schemaText(schema: z.ZodType, io: 'input' | 'output', named: Named): string {
  // In an object, so that a schema with a name of its own is referred to by it.
  const json = z.toJSONSchema(z.object({ value: schema }), { io, unrepresentable: 'any' }) as JsonSchema;
  const nameOf = (ref: string) => {
    const name = ref.split('/').at(-1)!;
    return io === 'input' ? `${name}Input` : name;
  };
  for (const [id, definition] of Object.entries(json.$defs ?? {}))
    named.set(nameOf(id), typeText(definition, nameOf));
  return typeText(json.properties!['value']!, nameOf);
}

/** What the client needs to send a call. */
function entryOf({ method, path, companyPermission, response, answersSecret, version }: Endpoint) {
  const isCreate = Object.hasOwn(response, 201) && !answersSecret;
  return {
    method,
    path,
    /** Whether it may be sent again when it is not known whether it was executed: it reads, or takes an idempotency key. */
    kind: isCreate ? 'create' : companyPermission!.endsWith('.read') ? 'read' : 'write',
    ...('content' in (response[200] ?? response[201]!) && { isFile: true }),
    ...(version &&
      method !== 'GET' &&
      method !== 'POST' && {
        takesMatch: true,
        /** Fields that its version leaves out. */
        ...(version.ignoring.length > 0 && { ignoring: version.ignoring }),
      }),
  };
}
