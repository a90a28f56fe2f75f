import { NewApiToken } from '@bidwell/contract/accounts/api-token';
import { NewInvitation, Person } from '@bidwell/contract/accounts/people';
import { Adset } from '@bidwell/contract/adsets/schema';
import { App } from '@bidwell/contract/apps/schema';
import { Approval, ApprovalLimits } from '@bidwell/contract/approvals/schema';
import { Campaign } from '@bidwell/contract/campaigns/schema';
import { Comment } from '@bidwell/contract/comments/schema';
import { DraftVersion } from '@bidwell/contract/drafts/schema';
import { ReportSchedule } from '@bidwell/contract/report-schedules/schema';
import { z } from 'zod';
import type { Api } from './api.ts';
import type { Step } from './company.ts';
import type { ColleaguePlan, TeamPlan } from './plan.ts';

interface TeamDeps {
  /** The console's API as the company's owner. */
  owner: Api;
  /** Runs what a person of the company does, by their login. */
  as: (login: string, run: (api: Api) => Promise<unknown>) => Promise<void>;
  /** Accepts the invitation with this token as a new person. */
  join: (token: string, colleague: ColleaguePlan) => Promise<void>;
}

/** The joint work of a company's people, each on its day. */
export function teamSteps({ owner, as, join }: TeamDeps, plan: TeamPlan): Step[] {
  const { colleagues, comments } = plan;
  const editor = colleagues.find(({ role }) => role === 'editor')!;
  const steps = (daysAgo: number, hour: number, run: () => Promise<unknown>): Step => ({
    daysAgo,
    hour,
    run: async () => void (await run()),
  });
  const invite = async ({ email, role }: Pick<ColleaguePlan, 'email' | 'role'>): Promise<string> => {
    const { link } = await owner.send('POST', '/people/invitations', { email, role }, NewInvitation);
    return link.slice(link.indexOf('#') + 1);
  };
  return [
    ...colleagues.map((colleague) =>
      steps(colleague.joinedDaysAgo, 10, async () => join(await invite(colleague), colleague)),
    ),
    ...comments.map(({ campaign, by, to, daysAgo, hour, text }) =>
      steps(daysAgo, hour, async () =>
        as(by, async (api) => {
          const mentions = [await uuidOfPerson(owner, to)];
          const { uuid } = await campaignOf(api, campaign);
          return api.send('POST', `/campaign/${uuid}/comment`, { text, mentions }, Comment);
        }),
      ),
    ),
    steps(20, 11, async () => {
      const token = { name: plan.apiKey, scopes: ['read'] };
      return owner.send('POST', '/api_tokens', token, NewApiToken);
    }),
    steps(15, 11, async () => scheduleReport(owner, plan.report)),
    steps(1, 10, async () => invite(plan.invited)),
    // After the changes of the history, which no one had to approve.
    steps(1, 10, async () => {
      const limits = { daily_budget_above: plan.approvalAboveDollars, total_budget_above: null };
      return owner.send('PUT', '/approval/limits', limits, ApprovalLimits);
    }),
    steps(1, 13, async () => as(editor.login, async (api) => draft(api, owner, plan.draft))),
    steps(1, 14, async () => as(editor.login, async (api) => askApproval(api, plan.budget))),
  ];
}

async function campaignOf(api: Api, name: string): Promise<Campaign> {
  const { campaigns } = await api.get('/campaign', z.object({ campaigns: z.array(Campaign) }));
  return campaigns.find((campaign) => campaign.name === name)!;
}

async function uuidOfPerson(api: Api, login: string): Promise<string> {
  const { people } = await api.get('/people', z.object({ people: z.array(Person) }));
  return people.find((person) => person.login === login)!.uuid;
}

async function scheduleReport(owner: Api, { name, to }: TeamPlan['report']): Promise<ReportSchedule> {
  const schedule = {
    name,
    report: { levels: { campaign: '', adset: '' } },
    format: 'mail',
    frequency: 'weekly',
    weekday: 1,
    hour: 8,
    user_uuids: await Promise.all(to.map(async (login) => uuidOfPerson(owner, login))),
    is_enabled: true,
  };
  return owner.send('POST', '/report-schedules', schedule, ReportSchedule);
}

/** A campaign that is not finished, on which the owner comments. */
async function draft(
  api: Api,
  owner: Api,
  { app, name, description, comment }: TeamPlan['draft'],
): Promise<void> {
  const { apps } = await api.get('/app', z.object({ apps: z.array(App) }));
  const values = { name, description, app_uuid: apps.find((one) => one.name === app)!.uuid, adsets: [] };
  const { uuid } = await api.send('POST', '/campaign_draft', { values }, DraftVersion);
  await owner.send('POST', `/campaign_draft/${uuid}/comment`, { text: comment }, Comment);
}

async function askApproval(api: Api, { campaign, adset, dollars, note }: TeamPlan['budget']): Promise<void> {
  const { adsets } = await api.get('/adset', z.object({ adsets: z.array(Adset) }));
  const { uuid } = adsets.find(({ name }) => name === adset)!;
  const request = {
    campaign_uuid: (await campaignOf(api, campaign)).uuid,
    adsets: [{ uuid, daily_budget_const: dollars }],
    note,
  };
  await api.send('POST', '/approval', request, Approval);
}
