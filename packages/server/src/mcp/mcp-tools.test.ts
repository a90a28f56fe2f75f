import { API_SCOPES, type ApiScope, scopesWith } from '@bidwell/contract/accounts/scope';
import { CONSOLE_API, type Endpoint } from '@bidwell/contract/lib/endpoint';
import { keyEndpoints } from '@bidwell/contract/lib/key-calls';
import { assistantMessages } from '@bidwell/contract/text/assistant-messages';
import { apiCases } from '@bidwell/testing/api-cases';
import type { Call } from '@bidwell/testing/api-cases/case';
import { apiKeyOf } from '@bidwell/testing/caller-tokens';
import { assistantAt, toolsOf } from '@bidwell/testing/callers/assistant';
import { storedState } from '@bidwell/testing/callers/stored-state';
import { testApp } from '@bidwell/testing/test-app';
import { isWhole } from '@bidwell/testing/whole-run';
import { beforeAll, expect, test } from 'vitest';
import { TOOL_GROUPS } from './tool-groups.ts';

const app = await testApp({ MODERATION: 'auto', HOST: '127.0.0.1', LOG_LEVEL: 'silent' });
await app.listen();
const cases = apiCases(app);

/** The tools that there should be: all JSON calls, without calls at earlier addresses. */
const declared = keyEndpoints()
  .filter(({ name, endpoint }) => hasJson(endpoint) && !/Alias$|InternalCreativeGroup$/.test(name))
  .map(({ name, endpoint }) => ({
    tool: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    endpoint,
    scopes: scopesWith(endpoint.companyPermission!),
    scenario: cases[`${endpoint.method} ${CONSOLE_API}${endpoint.path.replaceAll(/:(\w+)/g, '{$1}')}`]!,
    isRead: endpoint.companyPermission!.endsWith('.read'),
  }));
/** The tool that offers a call, and the argument that selects the call. */
const places = new Map(
  Object.entries(TOOL_GROUPS).flatMap(([name, { calls, usual }]) =>
    Object.entries(calls).map(
      ([choice, call]) => [call, { name, choice, isUsual: choice === usual }] as const,
    ),
  ),
);
const NOT_OFFERED = [
  'archive_internal_creative',
  'restore_internal_creative',
  'remove_internal_creative',
  'begin_audience_upload',
  'read_audience_upload',
  'finish_audience_upload',
];

function hasJson({ form, body, response }: Endpoint): boolean {
  return (!form || body !== undefined) && !('content' in (response[200] ?? response[201]!));
}

/** A key of each scope, of a company other than the company of each call. */
let strangers: Record<ApiScope, string>;
beforeAll(async () => {
  const stranger = await app.freshCompany();
  const made = API_SCOPES.map(async (scope) => [scope, await apiKeyOf(stranger, [scope])] as const);
  strangers = Object.fromEntries(await Promise.all(made)) as Record<ApiScope, string>;
});

test('a key lists the tools of its scopes with their calls, and which of them only read', async () => {
  for (const scope of API_SCOPES) {
    const { tools } = await (await assistantAt(app, strangers[scope])).client.listTools();
    const listed = tools
      .filter(({ name }) => name !== 'why_not_spending')
      .flatMap(({ name, annotations, inputSchema }) => {
        const { what, action } = (inputSchema.properties ?? {}) as Record<string, { enum: string[] }>;
        const choices = (what ?? action)?.enum ?? [];
        return choices.length === 0
          ? [[name, annotations?.readOnlyHint]]
          : choices.map((choice) => [`${name} ${choice}`, annotations?.readOnlyHint]);
      });
    const expected = declared
      .filter(({ tool, scopes }) => scopes.includes(scope) && !NOT_OFFERED.includes(tool))
      .map(({ tool, isRead }) => {
        const place = places.get(tool);
        return [place ? `${place.name} ${place.choice}` : tool, isRead];
      });
    expect([scope, listed.sort()]).toEqual([scope, expected.sort()]);
  }
});

test('a key of all scopes has at most 100 tools, in a list below 56 kB: assistants take no more', async () => {
  const company = await app.freshCompany();
  const made = await company.call('POST', '/api_tokens', { name: 'All', scopes: API_SCOPES });
  const { tools } = await (await assistantAt(app, made.data.token)).client.listTools();
  expect(tools.length).toBeLessThanOrEqual(100);
  expect(Buffer.byteLength(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools } }))).toBeLessThan(
    56_000,
  );
});

for (const { tool, endpoint, scopes, scenario, isRead } of declared) {
  test(`${tool} is for keys with the scope ${scopes.join(' or ')}, and ${isRead ? 'reads' : 'changes nothing without its confirmation'}`, async () => {
    const company = await app.freshCompany();
    const sent = argumentsOf(endpoint.path, await scenario.good(company));
    const place = places.get(tool);
    const offered = place?.name ?? tool;
    const input = place && !place.isUsual ? { ...sent, [isRead ? 'what' : 'action']: place.choice } : sent;
    const call = toolsOf(app, await apiKeyOf(company, [scopes[0]!]));
    // A requested confirmation is stored until it is given.
    const state = async () => storedState(app, company, { without: ['assistant_confirmations'] });
    const before = await state();
    const denied = API_SCOPES.filter((scope) => !scopes.includes(scope));
    // The first test compares the tools of all scopes with their calls.
    for (const scope of isWhole ? denied : denied.slice(0, 2))
      expect([scope, await toolsOf(app, strangers[scope])(tool, sent)]).toMatchObject([
        scope,
        { isError: true, texts: [assistantMessages.unknownTool(tool)] },
      ]);
    const first = await call(offered, input);
    expect(first.texts).toEqual([assistantMessages.data, expect.any(String)]);
    if (isRead) return expect(await state()).toEqual(before);
    expect(first.data.note).toBe(assistantMessages.notConfirmed);
    const dry = await call(offered, { ...input, dry_run: true });
    expect(dry.data).toMatchObject({ note: assistantMessages.dryRun });
    expect(dry.data).not.toHaveProperty('confirmation');
    expect(await state()).toEqual(before);
    const { confirmation } = first.data;
    expect(await call(offered, { ...input, confirmation })).toMatchObject({ isError: false });
    expect(await call(offered, { ...input, confirmation })).toMatchObject({ isError: true });
  });
}

/** The arguments of a tool for a call of the API. */
function argumentsOf(path: string, { path: address, body, parts }: Call): Record<string, unknown> {
  const [place, search] = address.split('?');
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`);
  const values = pattern.exec(place!)!.slice(1);
  // Bodies that may be sent as a form or as JSON.
  const texts = Object.entries(parts ?? {}).filter(([, part]) => typeof part === 'string');
  return {
    ...(names.length > 0 && {
      params: Object.fromEntries(names.map((name, index) => [name, values[index]])),
    }),
    ...(search !== undefined && { query: Object.fromEntries(new URLSearchParams(search)) }),
    ...((body ?? parts) && { body: body ?? Object.fromEntries(texts) }),
  };
}
