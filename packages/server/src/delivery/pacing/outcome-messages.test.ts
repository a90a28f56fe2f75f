import { pino } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { afterAll, describe, expect, test } from 'vitest';
import { deliveryEvent } from '@bidwell/testing/delivery-events';
import { openNats } from '../../platform/nats/connection.ts';
import { openPostgres } from '../../platform/postgres/client.ts';
import { emptyPostgres } from '@bidwell/testing/empty-engines';
import { candidateOf } from '@bidwell/testing/pacing/candidates';
import { natsServer } from '@bidwell/testing/engines/nats-server';
import { sampleRef } from '../trackers/sample-ref.ts';
import { newBidId } from '../openrtb/bid.ts';
import { createBooking } from './booking.ts';
import { Budgets } from './budgets.ts';
import { postgresLeases } from './lease-store.ts';
import { tagOf } from './leases.ts';
import { publishOutcomes, subscribeOutcomes } from './outcome-messages.ts';
import { FLAT } from './traffic-profile.ts';
import { eventually } from '@bidwell/testing/eventually';

const log = pino({ level: 'silent' });
const server = await natsServer();

describe.runIf(server)('a bidder and a counter in other processes', async () => {
  if (!server) return;
  const db = await openPostgres({ embedded: await emptyPostgres() });
  const [atBidder, atCounter] = [0, 1].map(() => openNats(`nats://127.0.0.1:${server.port}`, log));
  await eventually(() => expect([atBidder!.isUp(), atCounter!.isUp()]).toEqual([true, true]));
  afterAll(async () => {
    await atBidder!.close();
    await atCounter!.close();
    await server.stop();
    await db.destroy();
  });
  const booking = createBooking(db);
  booking.publishTo((outcomes) => publishOutcomes(atCounter!, outcomes));

  /** A bidder with a lease, and the reservations of its bids as it reports them to the store. */
  async function bidder() {
    const bidderId = uuidv4();
    const candidate = candidateOf({ adsetId: uuidv4(), companyId: uuidv4() });
    const budgets = new Budgets({ random: () => 0, trafficProfileOf: () => FLAT, clocksOf: () => [] });
    budgets.setFunds(new Map([[candidate.companyId, 1e12]]));
    budgets.setCandidates([candidate]);
    const store = postgresLeases(db);
    const renew = async (): Promise<number> => {
      const response = await store.sync(bidderId, budgets.requests(Date.now()));
      budgets.applyResponse(response, Date.now());
      return response.outcomes.length;
    };
    const reservedMicros = (): number =>
      budgets.requests(Date.now()).find(({ adsetId }) => adsetId === candidate.adsetId)?.reservedMicros ?? 0;
    const settled: string[] = [];
    subscribeOutcomes(atBidder!, { bidderId, log }, (outcome) => {
      settled.push(outcome.bidId);
      budgets.settle(outcome, Date.now());
    });
    const bid = (micros: number) => {
      const bidId = newBidId(tagOf(bidderId));
      budgets.reserve(bidId, candidate, micros, Date.now());
      return sampleRef({ bidId, adsetId: candidate.adsetId, companyId: candidate.companyId });
    };
    // The other connection may publish before the server has read the subscription of this one.
    await atBidder!.current()!.flush();
    await renew();
    return { renew, reservedMicros, bid, settled };
  }
  test('a booked outcome frees the reservation at once, and does nothing when it comes from PostgreSQL again', async () => {
    const own = await bidder();
    const [won, lost, open] = [own.bid(1000), own.bid(2000), own.bid(4000)];
    const batch = {
      batch: uuidv4(),
      events: [deliveryEvent(won, 'billing', { spendMicros: 900 }), deliveryEvent(lost, 'loss')],
    };
    await booking.book([batch]);
    await eventually(() => expect(own.settled).toEqual([won.bidId, lost.bidId]));
    expect(own.reservedMicros()).toBe(4000);
    // Retried, because the events could not be stored: booked and published once.
    await booking.book([batch]);
    expect(await own.renew()).toBe(2);
    expect(own.reservedMicros()).toBe(4000);
    await booking.book([{ batch: uuidv4(), events: [deliveryEvent(open, 'loss')] }]);
    await eventually(() => expect(own.settled).toEqual([won.bidId, lost.bidId, open.bidId]));
    expect(own.reservedMicros()).toBe(0);
    expect(await own.renew()).toBe(1);
    expect(own.reservedMicros()).toBe(0);
  });

  test('a round of a counter is published once it is booked, and not when it is refused', async () => {
    const own = await bidder();
    const [rejected, won] = [own.bid(1000), own.bid(2000)];
    const isFormerOwner = async () => {
      throw new Error('another counter owns the partition');
    };
    await expect(booking.bookRound([deliveryEvent(rejected, 'loss')], [], isFormerOwner)).rejects.toThrow();
    await booking.bookRound([deliveryEvent(won, 'billing', { spendMicros: 900 })], [], async () => {});
    await eventually(() => expect(own.settled).toEqual([won.bidId]));
    expect(own.reservedMicros()).toBe(1000);
    expect(await own.renew()).toBe(1);
    expect(own.reservedMicros()).toBe(1000);
  });

  test('a message that is lost is made up for by PostgreSQL', async () => {
    const own = await bidder();
    const lost = own.bid(2000);
    const unconnected = createBooking(db);
    await unconnected.book([{ batch: uuidv4(), events: [deliveryEvent(lost, 'loss')] }]);
    expect(own.reservedMicros()).toBe(2000);
    expect(await own.renew()).toBe(1);
    expect(own.reservedMicros()).toBe(0);
  });

  test('an invalid message changes nothing', async () => {
    const own = await bidder();
    const ref = own.bid(2000);
    const subject = `bidwell.bidder.${tagOf(ref.bidId)}`;
    for (const bytes of [[], [2], [1, 1], [1, 2, ...Array.from({ length: 16 }, () => 7)]])
      atCounter!.publish(subject, Uint8Array.from(bytes));
    publishOutcomes(atCounter!, [{ bidId: ref.bidId, charged: false }]);
    await eventually(() => expect(own.settled).toEqual([ref.bidId]));
  });
});
