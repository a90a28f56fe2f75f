import { listCampaigns } from '@bidwell/contract/campaigns/endpoints';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import { readFindings } from '@bidwell/contract/insight/finding-endpoints';
import { assistantMessages } from '@bidwell/contract/text/assistant-messages';
import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { CallApi, Caller } from './api.ts';
import { lastDays } from './resources.ts';
import { failure, resultOf } from './tool-calls.ts';

export const WHY = 'why_not_spending';

const WhyArguments = z.strictObject({
  campaign: z.string().min(1).max(100).describe(assistantMessages.whyCampaign),
  days: z.number().int().min(1).max(31).default(7).describe(assistantMessages.whyDays),
});

export const whyTool: ListedTool = {
  name: WHY,
  description: assistantMessages.whyTitle,
  inputSchema: z.toJSONSchema(WhyArguments, { io: 'input' }) as ListedTool['inputSchema'],
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** The findings of a campaign by its name or uuid, each a sentence with the remedy. */
export async function whyNotSpending(
  api: CallApi,
  caller: Caller,
  now: Date,
  input: unknown,
): Promise<CallToolResult> {
  const given = WhyArguments.safeParse(input ?? {});
  if (!given.success) return failure(z.prettifyError(given.error));
  const { campaign: wanted, days } = given.data;
  const uuid = z.uuid().safeParse(wanted).success ? wanted : await campaignNamed(api, caller, wanted);
  if (typeof uuid !== 'string') return uuid;
  const reply = await api(caller, readFindings, { params: { uuid }, query: lastDays(now, days) });
  return resultOf(reply);
}

/** The uuid of a campaign with a name; a failure if there is none, or several, or the key cannot read campaigns. */
async function campaignNamed(api: CallApi, caller: Caller, name: string): Promise<string | CallToolResult> {
  const reply = await api(caller, listCampaigns, {});
  if (reply.status >= 300) return resultOf(reply);
  const { campaigns } = reply.data as { campaigns: Campaign[] };
  const found = campaigns.filter((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found.length > 1) return failure(assistantMessages.severalCampaigns(name));
  return found[0]?.uuid ?? failure(assistantMessages.noSuchCampaign(name));
}
