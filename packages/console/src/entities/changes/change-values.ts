import { type Change, type ChangedField, UNDO_FIELD, UndoneEntry } from '@bidwell/contract/changes/schema';
import type { Field } from '@bidwell/contract/lib/fields';
import { Circle } from '@bidwell/contract/targets/place-values';
import { describedField, fieldLabel } from '@bidwell/contract/text/field-label';
import { formatDay, formatMoment, formatMoney, formatNumber } from '../../lib/format/format.ts';

/** A field's change in readable form: two values, the items added to and removed from a list, or what is noted of the change. */
export type ReadableChange =
  | { kind: 'note'; text: string }
  | { kind: 'value'; before: string; after: string }
  | { kind: 'list'; added: string[]; removed: string[]; unchanged: number };

type Entries = NonNullable<ChangedField['entries']>;

const verbs: Record<Change['action'], string> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  start: 'started',
  pause: 'paused',
  decide: 'decided on',
  archive: 'archived',
  restore: 'restored',
  view: 'viewed the console of',
};

const kinds: Partial<Record<Change['entity_type'], string>> = {
  adset: 'ad set',
  user: 'profile',
  alert_channel: 'Alert channel',
  alert_rule: 'alert rule',
  report_schedule: 'scheduled report',
  report_destination: 'destination of reports',
  warehouse_export: 'export of events',
  api_token: 'API key',
};

/** The action, in the past tense. */
export const verbOf = ({ action, fields }: Pick<Change, 'action' | 'fields'>): string =>
  action === 'update' && fields.some(({ field }) => field === UNDO_FIELD)
    ? 'undid a change of'
    : verbs[action];

/** What the log notes of a change itself, which is no value of the entity. */
const notes: Readonly<Record<string, (after: unknown) => string | undefined>> = {
  [UNDO_FIELD]: undoneText,
  ids_changed: (after) => (typeof after === 'string' ? after : undefined),
};

/** The fields of a change that are values of its entity. */
export const valueFields = (fields: Change['fields']): Change['fields'] =>
  fields.filter(({ field }) => !Object.hasOwn(notes, field));

const undoneNouns: Partial<Record<Change['action'], string>> = { start: 'the start', pause: 'the pause' };

/** `the change by Ada Miller, Nov 28 / 2026 14:02` */
function undoneText(after: unknown): string | undefined {
  const { data: undone } = UndoneEntry.safeParse(after);
  if (!undone) return undefined;
  const { action, author, created_at: at } = undone;
  return `${undoneNouns[action] ?? 'the change'} by ${author}, ${formatMoment(at)}`;
}

/** Display name of the kind of entity that was changed. */
export const kindOf = ({ entity_type: type }: Pick<Change, 'entity_type'>): string =>
  kinds[type] ?? type.replaceAll('_', ' ');

const NONE = 'none';

/** Dollars of changes of a company. */
const moneyFields = new Set(['balance', 'top_up', 'credit_limit']);

/** A field's value as text: names for entities, dollars for money, 'none' for an empty value. */
export function valueText(field: string, value: unknown): string {
  const { unit, none = NONE, zeroIsNone = false, text }: Partial<Field> = describedField(field) ?? {};
  const words = text?.(value);
  if (words !== undefined) return words;
  if (value === null || value === undefined || value === '' || (zeroIsNone && value === 0))
    return none.toLowerCase();
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') {
    if (unit === 'dollars' || moneyFields.has(field)) return formatMoney(value);
    const number = formatNumber(value, Number.isInteger(value) ? 0 : 2);
    return unit === 'kB' ? `${number} kB` : number;
  }
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\d$/.test(value) ? formatDay(value) : value;
  const items = itemsOf(field, value);
  return items.length === 0 ? NONE : items.join(', ');
}

/** The value of a field that a change created or deleted, with the number of the entries that the change log leaves out. */
export function wholeText({ field, before, after, entries }: ChangedField, side: 'before' | 'after'): string {
  const value = side === 'before' ? before : after;
  if (!entries) return valueText(field, value);
  return withOthers(itemsOf(field, value), entries[side === 'before' ? 'removed' : 'added']).join(', ');
}

/** Describes the change of a field. */
export function describeChange({ field, before, after, entries }: ChangedField): ReadableChange {
  const note = Object.hasOwn(notes, field) ? notes[field]!(after) : undefined;
  if (note !== undefined) return { kind: 'note', text: note };
  if (!isList(field, before) && !isList(field, after)) {
    return { kind: 'value', before: valueText(field, before), after: valueText(field, after) };
  }
  const [previous, next] = [itemsOf(field, before), itemsOf(field, after)];
  if (entries) return describeEntries(previous, next, entries);
  return {
    kind: 'list',
    added: next.filter((item) => !previous.includes(item)),
    removed: previous.filter((item) => !next.includes(item)),
    unchanged: next.filter((item) => previous.includes(item)).length,
  };
}

const describeEntries = (removed: string[], added: string[], entries: Entries): ReadableChange => ({
  kind: 'list',
  added: withOthers(added, entries.added),
  removed: withOthers(removed, entries.removed),
  unchanged: entries.unchanged,
});

const withOthers = (items: string[], count: number): string[] =>
  count > items.length ? [...items, `${formatNumber(count - items.length)} more`] : items;

const isList = (field: string, value: unknown): boolean => Array.isArray(value) || isMap(field, value);

/** Any other object is an entity. */
const isMap = (field: string, value: unknown): boolean =>
  describedField(field)?.unit === 'dollars by name' && typeof value === 'object' && value !== null;

function itemsOf(field: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.map((item: unknown) => valueText(field, item));
  if (typeof value !== 'object' || value === null) return [];
  if (isMap(field, value)) {
    return Object.entries(value).map(([name, amount]) => `${name}: ${formatMoney(Number(amount))}`);
  }
  if ('name' in value && typeof value.name === 'string') return [value.name];
  const circle = Circle.safeParse(value);
  if (circle.success) return [`${circle.data.km} km of ${circle.data.lat}, ${circle.data.lon}`];
  return Object.entries(value).map(([name, one]) => `${fieldLabel(name)}: ${valueText(name, one)}`);
}
