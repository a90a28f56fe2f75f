import { REVIEW_SENDS_PER_MINUTE } from '@bidwell/contract/creatives/exchange-reviews';
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import type { TestApp, TestCompany } from '../test-app.ts';
import { type Call, type Case, get, unknown } from './case.ts';
import { entitiesOf } from './entities.ts';

/** Cases for reviews of creatives by exchanges. */
export function exchangeReviewCases(app: TestApp): Record<string, Case> {
  const { aCreative } = entitiesOf(app);
  const { ctx, clock } = app;
  /** A creative that an exchange of its own disapproved. */
  const disapproved = async (company: TestCompany): Promise<Call> => {
    const creative = await aCreative(company);
    const slug = `reviewing-${uuidv4().slice(0, 8)}`;
    await app.operator('PUT', `/ssps/${slug}`, { name: 'Xandr', profile: 'xandr' });
    const account = { is_enabled: true, account: '958', login: 'reviews', secret: 'a-password' };
    await app.operator('PUT', `/ssps/${slug}/review`, account);
    await ctx.db
      .insertInto('exchange_reviews')
      .values({
        uuid: uuidv7(),
        company_uuid: company.companyId,
        creative_uuid: creative,
        slug,
        creative_updated_at: clock.now,
        version: 'one',
        state: 'disapproved',
        reasons: JSON.stringify(['Nudity']),
        error: null,
        sent_version: 'one',
        sent_at: clock.now,
        decided_at: clock.now,
        used_at: clock.now,
        changed_at: clock.now,
      })
      .execute();
    return { path: `/creative/${creative}/exchange-reviews/${slug}/send` };
  };
  return {
    'GET /api/internal/exchange-reviews': get('/exchange-reviews'),
    'POST /api/internal/creative/{uuid}/exchange-reviews/{slug}/send': {
      good: disapproved,
      conflict: async (good, company) => {
        await ctx.db
          .updateTable('exchange_reviews')
          .set({ state: 'approved' })
          .where('company_uuid', '=', company.companyId)
          .execute();
        return good;
      },
      others: {
        429: async (_good, company) => {
          const path = `/creative/${unknown}/exchange-reviews/none/send`;
          for (let n = 0; n < REVIEW_SENDS_PER_MINUTE; n += 1) await company.call('POST', path);
          return {
            method: 'POST' as const,
            url: `/api/internal${path}`,
            headers: { authorization: `Bearer ${company.token}` },
          };
        },
      },
    },
  };
}
