import { ADSET_AMOUNTS, isAdsetAmount } from '../adsets/amounts.ts';

const labels = new Map(
  Object.entries({
    algo: 'Bid strategy',
    black_list_bundles: 'Blocklist',
    bundle_bids: 'Bundle bids',
    bundle_id: 'Bundle',
    click_url: 'Click URL',
    delay: 'Delay, seconds',
    device_connection_types: 'Connection types',
    device_max_os_version: 'Maximum OS version',
    device_min_os_version: 'Minimum OS version',
    device_os: 'OS',
    end_card_delay: 'Delay after the end card, seconds',
    event_click_window_days: 'Events count after a click, days',
    event_labels: 'Names of events on screen',
    conversion_values: 'Conversion values',
    event_payers: 'Events that always or never make a payer',
    event_revenue_sources: 'Counts as revenue',
    event_view_window_days: 'Events count after a view, days',
    events_not_offered: 'Events that choices do not offer',
    goal_event: 'Goal event',
    goal_window: 'Goal window, days',
    goals_by_country: 'Goals by country',
    iab_category: 'IAB category',
    mobile_measurement_partner: 'MMP',
    os: 'OS',
    overlay: 'SKOverlay',
    product_page_id: 'Custom product page',
    roas: 'Target ROAS, %',
    size_in_kb: 'Size',
    tax_id: 'Tax ID',
    view_url: 'View URL',
    white_list_bundles: 'Allowlist',
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

/** Display name of a field of the change log. */
export function fieldLabel(field: string): string {
  if (isAdsetAmount(field)) return ADSET_AMOUNTS[field].label;
  const words = field.split('_').map((word) => (ACRONYMS.has(word) ? word.toUpperCase() : word));
  const text = words.join(' ');
  return labels.get(field) ?? text.charAt(0).toUpperCase() + text.slice(1);
}
