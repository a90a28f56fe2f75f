import { expect, test } from 'vitest';
import { createLogger, plainLog } from './logger.ts';

test('a terminal gets plain lines, with fields and errors, and no JSON', () => {
  let text = '';
  const log = createLogger(
    'info',
    plainLog((line) => (text += line)),
  );
  log.info({ values: 3 }, 'secrets of the database were encrypted');
  log.warn('a key was lost');
  log.error({ err: new Error('no route to host'), job: 'lease' }, 'job failed');
  const [first, second, third, ...stack] = text.split('\n');
  expect(first).toMatch(/^\d\d:\d\d:\d\d info: secrets of the database were encrypted \(values: 3\)$/);
  expect(second).toMatch(/ warning: a key was lost$/);
  expect(third).toMatch(/ error: job failed \(job: lease\)$/);
  expect(stack[0]).toBe('  Error: no route to host');
  expect(text).not.toContain('{"');
});
