import { expect, onTestFinished, test } from 'vitest';
import { LoopClock } from './loop-clock.ts';

/** A clock in an event loop whose work, idle time and polls the test sets. */
function loop() {
  let nowMs = 1000;
  let idleMs = 500;
  let polls = 7;
  const clock = new LoopClock({ now: () => nowMs, idle: () => idleMs, polls: () => polls });
  onTestFinished(() => clock.close());
  return {
    waitedMs: () => clock.waitedMs(),
    endTurn: () => clock.endTurn(),
    work: (ms: number) => void (nowMs += ms),
    /** Polls the sockets, after waiting for an event. */
    poll(ms = 0) {
      nowMs += ms;
      idleMs += ms;
      polls += 1;
    },
  };
}

test('a request that ends the idle time of the loop has not waited', () => {
  const { poll, work, endTurn, waitedMs } = loop();
  poll(300);
  expect(waitedMs()).toBe(0);
  work(5);
  endTurn();
  poll(40);
  expect(waitedMs()).toBe(0);
});

test('data read after a long turn can have waited since the sockets were read before it', () => {
  const { poll, work, endTurn, waitedMs } = loop();
  poll(10);
  work(80);
  endTurn();
  poll();
  expect(waitedMs()).toBe(80);
  work(3);
  expect(waitedMs()).toBe(83);
});

test('work between the end of a turn and the next poll counts', () => {
  const { poll, work, endTurn, waitedMs } = loop();
  poll(10);
  work(80);
  endTurn();
  // As a timer does.
  work(20);
  endTurn();
  poll();
  expect(waitedMs()).toBe(100);
});

test('a turn that needed no work does not make the next one wait', () => {
  const { poll, work, endTurn, waitedMs } = loop();
  poll(10);
  work(300);
  endTurn();
  poll();
  expect(waitedMs()).toBe(300);
  poll();
  expect(waitedMs()).toBe(0);
  poll(5);
  expect(waitedMs()).toBe(0);
});

test('turns of the past do not count', () => {
  const { poll, work, endTurn, waitedMs } = loop();
  for (let turn = 0; turn < 10; turn += 1) {
    poll();
    work(50);
    endTurn();
  }
  poll(1);
  expect(waitedMs()).toBe(0);
});
