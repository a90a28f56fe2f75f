import type { Mmp } from '../../apps/schema.ts';
import {
  type Condition,
  type EventPart,
  type EventRules,
  IS_REJECTED,
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

const AD_REVENUE_EVENTS = ['ad_revenue', 'adrevenue', 'af_ad_revenue', 'af_adrevenue'];

/** What only events have: without a name they are events without one, and no installs. An install may report a revenue of 0. */
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
    ...kinds,
    { kind: 'event', parameters: COMMON_PARAMETERS.name, isNot: installNames },
    IS_REJECTED,
    { kind: 'retargeting', parameters: ['retargeting', 'is_retargeting'], is: TRUE },
    { kind: 'install', parameters: COMMON_PARAMETERS.name, is: installNames },
    ...UNNAMED_EVENTS,
  ];
}

/** How a partner's postbacks about in-app events are read: by its own rules and those of all partners. */
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
      { parameters: parametersOf('name'), is: AD_REVENUE_EVENTS },
      { parameters: ['is_ad_revenue'], is: TRUE },
      { parameters: ['ad_revenue_network'], isNot: [] },
    ],
    rejected: [
      ...kinds.filter(({ kind }) => kind === 'rejected'),
      IS_REJECTED,
      { parameters: REASON_PARAMETERS, isNot: [] },
    ],
  };
}
