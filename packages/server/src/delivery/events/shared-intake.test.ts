import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../../testing/test-app.ts';
import type { IntakeError } from './intake.ts';
import { shareIntake } from './shared-intake.ts';
import { eventually } from '../../testing/eventually.ts';

const { db } = (await testApp()).engines;

test('bidding stops while one tracker fills up or none can write, and ignores stopped trackers', async () => {
  const log = pino({ level: 'silent' });
  const faults = new Map<string, IntakeError | null>([
    ['one', null],
    ['other', null],
  ]);
  const trackers = [...faults.keys()].map((name) =>
    shareIntake({ db, log, own: () => faults.get(name)!, bids: false }),
  );
  const bidder = shareIntake({ db, log, own: null, bids: true });
  onTestFinished(async () => {
    for (const { stop } of [...trackers, bidder]) await stop();
  });
  const closes = (closed: boolean) => eventually(() => expect(bidder.isClosed()).toBe(closed));
  await closes(false);
  faults.set('one', 'log_filling');
  await closes(true);
  faults.set('one', 'disk_failing');
  await closes(false);
  faults.set('other', 'disk_failing');
  await closes(true);
  await trackers[1]!.stop();
  faults.set('one', null);
  await closes(false);
});
