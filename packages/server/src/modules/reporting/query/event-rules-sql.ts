import type { EventRules, PayerEvent } from '../../../delivery/public.ts';

/** SQL that a company's rules of in-app events add to a query, and the parameters in it. */
interface RulesSql {
  /** Columns of an event that the conditions need. */
  columns: readonly ('app_id' | 'event_name')[];
  params: Record<string, unknown>;
  /** Condition on an event's revenue that counts. `isAd` is SQL of whether it is ad revenue, 0 or 1. */
  isRevenue: (isAd: string) => string;
  /** Whether an event makes its person a payer, 0 or 1: as a rule says, and as the SQL `otherwise` without one. */
  isPayer: (otherwise: string) => string;
}

/** The {@link RulesSql} of a company; without rules, or where all counts as by default, queries stay as they are. */
export function eventRulesSql(rules: EventRules | undefined): RulesSql {
  const { withoutPurchases = [], withoutAdRevenue = [], payers = [] } = rules ?? {};
  const of = (which: PayerEvent['payer']) => payers.filter(({ payer }) => payer === which);
  const [always, never] = [of('always'), of('never')];
  const excluded = [
    { name: 'withoutPurchases', apps: withoutPurchases, isOfAd: 0 },
    { name: 'withoutAdRevenue', apps: withoutAdRevenue, isOfAd: 1 },
  ].filter(({ apps }) => apps.length > 0);
  return {
    columns: payers.length > 0 ? ['app_id', 'event_name'] : excluded.length > 0 ? ['app_id'] : [],
    params: {
      ...Object.fromEntries(excluded.map(({ name, apps }) => [name, apps])),
      ...(always.length > 0 && eventParams('always', always)),
      ...(never.length > 0 && eventParams('never', never)),
    },
    isRevenue: (isAd) =>
      excluded
        .map(({ name, isOfAd }) => `not (${isAd} = ${isOfAd} and has({${name}:Array(UUID)}, app_id))`)
        .join(' and ') || '1',
    isPayer: (otherwise) => {
      const cases = [
        ...(always.length > 0 ? [`has(${eventsSql('always')}, (app_id, event_name)), 1`] : []),
        ...(never.length > 0 ? [`has(${eventsSql('never')}, (app_id, event_name)), 0`] : []),
      ];
      return cases.length > 0 ? `multiIf(${[...cases, otherwise].join(', ')})` : otherwise;
    },
  };
}

const eventParams = (which: string, events: readonly PayerEvent[]) => ({
  [`${which}Apps`]: events.map(({ appId }) => appId),
  [`${which}Names`]: events.map(({ name }) => name),
});

const eventsSql = (which: string) => `arrayZip({${which}Apps:Array(UUID)}, {${which}Names:Array(String)})`;
