import { expect, test } from 'vitest';
import { type Command, findCommands } from './commands.ts';

const command = (section: string, label: string, detail?: string): Command => ({
  id: `${section}:${label}`,
  section,
  label,
  ...(detail !== undefined && { detail }),
  run: () => {},
});

const commands = [
  command('Go to', 'Campaigns'),
  command('Create', 'New campaign'),
  command('Campaigns', 'Winter sale', 'Lumen Drift'),
  command('Campaigns', 'Sale of summer'),
  command('Ad sets', 'Wholesale'),
];
const labels = (text: string) => findCommands(commands, text).map(({ label }) => label);

test('without a text there are the screens and what can be made', () => {
  expect(labels('  ')).toEqual(['Campaigns', 'New campaign']);
});

test('names that begin with the text come before names that contain it, section by section', () => {
  expect(labels('sale')).toEqual(['Sale of summer', 'Winter sale', 'Wholesale']);
});

test('every word must be there, in any order and case, in the name or in the text next to it', () => {
  expect(labels('LUMEN sale')).toEqual(['Winter sale']);
  expect(labels('sale nothing')).toEqual([]);
});
