import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createCounters } from '../metrics.ts';
import type { DeliveryEvent } from '../model/event.ts';
import { PLAIN_PRICES } from '../model/price-rules.ts';
import { acceptor } from './accept.ts';
import { sampleRef } from './sample-ref.ts';
import { createSigner } from './signer.ts';

test('the event of a click has no advertising id, and its redirect has', async () => {
  const signer = createSigner('a signing secret of the test of clicks', 'http://bidwell.test');
  const ref = sampleRef({ ifa: 'cdda802e-fb9c-47ad-9866-0794d394c912', os: 'android' });
  const recorded: DeliveryEvent[] = [];
  const counters = createCounters(new Registry());
  const accept = acceptor({
    signer,
    ingest: {
      record: async (event) => {
        recorded.push(event);
        return 'stored';
      },
    },
    priceRules: () => PLAIN_PRICES,
    now: () => new Date(),
    counter: counters.trackers,
    unpriced: counters.unpriced,
  });
  const token = signer.urlsFor(ref).click.split('/').at(-1)!;
  const [outcome, read] = await accept({
    kind: 'click',
    token,
    isQuestion: false,
    value: () => undefined,
    mark: '',
  });
  expect([outcome, read?.ifa]).toEqual(['stored', ref.ifa]);
  expect(recorded.map((event) => [event.kind, event.ref.ifa])).toEqual([['click', '']]);
});
