import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Arrivals } from './arrivals.ts';

const socket = new Socket();

/** Arrivals in an event loop whose work, idle time and polls the test sets. */
function loop() {
  let nowMs = 1000;
  let idleMs = 500;
  let polls = 7;
  const arrivals = new Arrivals({ now: () => nowMs, idle: () => idleMs, polls: () => polls });
  onTestFinished(() => arrivals.close());
  arrivals.waitedMs(socket);
  return {
    waitedMs: () => arrivals.waitedMs(socket),
    accepted: (one: Socket) => arrivals.accepted(one),
    arrivals,
    endTurn: () => arrivals.endTurn(),
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
  poll(40);
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

test('requests that are read in the turn after a freeze can have waited through it, and later ones not', () => {
  const { poll, work, endTurn, waitedMs } = loop();
  poll(10);
  work(3);
  endTurn();
  poll(8000);
  expect(waitedMs()).toBe(8000);
  work(5);
  endTurn();
  // The system call that was interrupted may not have looked at the sockets.
  poll(20);
  expect(waitedMs()).toBe(8025);
  endTurn();
  poll(20);
  expect(waitedMs()).toBe(0);
});

test('a freeze is noticed of a turn without requests, too', () => {
  const { poll, work, endTurn, waitedMs } = loop();
  poll(60);
  work(1);
  endTurn();
  poll();
  expect(waitedMs()).toBe(61);
});

test('new connections can have waited to be accepted since the last turn that accepted none', () => {
  const { poll, work, endTurn, waitedMs, accepted, arrivals } = loop();
  poll(10);
  work(3000);
  endTurn();
  const sockets = Array.from({ length: 3 }, () => new Socket());
  for (const [turn, one] of sockets.entries()) {
    poll();
    accepted(one);
    const before = sockets[turn - 1];
    if (before) expect(arrivals.waitedMs(before)).toBe(3000 + turn);
    // An older connection is read in each turn.
    expect(waitedMs()).toBe(turn === 0 ? 3000 : 1);
    work(1);
    endTurn();
  }
  poll();
  expect(arrivals.waitedMs(sockets[2]!)).toBe(3003);
  endTurn();
  // What it sends next was not there when it was accepted.
  poll(1);
  expect(arrivals.waitedMs(sockets[2]!)).toBe(0);
  const late = new Socket();
  accepted(late);
  poll(1);
  expect(arrivals.waitedMs(late)).toBe(1);
});

test('a connection that is accepted arrived after the one that many before it were', () => {
  const { poll, work, endTurn, accepted, arrivals } = loop();
  poll(10);
  work(3000);
  endTurn();
  for (let turn = 0; turn < 1000; turn += 1) {
    poll();
    accepted(new Socket());
    work(1);
    endTurn();
  }
  const last = new Socket();
  poll();
  accepted(last);
  endTurn();
  poll();
  expect(arrivals.waitedMs(last)).toBe(512);
});

test('a process that waits for its next request for long is not taken for a frozen one', async () => {
  const arrivals = new Arrivals();
  onTestFinished(() => arrivals.close());
  arrivals.waitedMs(socket);
  // The time without requests is what is tested: longer than a freeze has to be.
  await wait(250);
  expect(arrivals.waitedMs(socket)).toBeLessThan(150);
});

test('paused connections are read again in their order, at most 64 in a turn, and may have waited since', async () => {
  const { arrivals, poll, work } = loop();
  const sockets = Array.from({ length: 70 }, () => new Socket());
  const paused = (): number => sockets.filter((one) => one.isPaused()).length;
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  poll(10);
  for (const one of sockets) {
    one.resume();
    arrivals.pause(one);
  }
  expect(paused()).toBe(70);
  await turn();
  work(80);
  arrivals.endTurn();
  expect(paused()).toBe(6);
  expect(sockets.slice(64).every((one) => one.isPaused())).toBe(true);
  poll(5);
  expect(arrivals.waitedMs(sockets[0]!)).toBe(85);
  expect(arrivals.waitedMs(sockets[69]!)).toBe(0);
  await turn();
  expect(paused()).toBe(0);
  expect(arrivals.waitedMs(sockets[69]!)).toBe(85);
  arrivals.pause(sockets[0]!);
  arrivals.resumeAll();
  arrivals.pause(sockets[1]!);
  expect(paused()).toBe(0);
});
