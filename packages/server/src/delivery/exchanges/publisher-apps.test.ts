import { expect, test } from 'vitest';
import { PublisherApps, type PublisherFacts } from './publisher-apps.ts';

const facts: PublisherFacts = {
  name: 'Runner',
  storeLink: 'https://play.google.com/store/apps/details?id=com.runner',
  publisher: 'Runner Studio',
  chain: 'complete',
  sellerDomain: 'seller.example',
  sellerId: '17',
};
const MINUTE_MS = 60_000;
const waitingIn = (apps: PublisherApps) => apps.waiting().apps;

test('an app is stored once a day, and when its facts change', () => {
  const apps = new PublisherApps();
  apps.add('com.runner', 'adx', 0, () => facts);
  apps.add('com.runner', 'adx', 1, () => facts);
  const { apps: first, done } = apps.waiting();
  expect(first).toEqual([{ ...facts, bundle: 'com.runner', exchange: 'adx', atMs: 0 }]);
  done();
  for (let minute = 1; minute < 24 * 60; minute += 1)
    apps.add('com.runner', 'adx', minute * MINUTE_MS, () => facts);
  expect(waitingIn(apps)).toEqual([]);
  apps.add('com.runner', 'adx', 24 * 60 * MINUTE_MS, () => facts);
  expect(waitingIn(apps)).toHaveLength(1);
  apps.waiting().done();
  apps.add('com.runner', 'adx', 24 * 61 * MINUTE_MS, () => ({ ...facts, name: 'Runner 2' }));
  expect(waitingIn(apps)).toMatchObject([{ name: 'Runner 2' }]);
});

test('a supply chain is as good as the weakest of the day', () => {
  const apps = new PublisherApps();
  apps.add('com.runner', 'adx', 0, () => facts);
  apps.add('com.runner', 'adx', MINUTE_MS, () => ({ ...facts, chain: 'absent' }));
  apps.add('com.runner', 'adx', 2 * MINUTE_MS, () => facts);
  expect(waitingIn(apps)).toMatchObject([{ chain: 'absent' }]);
});

test('apps are remembered in bounded memory, and only those with a valid bundle', () => {
  const apps = new PublisherApps();
  apps.add('', 'adx', 0, () => facts);
  apps.add('not a bundle', 'adx', 0, () => facts);
  expect(waitingIn(apps)).toEqual([]);
  for (let number = 0; number < 25_000; number += 1) apps.add(`com.app${number}`, 'adx', 0, () => facts);
  let stored = 0;
  for (let turn = 0; turn < 50; turn += 1) {
    const { apps: some, done } = apps.waiting();
    expect(some.length).toBeLessThanOrEqual(2000);
    stored += some.length;
    done();
  }
  expect(stored).toBe(20_000);
});
