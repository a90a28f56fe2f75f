import { ADSET_AMOUNTS, type AdsetAmount, settingFields } from '@bidwell/contract/adsets/fields';
import type { AdsetSummary, AdsetUpdate } from '@bidwell/contract/adsets/schema';
import { valueText } from '../../../entities/changes/change-values.ts';
import { formatMoney } from '../../../lib/format/format.ts';
import { moneyError } from '../../../lib/format/money-error.ts';
import type { Startable } from '../table/status-actions.ts';
import type { TreeRow } from '../table/tree-rows.ts';

export type BulkField = Exclude<AdsetAmount, 'cpa'>;

/** What happens to an amount: `set` to dollars, `raise` or `lower` by percent, or `clear` to no amount. */
export interface AmountChange {
  how: 'keep' | 'set' | 'raise' | 'lower' | 'clear';
  /** Dollars or percent; null while the field is empty. */
  amount: number | null;
}

/** Lists and choices that are copied from one ad set, together with what belongs to them. */
export const copiedSettings = {
  caps: { label: 'Frequency caps', fields: ['frequency_caps', 'people_without_id'] },
  hours: { label: 'Hours', fields: ['hours', 'hours_zone'] },
  multipliers: { label: 'Bid multipliers', fields: ['bid_multipliers'] },
  countries: { label: 'Bids by country', fields: ['countries'] },
  audiences: {
    label: 'Audiences',
    fields: ['audience_include', 'audience_exclude', 'audience_without_id', 'exclude_installed'],
  },
} as const satisfies Record<
  string,
  { label: string; fields: readonly (keyof AdsetSummary & keyof typeof settingFields)[] }
>;
export type CopiedSetting = keyof typeof copiedSettings;
type CopiedField = (typeof copiedSettings)[CopiedSetting]['fields'][number];

/** A change of many rows at once. */
export interface BulkEdit {
  status: 'keep' | 'Active' | 'Paused';
  amounts: Readonly<Record<BulkField, AmountChange>>;
  /** The settings that ad sets get from another one. */
  copied: { from: AdsetSummary | null; settings: readonly CopiedSetting[] };
}

interface FieldView {
  label: string;
  /** The name of no amount, for fields that may have none. */
  none?: string;
  /** Dollars. */
  min: number;
  max: number;
}

/** The amounts that can be edited, in the order of the form. */
export const bulkFields: Readonly<Record<BulkField, FieldView>> = {
  bet_cpm: ADSET_AMOUNTS.bet_cpm,
  bet_cpi: ADSET_AMOUNTS.bet_cpi,
  daily_budget_const: ADSET_AMOUNTS.daily_budget_const,
  all_budget_const: ADSET_AMOUNTS.all_budget_const,
};
const fieldNames = Object.keys(bulkFields) as BulkField[];

export const noEdit: BulkEdit = {
  status: 'keep',
  amounts: Object.fromEntries(
    fieldNames.map((field) => [field, { how: 'keep', amount: null }]),
  ) as unknown as BulkEdit['amounts'],
  copied: { from: null, settings: [] },
};

/** A value before and after the change. */
interface PlannedChange {
  label: string;
  before: string;
  after: string;
}

/** The changes of one campaign or ad set. */
export interface PlannedRow {
  id: string;
  name: string;
  one: Startable;
  changes: readonly PlannedChange[];
  status?: 'Active' | 'Paused';
  /** The new amounts of an ad set, in dollars, and its new settings. */
  update: AdsetUpdate;
  /** The changes that undo them. */
  restore: AdsetUpdate;
  /** Why the row cannot be changed so. */
  error?: string;
}

/** Messages of the form by field; empty when the edit can be previewed. Pure. */
export function editErrors({ status, amounts, copied }: BulkEdit): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const field of fieldNames) {
    const { how, amount } = amounts[field];
    const { min, max } = bulkFields[field];
    if (how === 'set') {
      const error = moneyError(amount ?? 0, { min, max });
      if (error) errors[field] = error;
    }
    if ((how === 'raise' || how === 'lower') && !((amount ?? 0) > 0 && (how === 'raise' || amount! < 100)))
      errors[field] = how === 'raise' ? 'Enter a percentage above 0' : 'Enter a percentage between 0 and 100';
  }
  const { from, settings } = copied;
  if (from === null && settings.length > 0) errors['from'] = 'Choose an ad set';
  if (from !== null && settings.length === 0) errors['settings'] = 'Choose what to copy';
  const isEmpty =
    status === 'keep' &&
    from === null &&
    settings.length === 0 &&
    fieldNames.every((field) => amounts[field].how === 'keep');
  return isEmpty ? { form: 'Choose at least one change' } : errors;
}

/** Names of audiences by their id. */
export type AudienceNames = ReadonlyMap<string, string>;

/**
 * The changes of an edit to the selected rows: their status, and the amounts and settings of the selected ad sets and of the current ad
 * sets of selected campaigns. Rows that stay as they are, are left out. Pure.
 */
export function planRows(
  selected: readonly TreeRow[],
  edit: BulkEdit,
  audiences: AudienceNames = new Map(),
): PlannedRow[] {
  const planned = new Map<string, PlannedRow>();
  for (const row of selected) {
    if (row.kind === 'campaign') {
      add(planned, { kind: 'campaign', item: row.campaign }, { ...noEdit, status: edit.status }, audiences);
      for (const adset of row.adsets)
        if (adset.archived_at === null)
          add(planned, { kind: 'adset', item: adset }, { ...edit, status: 'keep' }, audiences);
    }
    if (row.kind === 'adset' && row.adset) add(planned, { kind: 'adset', item: row.adset }, edit, audiences);
  }
  return [...planned.values()].filter(({ changes, error }) => changes.length > 0 || error !== undefined);
}

function add(
  planned: Map<string, PlannedRow>,
  one: Startable,
  { status, amounts, copied }: BulkEdit,
  audiences: AudienceNames,
): void {
  const { uuid, name } = one.item;
  const changes: PlannedChange[] = [];
  const update: Record<string, unknown> = {};
  const restore: Record<string, unknown> = {};
  let error: string | undefined;
  if (status !== 'keep' && status !== one.item.status)
    changes.push({ label: 'Status', before: one.item.status, after: status });
  for (const [field, change] of Object.entries(amounts) as [BulkField, AmountChange][]) {
    if (one.kind !== 'adset') continue;
    const before = one.item[field];
    const after = changed(before, change);
    if (after === before) continue;
    const view = bulkFields[field];
    if (after !== null) {
      const fault = moneyError(after, view);
      if (fault) error ??= `${view.label}: ${fault}`;
    }
    update[field] = after;
    restore[field] = before;
    changes.push({ label: view.label, before: shown(before, view), after: shown(after, view) });
  }
  if (one.kind === 'adset' && copied.from)
    for (const field of copied.settings.flatMap(
      (setting): readonly CopiedField[] => copiedSettings[setting].fields,
    )) {
      const [before, after] = [one.item[field], copied.from[field]];
      if (isSameSetting(before, after)) continue;
      update[field] = after;
      restore[field] = before;
      const textOf = (value: unknown) => valueText(field, withNames(field, value, audiences));
      changes.push({ label: settingFields[field].label, before: textOf(before), after: textOf(after) });
    }
  planned.set(uuid, {
    id: uuid,
    name,
    one,
    changes,
    update: update as AdsetUpdate,
    restore: restore as AdsetUpdate,
    ...(changes[0]?.label === 'Status' && status !== 'keep' && { status }),
    ...(error !== undefined && { error }),
  });
}

/** The new amount in dollars, rounded to cents. No amount stays none unless it is set. */
function changed(before: AdsetSummary[BulkField], { how, amount }: AmountChange): number | null {
  if (how === 'clear') return null;
  if (how === 'set') return amount;
  if (how === 'keep' || before === null) return before;
  const factor = 1 + ((how === 'raise' ? 1 : -1) * (amount ?? 0)) / 100;
  return Math.round(before * factor * 100) / 100;
}

const shown = (dollars: number | null, { none = '-' }: FieldView): string =>
  dollars ? formatMoney(dollars) : none;

/** Whether two settings are the same. The server writes each in one order. */
export const isSameSetting = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Whether a field is an amount that can be edited. */
export const isBulkField = (field: string): field is BulkField => Object.hasOwn(bulkFields, field);

/** A setting with names next to the ids of audiences, as the change log has it. */
function withNames(field: CopiedField, value: unknown, names: AudienceNames): unknown {
  const named = (uuid: string) => ({ uuid, name: names.get(uuid) ?? uuid });
  if (field === 'audience_include')
    return (value as AdsetSummary[typeof field]).map((group) => group.map(named));
  if (field === 'audience_exclude') return (value as AdsetSummary[typeof field]).map(named);
  if (field !== 'bid_multipliers') return value;
  return (value as AdsetSummary[typeof field]).map((one) =>
    one.dimension === 'audience' ? { ...one, name: named(one.value).name } : one,
  );
}
