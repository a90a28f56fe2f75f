import { consoleEndpoints } from '@bidwell/testing/console-endpoints';
import { expect, test } from 'vitest';
import { scopesWith } from '../accounts/scope.ts';
import { keyEndpoints } from './key-calls.ts';

test('each call that a scope allows is named, and no other', async () => {
  const all = await consoleEndpoints();
  const allowed = all.filter(
    ({ companyPermission }) => companyPermission && scopesWith(companyPermission).length > 0,
  );
  const callOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
  expect(
    keyEndpoints()
      .map(({ endpoint }) => callOf(endpoint))
      .sort(),
  ).toEqual(allowed.map(callOf).sort());
  const names = keyEndpoints().map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['listCampaigns', 'archiveApp', 'duplicateCampaign']));
});
