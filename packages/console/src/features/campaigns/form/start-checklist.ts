import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import { startErrors } from '@bidwell/contract/campaigns/start-errors';
import { adsetErrors, goalThatLacks } from '../adset-form/adset-values.ts';
import type { AdsetFormItem, CampaignFormValues } from './campaign-form-values.ts';
import { type SpendInputs, spendErrors } from './spend-errors.ts';

/** Where a missing thing can be given: a field of the form by its path, or one of the drawers. */
export type Fix =
  | { field: string }
  | { drawer: 'app' | 'top-up' }
  /** Adds the first ad set. */
  | { add: 'adset' };

/** A thing that is missing before the start. */
export interface ChecklistItem {
  text: string;
  fix?: Fix | undefined;
  /** True where only an operator's review is missing. */
  isReview?: boolean | undefined;
}

/** What is missing before the campaign can start, in the order of the form. Pure. */
export function startChecklist(
  campaign: CampaignFormValues,
  context: Omit<SpendInputs, 'adsets'> & { hasApps: boolean },
): ChecklistItem[] {
  const unfinished = campaign.adsets.flatMap((adset, index) => adsetItems(adset, index, campaign.kind));
  const hasGroups = campaign.adsets.some(({ values }) => values.creative_group_ids.length > 0);
  const errors = spendErrors(campaign, {
    ...context,
    adsets: campaign.adsets.map(({ values }) => ({
      status: values.status,
      creative_groups: values.creative_group_ids.map((uuid) => ({ uuid, name: '' })),
    })),
    groups: hasGroups ? context.groups : undefined,
    // The start of a flight in the future is no obstacle.
  }).filter(({ about }) => about !== 'start');
  const about = (...subjects: readonly string[]) =>
    errors
      .filter((error) => subjects.includes(error.about))
      .map(({ text, isReview, about: subject }) =>
        isReview ? { text, isReview } : { text, fix: fixOf(subject, campaign) },
      );
  return [
    ...(campaign.name.trim() === '' ? [{ text: 'Give the campaign a name', fix: { field: 'name' } }] : []),
    ...(campaign.app_uuid === ''
      ? [
          context.hasApps
            ? { text: 'Choose the app', fix: { field: 'app_uuid' } }
            : { text: 'Add your app', fix: { drawer: 'app' as const } },
        ]
      : []),
    ...about('app', 'end', 'adsets'),
    ...unfinished,
    ...about('creatives', 'balance'),
  ];
}

/** How each field of an ad set is asked for. */
const requests: Readonly<Record<string, (name: string) => string>> = {
  name: (name) => `Give ${name} a title`,
  target_id: (name) => `Choose the target of ${name}`,
  tracking_link_id: (name) => `Choose the tracking link of ${name}`,
  creative_group_ids: (name) => `Choose or upload the creatives of ${name}`,
  algo: (name) => `Choose the bid strategy of ${name}`,
  bet_cpm: (name) => `Enter the CPM bid of ${name}`,
};
const fieldOrder = Object.keys(requests);
const orderOf = (field: string) =>
  fieldOrder.includes(field) ? fieldOrder.indexOf(field) : fieldOrder.length;

function adsetItems({ values }: AdsetFormItem, index: number, kind: CampaignKind): ChecklistItem[] {
  const title = values.name.trim() || `Ad set ${index + 1}`;
  const path = (field: string) => ({ field: `adsets.${index}.${field}` });
  const items = Object.keys(adsetErrors(values))
    .toSorted((a, b) => orderOf(a) - orderOf(b))
    .map((field) => ({
      text: (requests[field] ?? ((name: string) => `Correct a value of ${name}`))(`“${title}”`),
      fix: path(field),
    }));
  const includesNoOne = values.audience_include.every((group) => group.length === 0);
  if (kind === 're_engagement' && includesNoOne)
    items.push({ text: startErrors.audience(title), fix: path('audience_include') });
  const lacking = goalThatLacks(values);
  return lacking ? [...items, { text: startErrors[lacking](title), fix: path(lacking) }] : items;
}

function fixOf(about: string, { adsets, app_uuid: app }: CampaignFormValues): Fix | undefined {
  switch (about) {
    case 'app':
      return app === '' ? undefined : { drawer: 'app' };
    case 'end':
      return { field: 'end_date' };
    case 'adsets':
      // An ad set needs the app first.
      if (app === '') return { field: 'app_uuid' };
      return adsets.length === 0 ? { add: 'adset' } : { field: 'adsets.0.status' };
    case 'creatives': {
      const index = adsets.findIndex(({ values }) => values.status === 'Active');
      return { field: `adsets.${index}.creative_group_ids` };
    }
    case 'balance':
      return { drawer: 'top-up' };
    default:
      return undefined;
  }
}
