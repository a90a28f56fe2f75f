import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type FairQueueLimits, fairQueue } from './fair-queue.ts';

const limits: FairQueueLimits = { running: 2, runningEach: 1, waiting: 100, waitingEach: 60, waitMs: 60_000 };

/** Queues work that is recorded when it begins, and ends when the test calls `end`. */
function bench(over: Partial<FairQueueLimits> = {}) {
  const queue = fairQueue({ ...limits, ...over }, 'reports');
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const call = (owner: string, name: string, options?: { key?: string; signal?: AbortSignal }) => {
    const result = queue.run(
      owner,
      async () => {
        begun.push(name);
        await new Promise<void>((end) => ends.set(name, end));
        return name;
      },
      options,
    );
    // Callers that still wait at the end of a test are rejected during a later one.
    result.catch(() => {});
    return result;
  };
  const settle = async () => {
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
  };
  const end = async (name: string) => {
    await settle();
    ends.get(name)!();
    ends.delete(name);
    await settle();
  };
  return { queue, begun, call, end, settle };
}

test('while one owner queues sixty calls, the next turn goes to a second owner, then to a third', async () => {
  const { begun, call, end, settle } = bench();
  for (let n = 0; n < 60; n += 1) void call('greedy', `greedy ${n}`);
  void call('one', 'one 0');
  void call('one', 'one 1');
  void call('two', 'two 0');
  await settle();
  expect(begun).toEqual(['greedy 0', 'one 0']);
  await end('one 0');
  expect(begun.slice(2)).toEqual(['one 1']);
  await end('one 1');
  expect(begun.slice(3)).toEqual(['two 0']);
  await end('greedy 0');
  expect(begun.slice(4)).toEqual(['greedy 1']);
});

test('owners take turns when all slots are taken', async () => {
  const { begun, call, end } = bench({ running: 1 });
  for (let n = 0; n < 3; n += 1) void call('a', `a${n}`);
  for (let n = 0; n < 2; n += 1) void call('b', `b${n}`);
  void call('c', 'c0');
  for (const name of ['a0', 'a1', 'b0', 'c0', 'a2']) await end(name);
  expect(begun).toEqual(['a0', 'a1', 'b0', 'c0', 'a2', 'b1']);
});

test('too many calls are rejected: of one owner with 429, of all owners with 503', async () => {
  const { call } = bench({ waitingEach: 1, waiting: 2 });
  void call('a', 'a0');
  void call('b', 'b0');
  void call('a', 'a1');
  await expect(call('a', 'a2')).rejects.toMatchObject({ name: 'RateLimited', retryAfterSeconds: 5 });
  void call('b', 'b1');
  await expect(call('c', 'c0')).rejects.toMatchObject({ name: 'Unavailable' });
});

test('owners who fill the queue together make room for one with less waiting', async () => {
  const { begun, call, end } = bench({ running: 1, waitingEach: 3, waiting: 6 });
  void call('a', 'a0');
  const filling = ['a', 'b'].flatMap((owner) => [1, 2, 3].map((n) => call(owner, `${owner}${n}`)));
  for (const name of ['c0', 'c1']) void call('c', name);
  await expect(filling[2]).rejects.toMatchObject({ name: 'RateLimited' });
  await expect(filling[5]).rejects.toMatchObject({ name: 'RateLimited' });
  // All have two waiting now: one more would be unfair to the others.
  await expect(call('c', 'c2')).rejects.toMatchObject({ name: 'Unavailable' });
  for (const name of ['a0', 'a1', 'b1', 'c0', 'a2', 'b2', 'c1']) await end(name);
  expect(begun).toHaveLength(7);
});

test('the callers of shared work are limited, and callers that leave make room', async () => {
  const { call, end } = bench({ waitingEach: 1, waiting: 2 });
  void call('a', 'first');
  const gone = new AbortController();
  const sharers = [undefined, ...Array.from({ length: 4 }, () => gone.signal)];
  const shared = sharers.map((signal) => call('a', 'shared', { key: 'same', ...(signal && { signal }) }));
  await expect(call('a', 'one more', { key: 'same' })).rejects.toMatchObject({ name: 'RateLimited' });
  gone.abort(new Error('gone'));
  const last = call('a', 'last', { key: 'same' });
  await end('first');
  await end('shared');
  expect(await Promise.all([shared[0], last])).toEqual(['shared', 'shared']);
});

test('waiting work is shared by calls with the same key, running work is not', async () => {
  const { queue, begun, call, end } = bench();
  const first = call('a', 'first', { key: 'same' });
  const second = call('a', 'second', { key: 'same' });
  const third = call('a', 'third', { key: 'same' });
  expect(queue.waiting).toBe(1);
  await end('first');
  await end('second');
  expect(await Promise.all([first, second, third])).toEqual(['first', 'second', 'second']);
  expect(begun).toEqual(['first', 'second']);
});

test('an aborted caller leaves the queue, unless another one shares the result', async () => {
  const { queue, begun, call, end } = bench();
  void call('a', 'first');
  const [one, two] = [new AbortController(), new AbortController()];
  const aborted = call('a', 'alone', { key: 'alone', signal: one.signal });
  const shared = [one, two].map(({ signal }) => call('a', 'shared', { key: 'shared', signal }));
  one.abort(new Error('gone'));
  await expect(aborted).rejects.toThrow('gone');
  expect(queue.waiting).toBe(1);
  await end('first');
  await end('shared');
  expect(await shared[1]).toBe('shared');
  expect(begun).toEqual(['first', 'shared']);
});

test('a caller that waits too long is rejected, and a failure frees its slot', async () => {
  vi.useFakeTimers();
  const { queue, call, end } = bench();
  void call('a', 'first');
  const late = call('a', 'late');
  const rejection = expect(late).rejects.toMatchObject({ name: 'Unavailable', retryAfterSeconds: 10 });
  await vi.advanceTimersByTimeAsync(60_000);
  await rejection;
  vi.useRealTimers();
  expect(queue.waiting).toBe(0);
  await end('first');
  await expect(queue.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await queue.run('a', async () => 'next')).toBe('next');
});

test('a pause after work holds up its owner only', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { queue, begun, call, end, settle } = bench();
  const endOfOne = await queue.enter('a');
  void call('b', 'b0');
  for (const name of ['a1', 'a2']) void call('a', name);
  void call('c', 'c0');
  endOfOne(1000);
  await settle();
  expect(begun).toEqual(['b0', 'c0']);
  await end('b0');
  await vi.advanceTimersByTimeAsync(999);
  expect(begun).toEqual(['b0', 'c0']);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual(['b0', 'c0', 'a1']);
});

test("in any order of calls and ends, no limit is exceeded and each owner's calls run in order", async () => {
  const Requests = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(
      Requests,
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 2 }),
      async (owners, running, runningEach) => {
        const { queue, begun, call, end, settle } = bench({ running, runningEach });
        const all = owners.map((owner, n) => call(owner, `${owner} ${n}`));
        let ended = 0;
        await settle();
        while (ended < owners.length) {
          const now = begun.slice(ended);
          expect(begun.length - ended).toBeLessThanOrEqual(running);
          for (const owner of ['a', 'b', 'c'])
            expect(now.filter((name) => name.startsWith(owner)).length).toBeLessThanOrEqual(runningEach);
          await end(begun[ended]!);
          ended += 1;
        }
        await Promise.all(all);
        expect(queue.waiting).toBe(0);
        for (const owner of ['a', 'b', 'c'])
          expect(begun.filter((name) => name.startsWith(owner))).toEqual(
            owners.flatMap((caller, n) => (caller === owner ? [`${owner} ${n}`] : [])),
          );
      },
    ),
  );
});

test('in any order of calls, an owner with rejected work has about as much waiting as any other', async () => {
  const Owners = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(Owners, fc.integer({ min: 1, max: 4 }), async (owners, waitingEach) => {
      const { queue, call, settle } = bench({ running: 1, waitingEach, waiting: 6 });
      void call('first', 'runs');
      const waiting = new Map<string, number>(owners.map((owner) => [owner, 0]));
      const rejected = new Set<string>();
      const add = (owner: string, by: number) => waiting.set(owner, waiting.get(owner)! + by);
      for (const [n, owner] of owners.entries()) {
        add(owner, 1);
        call(owner, `${owner} ${n}`).catch(() => {
          add(owner, -1);
          rejected.add(owner);
        });
        await settle();
      }
      const counts = [...waiting.values()];
      const most = Math.max(0, ...counts);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(queue.waiting);
      expect(queue.waiting).toBeLessThanOrEqual(6);
      expect(most).toBeLessThanOrEqual(waitingEach);
      for (const owner of rejected) expect(waiting.get(owner)).toBeGreaterThanOrEqual(most - 1);
    }),
  );
});
