import { adsetFields } from '../adsets/fields.ts';
import { appFields } from '../apps/fields.ts';
import { campaignFields } from '../campaigns/fields.ts';
import { creativeTextFields, groupTextFields } from '../creatives/fields.ts';
import { linkFields } from '../tracking-links/fields.ts';
import { targetFields } from '../targets/fields.ts';
import type { Field } from '../lib/fields.ts';

/** The described fields of all entities. A field that several have is described alike. */
const described = new Map<string, Field>(
  Object.entries({
    ...adsetFields,
    ...campaignFields,
    ...targetFields,
    ...linkFields,
    ...appFields,
    ...creativeTextFields,
    ...groupTextFields,
  }),
);

/** Names of other fields. */
const labels = new Map(
  Object.entries({
    delay: 'Delay, seconds',
    end_card_delay: 'Delay after the end card, seconds',
    event_click_window_days: 'Events count after a click, days',
    event_labels: 'Names of events on screen',
    conversion_values: 'Conversion values',
    event_payers: 'Events that always or never make a payer',
    event_revenue_sources: 'Counts as revenue',
    event_view_window_days: 'Events count after a view, days',
    events_not_offered: 'Events that choices do not offer',
    re_engagement_click_window_days: 'Returns count after a click, days',
    re_engagement_view_window_days: 'Returns count after a view, days',
    tax_id: 'Tax ID',
    undo_of: 'Undid',
  }),
);

/** Words of names of fields that are written in capitals. */
const ACRONYMS = new Set([
  'api',
  'cpa',
  'cpi',
  'cpm',
  'dns',
  'iab',
  'id',
  'ip',
  'mmp',
  'os',
  'qps',
  'roas',
  'uri',
  'url',
  'uuid',
]);

/** The description of a field of the change log; undefined where it has none. */
export const describedField = (field: string): Field | undefined => described.get(field);

/** Display name of a field of the change log. */
export function fieldLabel(field: string): string {
  const words = field.split('_').map((word) => (ACRONYMS.has(word) ? word.toUpperCase() : word));
  const text = words.join(' ');
  return described.get(field)?.label ?? labels.get(field) ?? text.charAt(0).toUpperCase() + text.slice(1);
}
