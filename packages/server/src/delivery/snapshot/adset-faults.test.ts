import { pino } from 'pino';
import { Counter, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { type AdsetFaultNotice, createAdsetFaults } from './adset-faults.ts';

const adset = {
  adsetId: 'adset',
  companyId: 'company',
  campaignName: 'Spring',
  viewUrl: 'http://view.example/',
};

function faultsOf({ servesSecure = true, failing = false } = {}) {
  const notices: AdsetFaultNotice[] = [];
  const logged: string[] = [];
  const clock = { now: new Date('2026-06-01T12:00:00Z') };
  const counter = new Counter({
    name: 'faults',
    help: 'Faults',
    labelNames: ['fault'],
    registers: [new Registry()],
  });
  const state = { failing };
  const faults = createAdsetFaults({
    log: pino({}, { write: (line: string) => void logged.push(line) }),
    now: () => clock.now,
    counter,
    servesSecure,
    notify: async (one) => {
      if (state.failing) throw new Error('The database is unavailable');
      notices.push(one);
    },
  });
  const count = async () => (await counter.get()).values.reduce((sum, { value }) => sum + value, 0);
  return { faults, notices, logged, clock, count, state };
}

test('each error is counted; the log and the owner get one message per ad set and day', async () => {
  const { faults, notices, logged, clock, count } = faultsOf();
  for (let times = 0; times < 1000; times += 1) faults.report('markup', adset, new Error('broken'));
  faults.report('markup', { ...adset, adsetId: 'other' }, new Error('broken'));
  await faults.flushed();
  expect(await count()).toBe(1001);
  expect(notices.map(({ adsetId }) => adsetId)).toEqual(['adset', 'other']);
  expect(notices[0]).toMatchObject({ companyId: 'company', text: expect.stringContaining('“Spring”') });
  expect(logged).toHaveLength(2);
  clock.now = new Date('2026-06-02T00:00:00Z');
  faults.report('markup', adset, new Error('broken'));
  await faults.flushed();
  expect(new Set(notices.map(({ onceKey }) => onceKey)).size).toBe(3);
});

test('an http address is reported until it changes, where the server uses https', async () => {
  const { faults, notices, clock } = faultsOf();
  faults.report('insecure_address', adset);
  clock.now = new Date('2026-06-20T12:00:00Z');
  faults.report('insecure_address', adset);
  faults.report('insecure_address', { ...adset, viewUrl: 'http://other.example/' });
  await faults.flushed();
  expect(notices).toHaveLength(2);
  const plain = faultsOf({ servesSecure: false });
  plain.faults.report('insecure_address', adset);
  await plain.faults.flushed();
  expect(plain.notices).toEqual([]);
});

test('an owner who could not be notified is notified the next time', async () => {
  const { faults, notices, state } = faultsOf({ failing: true });
  faults.report('settings', adset, new Error('broken'));
  await faults.flushed();
  state.failing = false;
  faults.report('settings', adset, new Error('broken'));
  await faults.flushed();
  expect(notices).toHaveLength(1);
});
