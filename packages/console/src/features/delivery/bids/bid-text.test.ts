import type { LoggedBid } from '@bidwell/contract/bid-log/schema';
import { expect, test } from 'vitest';
import { chargedCpm, eventsText, formatText, outcomeDetail } from './bid-text.ts';

const bid = (over: Partial<LoggedBid>): LoggedBid => ({
  bid_id: '019ba7c6-fe78-72b9-8688-2c9969c369f2',
  bid_at: '2026-01-10T12:00:00.000Z',
  event_at: '2026-01-10T12:00:00.000Z',
  campaign_uuid: '',
  campaign: '',
  adset_uuid: '',
  adset: '',
  creative_uuid: '',
  creative: '',
  creative_type: 'Banner',
  width: 320,
  height: 50,
  exchange: '',
  exchange_name: '',
  bundle: '',
  country: '',
  os: '',
  outcome: 'won',
  bid_cpm: 2,
  charge: 0,
  loss_code: null,
  loss_reason: null,
  min_to_win_cpm: null,
  impression_at: null,
  clicks: 0,
  installs: 0,
  returns: 0,
  app_events: [],
  invalid: '',
  test: false,
  weight: 1,
  ...over,
});

test('in-app events after a bid have their number and the revenue that is known', () => {
  const named = (name: string, count: number, revenue: number | null) => ({ name, count, revenue });
  const events = [named('purchase', 2, 14.99), named('level', 1, null)];
  expect(eventsText(bid({ clicks: 1, installs: 1, app_events: events }))).toBe(
    'Click, Install, purchase ×2 $14.99, level',
  );
});

test('the charge of one impression is stated as the price of a thousand, with two decimals', () => {
  expect(chargedCpm(0.001875)).toBe('$1.88');
  expect(chargedCpm(0.0015)).toBe('$1.50');
  expect(chargedCpm(0)).toBe('$0.00');
});

test('a bid says why it was lost, or how many bids it represents', () => {
  expect(outcomeDetail(bid({ outcome: 'lost', loss_code: 102, loss_reason: 'Lost to a higher bid' }))).toBe(
    'Lost to a higher bid (102)',
  );
  const priced = bid({
    outcome: 'lost',
    loss_code: 102,
    loss_reason: 'Lost to a higher bid',
    min_to_win_cpm: 3.119,
  });
  expect(outcomeDetail(priced)).toBe('Lost to a higher bid (102), $3.12 would have won');
  expect(outcomeDetail(bid({ outcome: 'lost', loss_code: 0, loss_reason: 'No code' }))).toBe('No code');
  expect(outcomeDetail(bid({ outcome: 'no_notice', weight: 40 }))).toBe('Stands for 40 bids');
  expect(outcomeDetail(bid({ outcome: 'no_notice' }))).toBeNull();
  expect(outcomeDetail(bid({}))).toBeNull();
});

test('events are listed in their order, and invalid traffic is named', () => {
  const shown = { impression_at: '2026-01-10T12:00:00.000Z' };
  expect(eventsText(bid({ ...shown, clicks: 1, installs: 1 }))).toBe('Shown, Click, Install');
  expect(eventsText(bid({ ...shown, invalid: 'bot' }))).toBe('Shown, Click of a bot');
  expect(eventsText(bid({ installs: -1 }))).toBe('Install rejected');
  expect(eventsText(bid({}))).toBe('-');
  expect(formatText(bid({}))).toBe('Banner 320×50');
  expect(formatText(bid({ creative_type: 'Native', width: 0, height: 0 }))).toBe('Native');
});
