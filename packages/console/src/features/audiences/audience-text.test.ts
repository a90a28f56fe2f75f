import type { AudienceImport } from '@bidwell/contract/audiences/schema';
import { expect, test } from 'vitest';
import { importText, lineText, matchRateText, matchText, outcomeText } from './audience-text.ts';

const done: AudienceImport = {
  uuid: '019a0000-0000-7000-8000-000000000001',
  mode: 'replace',
  source: 'upload',
  state: 'done',
  progress: 100,
  lines: 12,
  ids: 10,
  duplicates: 3,
  invalid: 2,
  invalid_lines: [{ line: 4, fault: 'ambiguous' }],
  size_before: 0,
  size_after: 7,
  error: null,
  created_at: '2026-03-02T09:15:00.000Z',
  finished_at: '2026-03-02T09:15:02.000Z',
};

test.each<[what: string, over: Partial<AudienceImport>, text: string]>([
  ['a whole import', {}, '10 ids in 12 lines, 3 repeated, 2 without an id. The audience has 7 ids'],
  ['an import without faults', { duplicates: 0, invalid: 0 }, '10 ids in 12 lines. The audience has 7 ids'],
  ['an import that runs', { state: 'running', progress: 35 }, 'Reads the file: 35%'],
  ['an import that waits', { state: 'waiting' }, 'Waits for its turn'],
  [
    'an import that failed',
    { state: 'failed', error: 'The gzip file is damaged or was cut off', lines: 0 },
    'The gzip file is damaged or was cut off',
  ],
  [
    'an import that failed after it read the file',
    { state: 'failed', error: 'None of the lines fits' },
    'None of the lines fits. Read: 10 ids in 12 lines, 2 without an id',
  ],
])('%s is a sentence', (_what, over, text) => {
  expect(outcomeText({ ...done, ...over })).toBe(text);
});

test('an import says what it does, and a line what it lacks', () => {
  expect(importText(done)).toBe('File, replaces all ids');
  expect(lineText(done.invalid_lines[0]!)).toBe(
    'Line 4: an MD5 or an id without hyphens: say which in the settings of the audience',
  );
});

test('the match rate is shown after a day, and is never 0 before it', () => {
  const user = { type: 'adset', uuid: done.uuid, name: 'First', is_archived: false } as const;
  const matches = {
    look_ups: 2000,
    found: 150,
    people: 40,
    percent: 12.5,
    from: '2026-03-01T09:15:00.000Z',
    to: '2026-03-02T09:15:00.000Z',
  };
  expect(matchRateText({ matches: null, used_by: [] })).toBe('–');
  expect(matchRateText({ matches: null, used_by: [user] })).toBe('Not known yet');
  // No ad set uses the target.
  expect(matchRateText({ matches: null, used_by: [{ ...user, type: 'target', is_idle: true }] })).toBe('–');
  expect(matchRateText({ matches, used_by: [user] })).toBe('12.50%');
  expect(matchText({ matches: null, size: 320 })).toContain('not known yet');
  expect(matchText({ matches, size: 320 })).toMatch(
    /about 40 of its people were in bid requests, 12.50% of its ids. 150 of 2.000 look-ups found their person\.$/,
  );
  expect(matchText({ matches: { ...matches, percent: null }, size: 0 })).not.toContain('%');
});
