import type { Mmp } from '../../apps/fields.ts';
import {
  type Condition,
  type EventPart,
  type EventRules,
  FALSE,
  IS_REJECTED,
  IS_RETARGETING,
  type KindRule,
  TRUE,
} from './description.ts';
import { PARTNERS } from './partners.ts';

/**
 * The customary parameters of each part of an in-app event, ours first, as in our templates; docs/in-app-events.md lists them. Partners
 * have further ones of their own, which follow.
 */
export const COMMON_PARAMETERS: Readonly<Record<EventPart, readonly string[]>> = {
  name: ['event_name', 'event-name', 'conversion_event_name', 'event', 'evtname'],
  amount: [
    'revenue_float',
    'event_revenue',
    'event_data.revenue',
    'price',
    'ecom_revenue',
    'monetary',
    'amount',
    'revenue',
  ],
  currency: ['event_revenue_currency', 'event_data.currency', 'currency'],
  dollars: ['revenue_usd', 'event_revenue_usd', 'event_revenue_USD', 'event_data.revenue_in_usd'],
  eventAt: [
    'event_time',
    'created_at',
    'conversion_timestamp',
    'conversion_datetime',
    'event_timestamp',
    'timestamp',
  ],
  installAt: ['install_time', 'installed_at', 'install-unix-ts', 'install_unix_ts', 'install_timestamp'],
  uniqueId: ['event_id', 'transaction_id'],
};

/** Parameters with a partner's reason for a rejection. */
export const REASON_PARAMETERS: readonly string[] = ['reject_reason', 'rejection_reason', 'blocked_reason'];

/**
 * Names of events that are views of ads in the app, whose amounts are ad revenue, as {@link nameKeyOf} them: Adjust's and AppMetrica's
 * `ad_revenue`, AppsFlyer's `af_ad_revenue` and `af_ad_view`, Singular's `__ADMON_USER_LEVEL_REVENUE__`, Kochava's `Ad View`, Branch's
 * `VIEW_AD`, and `ad_impression` of Firebase, which apps pass on. Tenjin documents none. docs/in-app-events.md names the pages.
 */
const AD_REVENUE_EVENTS: ReadonlySet<string> = new Set([
  'adrevenue',
  'afadrevenue',
  'adview',
  'afadview',
  'viewad',
  'adimpression',
  'admonuserlevelrevenue',
]);

/**
 * Names, as {@link nameKeyOf} returns them, of what partners report in addition to in-app events. It does not happen in the app, so it is no sign
 * that a person uses it. An advertiser who wants to count one has the partner send it under another name.
 */
const NO_ACTIVITY: ReadonlySet<string> = new Set([
  'uninstall',
  'uninstalled',
  'appuninstall',
  'appuninstalled',
  'appremove',
  'appremoved',
  'click',
  'sanclick',
  'impression',
  'sanimpression',
  'cost',
  'costupdate',
  'costupdated',
  'adspend',
  'attribution',
  'attributionupdate',
  'attributionupdated',
  'attributionchange',
  'attributionchanged',
  'gdprforget',
  'gdprforgetme',
]);

/** Parameters that only events have: without a name these postbacks are unnamed events, not installs. An install may report a revenue of 0. */
const UNNAMED_EVENTS: readonly KindRule[] = [
  {
    kind: 'event',
    parameters: [
      'revenue',
      'revenue_float',
      'event_revenue',
      'event_data.revenue',
      ...COMMON_PARAMETERS.dollars,
    ],
    isNot: ['0', '0.0', '0.00'],
  },
  {
    kind: 'event',
    parameters: ['event_value', 'event_revenue_currency', 'event_data.currency', 'ad_revenue_network'],
    isNot: [],
  },
  { kind: 'event', parameters: ['is_ad_revenue'], is: TRUE },
];

/** Rules of the kinds of a partner's postbacks, the first that applies decides; without one it is an install. */
export function kindRulesOf(mmp: Mmp): readonly KindRule[] {
  const { kinds, installNames } = PARTNERS[mmp].postbacks;
  return [
    { kind: 'no_activity', parameters: namesOf(mmp), isNamed: NO_ACTIVITY },
    ...kinds,
    { kind: 'event', parameters: COMMON_PARAMETERS.name, isNot: installNames },
    IS_RETARGETING,
    IS_REJECTED,
    { kind: 'install', parameters: COMMON_PARAMETERS.name, is: installNames },
    ...UNNAMED_EVENTS,
  ];
}

/** The parameters with the name of an event, of a partner. */
function namesOf(mmp: Mmp): readonly string[] {
  return [...COMMON_PARAMETERS.name, ...(PARTNERS[mmp].postbacks.events.parameters?.name ?? [])];
}

/** How a partner's postbacks about in-app events are read: by its own rules and the rules of all partners. */
export interface PartnerEventRules extends Required<Omit<EventRules, 'parameters'>> {
  /** The parameters that hold a part of the event; the first that is given counts. */
  parametersOf: (part: EventPart) => readonly string[];
  /** Whether the revenue is of ads, and whether the event is rejected: one of the conditions is enough. */
  adRevenue: readonly Condition[];
  rejected: readonly Condition[];
}

/** The {@link PartnerEventRules} of a partner. */
export function eventRulesOf(mmp: Mmp): PartnerEventRules {
  const { kinds, events } = PARTNERS[mmp].postbacks;
  const parametersOf = (part: EventPart) => [
    ...COMMON_PARAMETERS[part],
    ...(events.parameters?.[part] ?? []),
  ];
  return {
    parametersOf,
    cents: events.cents ?? [],
    values: events.values ?? null,
    adRevenue: [
      // Adjust may name the event in addition to its kind.
      ...parametersOf('name').map((name) => ({ parameters: [name], isNamed: AD_REVENUE_EVENTS })),
      { parameters: ['is_ad_revenue'], is: TRUE },
      { parameters: ['ad_revenue_network'], isNot: [] },
    ],
    rejected: [
      ...kinds.filter(({ kind, isRejection }) => kind === 'rejected' || isRejection),
      IS_REJECTED,
      { parameters: REASON_PARAMETERS, isNot: FALSE },
    ],
  };
}
