import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { REPEAT_MS, createLogger, plainLog } from './logger.ts';

beforeEach(() => void vi.useFakeTimers());

afterEach(() => void vi.useRealTimers());

function capturedLog() {
  const lines: { msg: string; suppressed?: number; err?: { message: string } }[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as (typeof lines)[0]);
      done();
    },
  });
  return { log: createLogger('info', destination), lines };
}

test('equal lines are logged once in ten seconds, then with the number of suppressed ones', () => {
  const { log, lines } = capturedLog();
  const cut = (port: number) => new Error(`connect ECONNREFUSED 127.0.0.1:${port}`);
  for (let time = 0; time < 4090; time += 1) log.error({ err: cut(time), job: 'lease' }, 'job failed');
  expect(lines).toHaveLength(1);
  vi.advanceTimersByTime(REPEAT_MS);
  expect(lines.map(({ msg, suppressed }) => [msg, suppressed])).toEqual([
    ['job failed', undefined],
    ['job failed', 4089],
  ]);
  expect(lines[1]!.err?.message).toContain('ECONNREFUSED');
  log.error({ err: cut(1), job: 'lease' }, 'job failed');
  expect(lines).toHaveLength(2);
  vi.advanceTimersByTime(REPEAT_MS);
  expect(lines).toHaveLength(3);
  vi.advanceTimersByTime(3 * REPEAT_MS);
  log.error({ err: cut(1), job: 'lease' }, 'job failed');
  expect(lines).toHaveLength(4);
});

test('other messages, other errors, other jobs and lines below warning are all logged', () => {
  const { log, lines } = capturedLog();
  log.error({ err: new Error('unavailable'), job: 'one' }, 'job failed');
  log.error({ err: new Error('unavailable'), job: 'two' }, 'job failed');
  log.error({ err: new Error('broken'), job: 'two' }, 'job failed');
  log.child({ reqId: 1 }).error(new TypeError('broken'));
  log.warn('job failed');
  log.info('started');
  log.info('started');
  expect(lines).toHaveLength(7);
});

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
