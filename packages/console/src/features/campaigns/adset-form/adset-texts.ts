import { ADSET_AMOUNTS, adsetFields, isAdsetAmount } from '@bidwell/contract/adsets/fields';
import { capsText } from '@bidwell/contract/frequency/caps';
import { describedField, fieldLabel } from '@bidwell/contract/text/field-label';
import { formatMoney } from '../../../lib/format/format.ts';
import { knownData } from '../../../lib/loadable.ts';
import type { AdsetOptions } from './adset-options.ts';

const labels: Readonly<Record<string, string>> = {
  name: 'Title',
  target_id: 'Target',
  tracking_link_id: 'Tracking link',
  creative_group_ids: 'Creative groups',
};

/** What the form calls a field of an ad set. */
export const adsetLabel = (field: string): string => labels[field] ?? fieldLabel(field);

/** An amount of an ad set, or the name of what it refers to; undefined for other values, which say it themselves. */
export function adsetValueText(options: AdsetOptions, field: string, value: unknown): string | undefined {
  if (isAdsetAmount(field)) {
    const rule = ADSET_AMOUNTS[field];
    if (typeof value === 'number' && value !== 0) return formatMoney(value);
    return 'none' in rule ? rule.none : undefined;
  }
  if (field === 'frequency_caps') {
    const caps = adsetFields.frequency_caps.form.safeParse(value).data;
    return caps && (capsText(caps) || 'none');
  }
  const words = describedField(field)?.text?.(value);
  if (words !== undefined) return words;
  const { targets, links, groups } = options;
  const one = (list: readonly { uuid: string; name: string }[] | undefined) =>
    list?.find(({ uuid }) => uuid === value)?.name;
  if (field === 'target_id') return one(knownData(targets));
  if (field === 'tracking_link_id') return one(knownData(links));
  return field === 'creative_group_ids' ? one(knownData(groups)) : undefined;
}
