import { COMMENTS_MAX, COMMENTS_PER_MINUTE } from '@bidwell/contract/comments/schema';
import type { InjectOptions } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { TestApp, TestCompany } from '../test-app.ts';
import { type Call, type Case, onEntity } from './case.ts';
import { entitiesOf } from './entities.ts';

const body = { text: 'Why so low?' };

/** Cases for comments on campaigns and drafts. */
export function commentCases(app: TestApp): Record<string, Case> {
  const { aCampaign } = entitiesOf(app);
  const aDraft = async (company: TestCompany): Promise<string> =>
    (await company.call('POST', '/campaign_draft', { values: {} })).data.uuid;
  /** A comment of a person of the company, who may not begin drafts, on one of a colleague. */
  const aComment = async (person: TestCompany): Promise<string> => {
    const draft = await aDraft(await app.freshPerson(person, 'owner'));
    return (await person.call('POST', `/campaign_draft/${draft}/comment`, body)).data.uuid;
  };
  const listOf = (path: string, made: (company: TestCompany) => Promise<string>): Case => ({
    good: async (company) => ({ path: `${path}/${await made(company)}/comment` }),
  });
  const addTo = (path: string, made: (company: TestCompany) => Promise<string>): Case => ({
    ...listOf(path, made),
    good: async (company) => ({ path: `${path}/${await made(company)}/comment`, body }),
    async conflict(good, { companyId, userId }) {
      const uuid = good.path.split('/')[2]!;
      const comment = {
        company_uuid: companyId,
        campaign_uuid: path === '/campaign' ? uuid : null,
        draft_uuid: path === '/campaign' ? null : uuid,
        author_uuid: userId,
        text: 'Full',
        mentions: [],
        created_at: app.clock.now,
        edited_at: null,
      };
      const comments = Array.from({ length: COMMENTS_MAX }, () => ({ ...comment, uuid: uuidv7() }));
      await app.ctx.db.insertInto('comments').values(comments).execute();
      return good;
    },
    // Of another campaign or draft: this one is full.
    others: {
      429: async (_good, company) => flood({ path: `${path}/${await made(company)}/comment`, body }, company),
    },
  });
  const flood = async (good: Call, { call, token }: TestCompany): Promise<InjectOptions> => {
    for (let n = 0; n < COMMENTS_PER_MINUTE; n += 1) await call('POST', good.path, good.body);
    const headers = { authorization: `Bearer ${token}` };
    return { method: 'POST', url: `/api/internal${good.path}`, payload: good.body!, headers };
  };
  const ofColleague = async (good: Call, company: TestCompany): Promise<Call> => ({
    ...good,
    path: `/comment/${await aComment(await app.freshPerson(company, 'owner'))}`,
  });
  const own = { isOfCaller: true, conflict: ofColleague } as const;
  return {
    'GET /api/internal/campaign/{uuid}/comment': listOf('/campaign', aCampaign),
    'POST /api/internal/campaign/{uuid}/comment': addTo('/campaign', aCampaign),
    'GET /api/internal/campaign_draft/{uuid}/comment': listOf('/campaign_draft', aDraft),
    'POST /api/internal/campaign_draft/{uuid}/comment': addTo('/campaign_draft', aDraft),
    'PUT /api/internal/comment/{uuid}': onEntity('/comment', aComment, { text: 'Why so high?' }, own),
    'DELETE /api/internal/comment/{uuid}': onEntity('/comment', aComment, undefined, own),
  };
}
