import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleRef } from '../trackers/sample-ref.ts';
import { FEEDBACK_MAX, STATUS_OUTBID, STATUS_WON, eventOf, readFeedback } from './feedback.ts';

test('any JSON is read without an error, and what is read is within its bounds', () => {
  const entry = fc.record(
    {
      event_notification_token: fc.oneof(fc.jsonValue(), fc.record({ payload: fc.jsonValue() })),
      creative_status_code: fc.oneof(fc.integer(), fc.jsonValue()),
      price: fc.oneof(fc.double(), fc.jsonValue()),
      minimum_bid_to_win: fc.oneof(fc.double(), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  const bodies = fc.oneof(
    fc.jsonValue(),
    fc.record({
      ext: fc.record({ bid_feedback: fc.oneof(fc.jsonValue(), fc.array(entry, { maxLength: 80 })) }),
    }),
  );
  fc.assert(
    fc.property(bodies, (body) => {
      const read = readFeedback(body);
      expect(read.length).toBeLessThanOrEqual(FEEDBACK_MAX);
      for (const one of read) {
        expect(one.token).not.toBe('');
        expect(one.status).toBeGreaterThan(0);
        for (const units of [one.price, one.minToWin]) expect(units > 0 || Number.isNaN(units)).toBe(true);
        const { kind, lossReason, spendMicros, minToWinCpmMicros = 1 } = eventOf(one, sampleRef(), 0);
        expect(kind).toBe(one.status === STATUS_WON ? 'win' : 'loss');
        expect(lossReason).toBeLessThan(65_536);
        expect(spendMicros).toBe(0);
        expect(Number.isSafeInteger(minToWinCpmMicros) && minToWinCpmMicros > 0).toBe(true);
      }
    }),
  );
});

test.each([
  { title: 'the price that would have won', status: STATUS_OUTBID, minToWin: 5, is: 5_000_000 },
  { title: 'the price that it had to exceed', status: STATUS_OUTBID, price: 5, is: 5_000_000 },
  { title: 'no price of a creative that was rejected', status: 10, price: 5, is: undefined },
  { title: 'no price that is not above the bid', status: STATUS_OUTBID, minToWin: 4, is: undefined },
  { title: 'the lowest price of a won bid', status: STATUS_WON, minToWin: 3, price: 4, is: 3_000_000 },
  { title: 'no price above a won bid', status: STATUS_WON, minToWin: 4.5, is: undefined },
])('feedback keeps $title', ({ status, minToWin = Number.NaN, price = Number.NaN, is }) => {
  const event = eventOf({ token: 't', status, minToWin, price }, sampleRef({ bidCpmMicros: 4_000_000 }), 0);
  expect(event.minToWinCpmMicros).toBe(is);
});
