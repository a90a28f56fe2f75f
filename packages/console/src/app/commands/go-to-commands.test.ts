import { expect, test } from 'vitest';
import { findCommands } from './commands.ts';
import { goToCommands } from './go-to-commands.ts';

const found = (role: 'owner' | 'finance', text: string) =>
  findCommands(
    goToCommands(role, () => {}),
    text,
  ).map(({ label }) => label);

test.each([
  ['alerts', 'Alerts'],
  ['skad', 'SKAdNetwork'],
  ['scheduled', 'Scheduled reports'],
  ['approval', 'Approvals'],
  ['draft', 'Drafts'],
  ['people', 'People'],
  ['invite', 'People'],
  ['api key', 'API keys'],
  ['invoice', 'Invoices'],
  ['top up', 'Finances'],
  ['password', 'Sign-in'],
])('%s finds %s', (text, label) => {
  expect(found('owner', text)).toContain(label);
});

test('a budget is on several screens', () => {
  expect(found('owner', 'budget')).toEqual(['Campaigns', 'Approvals', 'Company']);
});

test('what the role does not include is not found', () => {
  expect(found('finance', 'api key')).toEqual([]);
  expect(found('finance', 'approval')).toEqual([]);
  expect(found('finance', 'invoice')).toEqual(['Invoices']);
});

test('a part is opened by its query', () => {
  const opened: unknown[] = [];
  const [command] = findCommands(
    goToCommands('owner', (to) => opened.push(to)),
    'api keys',
  );
  command!.run();
  expect(opened).toEqual([{ to: '/profile', search: { tab: 'api' } }]);
});
