import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import { expect, test } from 'vitest';
import { mayOpen, rightFor } from './screen-rights.ts';

test.each(['/finances', '/profile', '/alerts', '/companies'])('everyone may open %s', (path) => {
  expect(rightFor(path)).toBeUndefined();
  expect(mayOpen('finance', path)).toBe(true);
});

test.each([
  '/campaigns',
  '/campaigns/approvals',
  '/adset/edit',
  '/reports/cohorts',
  '/assets',
  '/edit-app',
  '/creative-groups/edit',
  '/creatives',
  '/targets/edit',
  '/tracking-links',
  '/changes',
])('analysts may open %s, and who only handles money may not', (path) => {
  const { permission } = rightFor(path)!;
  expect(companyRoleHas('analyst', permission)).toBe(true);
  expect(companyRoleHas('finance', permission)).toBe(false);
  expect(mayOpen('analyst', path)).toBe(true);
  expect(mayOpen('finance', path)).toBe(false);
  expect(mayOpen(undefined, path)).toBe(true);
});
