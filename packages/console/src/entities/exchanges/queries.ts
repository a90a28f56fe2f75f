import type { Certification } from '@bidwell/contract/operator/certification';
import * as endpoints from '@bidwell/contract/operator/endpoints';
import type { ReviewState } from '@bidwell/contract/creatives/exchange-reviews';
import type { ReviewAccount, ReviewAccountInput } from '@bidwell/contract/operator/exchange-review';
import type { ExchangeTest, ExchangeTestInput } from '@bidwell/contract/operator/exchange-test';
import {
  type CompanyBillingIds,
  type Ssp,
  SspInput,
  exchangeVersion,
} from '@bidwell/contract/operator/schema';
import { versionOf } from '@bidwell/contract/lib/version';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { callOperator, changeAsOperator } from '../../lib/api/operator-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

export const UNREADABLE_DAYS = 7;
const REFRESH_MS = 10_000;

/** The traffic of all exchanges in the last hour, requested again every ten seconds while it is shown. */
export const exchangeTrafficQuery = queryOptions({
  queryKey: ['operator', 'exchange-traffic'],
  queryFn: async () =>
    (await callOperator(endpoints.listExchangeHealth, { query: { minutes: 60 } })).exchanges,
  refetchInterval: REFRESH_MS,
  staleTime: 0,
});

/** The traffic of an exchange in the minutes before an instant; live without one. */
export const exchangeHealthQuery = (slug: string, minutes: number, until: string | undefined) =>
  queryOptions({
    queryKey: ['operator', 'exchange-health', slug, minutes, until],
    queryFn: () =>
      callOperator(endpoints.readExchangeHealth, {
        params: { slug },
        query: { minutes, ...(until !== undefined && { until }) },
      }),
    refetchInterval: until === undefined ? REFRESH_MS : false,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

/** All exchanges, and the public address that precedes their paths. */
export const exchangesQuery = queryOptions({
  queryKey: ['operator', 'exchanges'],
  queryFn: () => callOperator(endpoints.listExchanges),
});

/** The companies with billing ids at an exchange. */
export const billingIdsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['operator', 'exchanges', slug, 'billing-ids'],
    queryFn: () => callOperator(endpoints.listBillingIds, { params: { slug } }),
  });

/** Sets the billing ids of a company at an exchange. Throws ApiError. */
export const saveBillingIds = (
  slug: string,
  companyUuid: string,
  billingIds: readonly string[],
): Promise<CompanyBillingIds> =>
  renewed(
    callOperator(endpoints.putBillingIds, {
      params: { slug, company_uuid: companyUuid },
      body: { billing_ids: [...billingIds] },
    }),
  );

/** How creatives are submitted to an exchange for review. */
export const reviewAccountQuery = (slug: string) =>
  queryOptions({
    queryKey: ['operator', 'exchanges', slug, 'review'],
    queryFn: () => callOperator(endpoints.readReviewAccount, { params: { slug } }),
  });

/** The creatives of all companies that an exchange reviews, in a state or in any. */
export const reviewedCreativesQuery = (slug: string, state?: ReviewState) =>
  queryOptions({
    queryKey: ['operator', 'exchanges', slug, 'creative-reviews', state],
    queryFn: async () =>
      (
        await callOperator(endpoints.listReviewedCreatives, {
          params: { slug },
          query: { ...(state !== undefined && { state }) },
        })
      ).creatives,
  });

/** Sets the account and the credentials with which creatives are submitted. Throws ApiError. */
export const saveReviewAccount = (slug: string, body: ReviewAccountInput): Promise<ReviewAccount> =>
  renewed(callOperator(endpoints.putReviewAccount, { params: { slug }, body }));

/** Notices of the last week without a readable price, of all exchanges. */
export const unreadablePricesQuery = queryOptions({
  queryKey: ['operator', 'unreadable-prices'],
  queryFn: async () =>
    (await callOperator(endpoints.listUnreadablePrices, { query: { days: UNREADABLE_DAYS } }))
      .unreadable_prices,
});

/** Says how bidders would respond to a sample bid request. Throws ApiError. */
export const testExchange = (slug: string, body: z.input<typeof ExchangeTestInput>): Promise<ExchangeTest> =>
  callOperator(endpoints.testExchange, { params: { slug }, body });

/** Runs the contract cases of an exchange's profile. Throws ApiError. */
export const certifyExchange = (slug: string): Promise<Certification> =>
  callOperator(endpoints.certifyExchange, { params: { slug } });

/** What a form sends: settings that are absent keep their defaults, secrets and keys their values. */
export type ExchangeSettings = z.input<typeof SspInput>;

/** Changes the settings of the exchange, only of the version, or adds it, where that is null. Throws ApiError. */
export const saveExchange = (
  slug: string,
  body: ExchangeSettings,
  version: string | null | undefined,
): Promise<Ssp> => renewed(changeAsOperator(endpoints.putExchange, version, { params: { slug }, body }));

/** Turns an exchange on or off; its other settings stay. Throws ApiError. */
export const switchExchange = (exchange: Ssp, active: boolean): Promise<Ssp> =>
  saveExchange(exchange.slug, SspInput.parse({ ...exchange, active }), versionOf(exchangeVersion, exchange));

/** Makes a new secret; the old one is accepted for a day, or ends at once. Throws ApiError. */
export const rotateSecret = (slug: string, endOld: boolean): Promise<Ssp> =>
  renewed(callOperator(endpoints.rotateExchangeSecret, { params: { slug }, body: { end_old: endOld } }));

/** Waits for a change, and reads again what shows exchanges. */
async function renewed<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['operator', 'exchanges'] });
  }
}
