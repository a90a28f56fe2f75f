import { expect, test } from 'vitest';
import { accountQuery } from '../lib/api/account.ts';
import { campaignsQuery } from '../entities/campaigns/queries.ts';
import { bannerResolutionsQuery } from '../entities/creatives/queries.ts';
import { notificationsQuery } from '../entities/notifications/queries.ts';
import {
  connectionTypesQuery,
  deviceTypesQuery,
  languagesQuery,
  operatingSystemsQuery,
  phoneModelsQuery,
  subRegionsQuery,
} from '../entities/reference/queries.ts';

const HOUR_MS = 3_600_000;

test('entries that are fresh for an hour, or forever, are not evicted before that', () => {
  const hourly = [
    subRegionsQuery,
    operatingSystemsQuery,
    languagesQuery,
    connectionTypesQuery,
    deviceTypesQuery,
    accountQuery,
    notificationsQuery,
  ];
  for (const { queryKey, staleTime, gcTime } of hourly)
    expect({ queryKey, staleTime, gcTime }).toEqual({ queryKey, staleTime: HOUR_MS, gcTime: HOUR_MS });
  for (const { staleTime, gcTime } of [bannerResolutionsQuery, phoneModelsQuery])
    expect([staleTime, gcTime]).toEqual([Infinity, Infinity]);
  expect(campaignsQuery).toMatchObject({ staleTime: 0, gcTime: HOUR_MS });
});
