import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Endpoint, addressOf, endpoint } from './endpoint.ts';
import * as accounts from '../accounts/endpoints.ts';
import * as adsets from '../adsets/endpoints.ts';
import * as analytics from '../reports/endpoints.ts';
import * as apiTokens from '../accounts/api-token-endpoints.ts';
import * as apps from '../apps/endpoints.ts';
import { archiveEndpoints } from '../archive/endpoints.ts';
import { duplicateEndpoints } from '../duplicates/endpoints.ts';
import * as campaigns from '../campaigns/endpoints.ts';
import * as changes from '../changes/endpoints.ts';
import * as creativeGroups from '../creative-groups/endpoints.ts';
import * as creatives from '../creatives/endpoints.ts';
import * as files from '../creatives/file-endpoints.ts';
import * as insight from '../insight/endpoints.ts';
import * as finance from '../finance/endpoints.ts';
import * as notifications from '../notifications/endpoints.ts';
import * as operator from '../operator/endpoints.ts';
import * as postbacks from '../postbacks/endpoints.ts';
import * as reference from '../reference/endpoints.ts';
import * as targets from '../targets/endpoints.ts';
import * as trackingLinks from '../tracking-links/endpoints.ts';

// prettier-ignore
const ofConsole = [
  accounts, adsets, analytics, apiTokens, apps, campaigns, changes, creativeGroups, creatives, files, finance,
  insight, notifications, postbacks, reference, targets, trackingLinks, ...Object.values(archiveEndpoints), duplicateEndpoints,
].flatMap(endpointsIn);
const ofOperator = [operator, operator.decisions].flatMap(endpointsIn);

function endpointsIn(module: object): Endpoint[] {
  return Object.values(module).filter((value) => typeof value === 'object' && Object.hasOwn(value, 'path'));
}

test('every path parameter has a schema, and every schema a parameter', () => {
  for (const { path, params } of [...ofConsole, ...ofOperator]) {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect([path, params instanceof z.ZodObject ? Object.keys(params.shape) : []]).toEqual([path, names]);
  }
});

test('no two endpoints of an API have the same method and path', () => {
  for (const endpoints of [ofConsole, ofOperator]) {
    const calls = endpoints.map(({ method, path }) => `${method} ${path}`);
    expect(calls).toHaveLength(new Set(calls).size);
  }
  expect(ofConsole.length + ofOperator.length).toBeGreaterThan(90);
});

test('every endpoint has one successful response, and only those without a session are public', () => {
  for (const { path, response } of [...ofConsole, ...ofOperator])
    expect([path, Object.keys(response).filter((status) => /^20[01]$/.test(status)).length]).toEqual([
      path,
      1,
    ]);
  const open = ofConsole.filter(({ isPublic }) => isPublic).map(({ path }) => path);
  expect(new Set(open)).toEqual(
    new Set([
      '/captcha',
      '/registration',
      '/login',
      '/email-confirmation',
      '/password-reset',
      '/password-reset/confirm',
      '/refresh-token',
      '/logout',
    ]),
  );
});

test('an endpoint without a permission does not compile, unless it is public', () => {
  const open = { summary: 'Read a thing', response: {} } as const;
  // @ts-expect-error Who may make the call is missing.
  expect(endpoint('GET /thing', open)).toEqual({ method: 'GET', path: '/thing', ...open });
  expect(endpoint('GET /thing', { ...open, isPublic: true }).isPublic).toBe(true);
  expect(endpoint('GET /thing', { ...open, companyPermission: 'app.read' }).path).toBe('/thing');
});

test.each([
  [{}, '/thing/'],
  [{ params: { id: 'a/b ü' } }, '/thing/a%2Fb%20%C3%BC'],
  [
    { params: { id: 7 }, query: { page: 2, status: undefined, text: '', name: 'a&b' } },
    '/thing/7?page=2&name=a%26b',
  ],
  [{ params: { id: 'x' }, query: {} }, '/thing/x'],
])('the address of a call with %j is %s', (call, address) => {
  expect(addressOf({ path: '/thing/:id' }, call)).toBe(address);
});
