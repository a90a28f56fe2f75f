import { sql } from 'kysely';
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import { afterAll, expect, test } from 'vitest';
import { deliveryEvent } from '@bidwell/testing/delivery-events';
import { openPostgres } from '../../platform/postgres/client.ts';
import { emptyPostgres } from '@bidwell/testing/empty-engines';
import type { DeliveryEvent } from '../model/event.ts';
import { sampleRef } from '../trackers/sample-ref.ts';
import { createBooking, readEvents } from './booking.ts';
import { postgresLeases } from './lease-store.ts';
import { type BidOutcome, tagOf } from './leases.ts';

const db = await openPostgres({ embedded: await emptyPostgres() });
afterAll(() => db.destroy());

const eventOf = (kind: DeliveryEvent['kind'], spendMicros: number, ref = sampleRef()) =>
  deliveryEvent(ref, kind, { spendMicros });
const bidOf = (bidderId: string): string => uuidv7().slice(0, -8) + tagOf(bidderId);

test('only the notice that an exchange charges at books spend, and a test bid never does', () => {
  const ref = sampleRef({ chargeOn: 'billing' });
  const { spends, outcomes } = readEvents([
    eventOf('win', 0, ref),
    eventOf('billing', 300, ref),
    eventOf('impression', 0, ref),
    eventOf('billing', 200, { ...ref, bidId: uuidv7() }),
    eventOf('billing', 0, sampleRef({ test: true })),
    eventOf('loss', 0, sampleRef({ test: true })),
  ]);
  expect(spends).toEqual([
    { adsetId: ref.adsetId, companyId: ref.companyId, country: ref.country, micros: 500 },
  ]);
  expect(outcomes.map(({ charged }) => charged)).toEqual([true, true]);
});

test('spend of an event at which its exchange does not charge is not booked, and fails the round', () => {
  const events = [eventOf('billing', 300), eventOf('win', 200, sampleRef({ chargeOn: 'billing' }))];
  expect(() => readEvents(events)).toThrow('what is booked is not the spend of the events');
});

test('a bidder of this process is notified at once, others when they sync', async () => {
  const [ours, theirs] = [uuidv4(), uuidv4()];
  const booking = createBooking(db);
  const heard: BidOutcome[] = [];
  booking.listen(ours, (outcome) => heard.push(outcome));
  const [won, lost] = [sampleRef({ bidId: bidOf(ours) }), sampleRef({ bidId: bidOf(theirs) })];
  await booking.book([{ batch: uuidv4(), events: [eventOf('billing', 100, won), eventOf('loss', 0, lost)] }]);
  expect(heard).toMatchObject([{ bidId: won.bidId, charged: true }]);
  const { outcomes } = await postgresLeases(db).sync(theirs, []);
  expect(outcomes).toEqual([{ bidId: lost.bidId, charged: false }]);
});

test('a batch that is retried is booked once', async () => {
  const booking = createBooking(db);
  const [first, second] = [uuidv4(), uuidv4()];
  const event = eventOf('billing', 100);
  const batchOf = (batch: string) => ({ batch, events: [event] });
  await booking.book([batchOf(first)]);
  await booking.book([batchOf(first), batchOf(second)]);
  booking.booked([first]);
  await booking.book([batchOf(second)]);
  const row = await db
    .selectFrom('adset_spend')
    .select('ever_micros')
    .where('adset_uuid', '=', event.ref.adsetId)
    .executeTakeFirstOrThrow();
  expect(row.ever_micros).toBe(200);
});

test('spend that was booked while the next day began does not end that day', async () => {
  const booking = createBooking(db);
  const ref = sampleRef();
  const book = () => booking.book([{ batch: uuidv4(), events: [eventOf('billing', 100, ref)] }]);
  const row = () =>
    db
      .selectFrom('adset_spend')
      .select([
        'day_micros',
        sql<boolean>`day > (clock_timestamp() at time zone 'UTC')::date`.as('isTomorrow'),
      ])
      .where('adset_uuid', '=', ref.adsetId)
      .executeTakeFirstOrThrow();
  await book();
  await sql`update adset_spend set day = day + 1 where adset_uuid = ${ref.adsetId}`.execute(db);
  await book();
  expect(await row()).toEqual({ day_micros: 200, isTomorrow: true });
});
