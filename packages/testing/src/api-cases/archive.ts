import { make, makeAdsetParts, makeBanner } from '../advertising.ts';
import { makeRunningCampaign } from '../bidding.ts';
import type { TestApp, TestCompany } from '../test-app.ts';
import { type Case, onEntity } from './case.ts';
import { entitiesOf } from './entities.ts';

/** Cases for archiving, restoring and deleting entities. */
export function archiveCases(app: TestApp): Record<string, Case> {
  const { anApp, aTarget, aLink, aCreative, anAsset, aGroup, anAdset, aCampaign } = entitiesOf(app);
  /** Cases for archiving, restoring and deleting an entity; `used` creates one that cannot be deleted. */
  const archiving = (
    path: string,
    made: (company: TestCompany) => Promise<string>,
    used: (company: TestCompany) => Promise<string>,
    restoreOver: Partial<Case> = {},
  ): Record<string, Case> => ({
    [`POST /api/internal${path}/{uuid}/archive`]: {
      good: async (company) => ({ path: `${path}/${await made(company)}/archive` }),
    },
    [`POST /api/internal${path}/{uuid}/restore`]: {
      good: async (company) => ({ path: `${path}/${await made(company)}/restore` }),
      ...restoreOver,
    },
    [`DELETE /api/internal${path}/{uuid}`]: onEntity(path, made, undefined, {
      conflict: async (_good, company) => ({ path: `${path}/${await used(company)}` }),
    }),
  });
  const aRunning =
    (field: 'appUuid' | 'creativeUuid' | 'groupUuid' | 'adsetUuid' | 'campaignUuid') =>
    async (company: TestCompany) =>
      (await makeRunningCampaign(app, company))[field];
  const usedPart = (field: 'targetUuid' | 'linkUuid') => async (company: TestCompany) => {
    const parts = await makeAdsetParts(app, company);
    await make(company, '/adset', parts.body);
    return parts[field];
  };
  /** Restoring an ad set with which a second person has to approve the budgets of its campaign. */
  const needingApproval: Partial<Case> = {
    async conflict(_good, company) {
      await app.freshPerson(company, 'editor');
      const { adsetUuid } = await makeRunningCampaign(app, company);
      await company.call('POST', `/adset/${adsetUuid}/archive`);
      await company.call('PUT', '/approval/limits', { daily_budget_above: 1, total_budget_above: 1 });
      return { path: `/adset/${adsetUuid}/restore` };
    },
  };
  /** Restoring an archived creative whose app has the maximum number of others. */
  const fullOfCreatives: Partial<Case> = {
    conflict: async (good, company) => {
      const uuid = await aCreative(company);
      await company.call('POST', `/creative/${uuid}/archive`);
      const { app_uuid } = await app.ctx.db
        .selectFrom('creatives')
        .select('app_uuid')
        .where('uuid', '=', uuid)
        .executeTakeFirstOrThrow();
      for (let n = 0; n < 20; n += 1) await makeBanner(app, company, app_uuid);
      return { path: good.path.replace(/[\da-f]{8}-[\da-f-]{27}/, uuid) };
    },
  };
  return {
    ...archiving('/app', anApp, aRunning('appUuid')),
    ...archiving('/internal_creative', anAsset, aRunning('creativeUuid'), fullOfCreatives),
    ...archiving('/creative', aCreative, aRunning('creativeUuid'), fullOfCreatives),
    ...archiving('/internal_creative_group', aGroup, aRunning('groupUuid')),
    ...archiving('/creative_group', aGroup, aRunning('groupUuid')),
    ...archiving('/target', aTarget, usedPart('targetUuid')),
    ...archiving('/tracking_link', aLink, usedPart('linkUuid')),
    ...archiving('/adset', anAdset, aRunning('adsetUuid'), needingApproval),
    ...archiving('/campaign', aCampaign, aRunning('campaignUuid')),
  };
}
