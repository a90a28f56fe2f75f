import { formatDay, formatMoney, formatNumber } from '../../lib/format.ts';

/** A field's change in readable form: two values, or the items added to and removed from a list. */
export type ReadableChange =
  | { kind: 'value'; before: string; after: string }
  | { kind: 'list'; added: string[]; removed: string[]; unchanged: number };

const NONE = 'none';
const UNLIMITED = 'unlimited';

const labels = new Map(
  Object.entries({
    all_budget_const: 'Total budget',
    algo: 'Bid strategy',
    bet_cpi: 'Target cost per install',
    bet_cpm: 'CPM bid',
    black_list_bundles: 'Blocklist',
    bundle_bids: 'Bundle bids',
    bundle_id: 'Bundle',
    click_url: 'Click URL',
    daily_budget_const: 'Daily budget',
    device_connection_types: 'Connection types',
    device_max_os_version: 'Maximum OS version',
    device_min_os_version: 'Minimum OS version',
    device_os: 'OS',
    iab_category: 'IAB category',
    mobile_measurement_partner: 'MMP',
    os: 'OS',
    size_in_kb: 'Size',
    view_url: 'View URL',
    white_list_bundles: 'Allowlist',
  }),
);

const moneyFields = new Set(['bet_cpm', 'bet_cpi', 'daily_budget_const', 'all_budget_const']);
const budgetFields = new Set(['daily_budget_const', 'all_budget_const']);

/** Display name of a field. */
export function fieldLabel(field: string): string {
  const words = field.replaceAll('_', ' ');
  return labels.get(field) ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** A field's value as text: names for entities, dollars for money, 'none' for an empty value. */
export function valueText(field: string, value: unknown): string {
  if (budgetFields.has(field) && (value === null || value === undefined || value === 0)) return UNLIMITED;
  if (value === null || value === undefined || value === '') return NONE;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') {
    if (moneyFields.has(field)) return formatMoney(value);
    const text = formatNumber(value, Number.isInteger(value) ? 0 : 2);
    return field === 'size_in_kb' ? `${text} kB` : text;
  }
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\d$/.test(value) ? formatDay(value) : value;
  const items = itemsOf(field, value);
  return items.length === 0 ? NONE : items.join(', ');
}

/** Describes the change of a field. */
export function describeChange(field: string, before: unknown, after: unknown): ReadableChange {
  if (!isList(field, before) && !isList(field, after)) {
    return { kind: 'value', before: valueText(field, before), after: valueText(field, after) };
  }
  const [previous, next] = [itemsOf(field, before), itemsOf(field, after)];
  return {
    kind: 'list',
    added: next.filter((item) => !previous.includes(item)),
    removed: previous.filter((item) => !next.includes(item)),
    unchanged: next.filter((item) => previous.includes(item)).length,
  };
}

const isList = (field: string, value: unknown): boolean => Array.isArray(value) || isMap(field, value);

/** `bundle_bids` is the only field that maps names to amounts; any other object is an entity. */
const isMap = (field: string, value: unknown): boolean =>
  field === 'bundle_bids' && typeof value === 'object' && value !== null;

function itemsOf(field: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.map((item: unknown) => valueText(field, item));
  if (typeof value !== 'object' || value === null) return [];
  if (isMap(field, value)) {
    return Object.entries(value).map(([name, amount]) => `${name}: ${formatMoney(Number(amount))}`);
  }
  if ('name' in value && typeof value.name === 'string') return [value.name];
  return Object.entries(value).map(([name, one]) => `${fieldLabel(name)}: ${valueText(name, one)}`);
}
