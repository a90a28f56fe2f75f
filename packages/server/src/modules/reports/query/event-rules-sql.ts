import { eventNumberSql } from '../../../platform/clickhouse/aggregates.ts';
import type { EventRules, PayerEvent } from '../../../platform/postgres/stores/event-rules-store.ts';

/** SQL that a company's rules of in-app events add to a query, and the parameters in it. */
interface RulesSql {
  /** Whether an event's app has to be known. */
  needsApp: boolean;
  params: Record<string, unknown>;
  /** Condition on an event's revenue that counts. `app` is SQL of the id of its app, `isAd` of whether it is ad revenue. */
  isRevenue: (app: string, isAd: string) => string;
  /**
   * How much an event adds to its person's being a payer: `always` or nothing where a rule says so, `otherwise` without one. `event`
   * is SQL of the number of its app and name.
   */
  payer: (event: string, adds: { always: string; otherwise: string }) => string;
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
    needsApp: excluded.length > 0 || payers.length > 0,
    params: {
      ...Object.fromEntries(excluded.map(({ name, apps }) => [name, apps])),
      ...(always.length > 0 && eventParams('always', always)),
      ...(never.length > 0 && eventParams('never', never)),
    },
    isRevenue: (app, isAd) =>
      excluded
        .map(({ name, isOfAd }) => `not (${isAd} = ${isOfAd} and has({${name}:Array(UUID)}, ${app}))`)
        .join(' and ') || '1',
    payer: (event, adds) => {
      const cases = [
        ...(always.length > 0 ? [`has(${eventsSql('always')}, ${event}), ${adds.always}`] : []),
        ...(never.length > 0 ? [`has(${eventsSql('never')}, ${event}), 0`] : []),
      ];
      return cases.length > 0 ? `multiIf(${[...cases, adds.otherwise].join(', ')})` : adds.otherwise;
    },
  };
}

const eventParams = (which: string, events: readonly PayerEvent[]) => ({
  [`${which}Apps`]: events.map(({ appId }) => appId),
  [`${which}Names`]: events.map(({ name }) => name),
});

const eventsSql = (which: string) =>
  `arrayMap((ruleApp, ruleName) -> ${eventNumberSql('ruleApp', 'ruleName')}, {${which}Apps:Array(UUID)}, {${which}Names:Array(String)})`;
