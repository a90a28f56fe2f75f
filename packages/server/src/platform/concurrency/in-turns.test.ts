import { expect, test } from 'vitest';
import { inTurns } from './in-turns.ts';

test('work begins in its order, after the caller, and all of it is done', async () => {
  const turns = inTurns();
  const done: number[] = [];
  const all = new Promise<void>((resolve) => {
    for (let number = 0; number < 1000; number += 1)
      turns('a', () => {
        done.push(number);
        if (number === 999) resolve();
        else if (number === 500) turns('a', () => done.push(-1));
      });
  });
  expect(done).toEqual([]);
  await all;
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toEqual([...Array.from({ length: 1000 }, (_, number) => number), -1]);
});

test('other work of the process goes on between long pieces', async () => {
  const turns = inTurns();
  let between = 0;
  const count = () => {
    between += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const busy = () => {
    for (const endsMs = performance.now() + 6; performance.now() < endsMs;);
  };
  for (let number = 1; number < 20; number += 1) turns('a', busy);
  await new Promise<void>((resolve) => turns('a', resolve));
  clearImmediate(next);
  // Two pieces fill a turn.
  expect(between).toBeGreaterThanOrEqual(9);
});

test('work of one owner begins although another owner has thousands waiting', async () => {
  const turns = inTurns();
  let others = 0;
  for (let number = 0; number < 5000; number += 1)
    turns('many', () => {
      others += 1;
    });
  await new Promise<void>((resolve) => {
    turns('one', () => turns('one', resolve));
  });
  expect(others).toBeLessThan(300);
});
