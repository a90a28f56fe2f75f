import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import { expect, test } from 'vitest';
import { rightFor } from './screen-rights.ts';

test.each(['/finances', '/profile', '/alerts', '/companies'])('everybody may open %s', (path) => {
  expect(rightFor(path)).toBeUndefined();
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
});
