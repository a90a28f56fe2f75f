import { COST_SENDS_PER_MINUTE } from '@bidwell/contract/measurement/partner-costs';
import { COPY_SENDS_PER_MINUTE } from '@bidwell/contract/measurement/postback-copies';
import { v7 as uuidv7 } from 'uuid';
import { iosAppBody, make } from '../advertising.ts';
import type { TestApp, TestCompany } from '../test-app.ts';
import { type Call, type Case, get, unknown } from './case.ts';

const COSTS = '/partner-costs/appsflyer';
const settings = { is_enabled: true, media_source: 'bidwell_int', token: 'a-token' };
const target = { is_enabled: false, url: null, adattributionkit_url: null };

/** A partner that takes no costs. */
const ofAdjust = (good: Call): Call => ({ ...good, path: good.path.replace('appsflyer', 'adjust') });

/** The request after as many of a company as it may make in a minute. */
const flooded = (path: string, max: number) => async (_good: Call, company: TestCompany) => {
  for (let n = 0; n < max; n += 1) await company.call('POST', path);
  return {
    method: 'POST' as const,
    url: `/api/internal${path}`,
    headers: { authorization: `Bearer ${company.token}` },
  };
};

/** Cases for what is sent to measurement partners. */
export function partnerDeliveryCases({ ctx, clock }: TestApp): Record<string, Case> {
  const failedCopy = async (company: TestCompany): Promise<string> => {
    const appId = await make(company, '/app', iosAppBody());
    const uuid = uuidv7();
    await ctx.db
      .insertInto('postback_copies')
      .values({
        uuid,
        company_uuid: company.companyId,
        app_uuid: appId,
        mmp: 'appsflyer',
        framework: 'skadnetwork',
        transaction_id: uuid,
        sequence_index: 0,
        status: 'failed',
        attempted_at: null,
        next_attempt_at: null,
        response_status: null,
        response_start: null,
        error: null,
        created_at: clock.now,
        accepted_at: null,
      })
      .execute();
    return uuid;
  };
  return {
    'GET /api/internal/partner-costs': get('/partner-costs'),
    'PUT /api/internal/partner-costs/{mmp}': {
      good: () => ({ path: COSTS, body: settings }),
      nothing: ofAdjust,
    },
    'POST /api/internal/partner-costs/{mmp}/send': {
      good: async (company) => {
        await company.call('PUT', COSTS, settings);
        return { path: `${COSTS}/send` };
      },
      nothing: ofAdjust,
      conflict: async (good, company) => {
        await company.call('PUT', COSTS, { ...settings, is_enabled: false });
        return good;
      },
      others: { 429: flooded(`${COSTS}/send`, COST_SENDS_PER_MINUTE) },
    },
    'GET /api/internal/partner-costs/{mmp}/uploads': { ...get(`${COSTS}/uploads`), nothing: ofAdjust },
    'GET /api/internal/app/{uuid}/postback-copies': {
      good: async (company) => ({
        path: `/app/${await make(company, '/app', iosAppBody())}/postback-copies`,
      }),
    },
    'PUT /api/internal/app/{uuid}/postback-copies/{mmp}': {
      good: async (company) => ({
        path: `/app/${await make(company, '/app', iosAppBody())}/postback-copies/appsflyer`,
        body: target,
      }),
    },
    'POST /api/internal/postback-copies/{uuid}/send': {
      good: async (company) => ({ path: `/postback-copies/${await failedCopy(company)}/send` }),
      conflict: async (good, company) => {
        await company.call('POST', good.path);
        return good;
      },
      others: { 429: flooded(`/postback-copies/${unknown}/send`, COPY_SENDS_PER_MINUTE) },
    },
  };
}
