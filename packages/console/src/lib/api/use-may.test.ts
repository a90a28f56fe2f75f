import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
  sessionStorage.clear();
});

test('an operator who views a company as its owner only reads', async () => {
  sessionStorage.setItem('bidwell.viewer', '{}');
  const { mayAs } = await import('./use-may.ts');
  expect(mayAs('owner', 'campaign.read')).toBe(true);
  expect(mayAs('owner', 'campaign.write')).toBe(false);
  expect(mayAs('owner', 'money.write')).toBe(false);
});

test('the owner does what the role includes', async () => {
  const { mayAs } = await import('./use-may.ts');
  expect(mayAs('owner', 'campaign.write')).toBe(true);
  expect(mayAs('analyst', 'campaign.write')).toBe(false);
});
