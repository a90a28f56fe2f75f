import { expect, test } from 'vitest';
import { mailsText } from './schedule-values.ts';

test('a report that waits has no number of mails before one was sent', () => {
  expect(mailsText({ status: 'waiting', mailed: 0 })).toBe('–');
  expect(mailsText({ status: 'waiting', mailed: 2 })).toBe('2');
  expect(mailsText({ status: 'sent', mailed: 12 })).toBe('12');
  expect(mailsText({ status: 'failed', mailed: 0 })).toBe('0');
});
