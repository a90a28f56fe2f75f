import { expect, test } from 'vitest';
import type { Api } from '../api.ts';
import { kestrel } from '../plan-others.ts';
import { readHistoryAdsets } from './adsets.ts';

/** A company with the plan's names, whose banners are listed in an order. */
function apiWith(sizes: readonly (readonly [number, number])[]): Api {
  const { campaigns } = kestrel.apps[0]!;
  const responses: Record<string, unknown> = {
    '/campaign': { campaigns: campaigns.map(({ name }) => ({ name, uuid: name, app_uuid: 'app' })) },
    '/adset': {
      adsets: campaigns.flatMap(({ adsets }) =>
        adsets.map(({ name }) => ({ name, uuid: name, tracking_link: { uuid: 'link' } })),
      ),
    },
    '/internal_creative_group': {
      internal_creative_groups: [
        {
          uuid: 'group',
          name: 'Kestrel rides',
          banner_creatives: sizes.map(([width, height]) => ({
            uuid: `${width}x${height}`,
            internal_creative: { type: 'Banner', width, height },
          })),
          video_creatives: [],
          native_creatives: [],
          playable_creatives: [],
        },
      ],
    },
  };
  return {
    get: async (path) => responses[path] as never,
    send: async () => Promise.reject(new Error('reads only')),
  };
}

test('the history chooses among creatives in the same order, whichever upload ended first', async () => {
  const times = { companyId: 'company', nowMs: Date.UTC(2026, 5, 17) };
  const orderOf = async (sizes: readonly (readonly [number, number])[]) =>
    (await readHistoryAdsets(apiWith(sizes), kestrel, times)).map(({ creatives }) =>
      creatives.map(({ creativeId }) => creativeId),
    );
  const sizes = [
    [300, 250],
    [320, 50],
    [768, 1024],
  ] as const;
  const order = await orderOf(sizes);
  expect(order[0]).toHaveLength(3);
  expect(await orderOf(sizes.toReversed())).toEqual(order);
});
