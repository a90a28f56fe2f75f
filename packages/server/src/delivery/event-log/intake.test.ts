import { expect, test, vi } from 'vitest';
import { nextIntakeError, watchIntake } from './intake.ts';

const MIB = 1024 ** 2;
const calm = { waitingBytes: 0, bytesMax: 1024 * MIB, freeBytes: 5000 * MIB, failed: false };

test.each([
  ['a calm log', null, {}, null],
  ['a log under half', null, { waitingBytes: 500 * MIB }, null],
  ['a log over half', null, { waitingBytes: 520 * MIB }, 'log_filling'],
  ['a log that is not yet well under half', 'log_filling', { waitingBytes: 400 * MIB }, 'log_filling'],
  ['a log that is well under half again', 'log_filling', { waitingBytes: 300 * MIB }, null],
  ['a disk with little room', null, { freeBytes: 200 * MIB }, 'disk_filling'],
  ['a disk with hardly more room than that', 'disk_filling', { freeBytes: 300 * MIB }, 'disk_filling'],
  ['a disk with room again', 'disk_filling', { freeBytes: 400 * MIB }, null],
  ['a disk with unknown free space', null, { freeBytes: null }, null],
  ['a write that failed', null, { failed: true }, 'disk_failing'],
  [
    'a disk that takes writes again and has little room',
    'disk_failing',
    { freeBytes: 300 * MIB },
    'disk_filling',
  ],
] as const)('%s', (_name, present, facts, fault) => {
  expect(nextIntakeError(present, { ...calm, ...facts })).toBe(fault);
});

test('a failed disk is probed until it accepts a write', async () => {
  vi.useFakeTimers();
  let error: Error | null = new Error('no space left');
  const probe = vi
    .fn()
    .mockImplementationOnce(async () => {})
    .mockImplementation(async () => void (error = null));
  const log = { waiting: () => ({ bytes: 0, bytesMax: 1024 * MIB }), writeError: () => error, probe };
  const intake = watchIntake(log, 'anywhere', async () => 5000 * MIB);
  expect(intake.fault()).toBe('disk_failing');
  await vi.advanceTimersByTimeAsync(600);
  expect(intake.fault()).toBeNull();
  expect(probe).toHaveBeenCalledTimes(2);
  intake.stop();
  vi.useRealTimers();
});
