import { hasSigningNetwork, outcomesSince } from '../../../delivery/public.ts';
import type { Context } from '../../../context.ts';
import { daysBefore } from '../../../platform/days-before.ts';
import type { SigningFacts } from './facts.ts';
import { appsWithSignedBids, listExchangeSigning } from './signing-store.ts';

/** Days, with today, whose requests are counted. */
const COUNTED_DAYS = 7;

/** How bids of a company's iOS apps are signed, by app. */
export async function readSigning(
  { db, now }: Pick<Context, 'db' | 'now'>,
  companyId: string,
): Promise<(appUuid: string) => SigningFacts> {
  const since = daysBefore(now(), COUNTED_DAYS - 1)
    .toISOString()
    .slice(0, 10);
  const [hasNetwork, apps, switches, counts] = await Promise.all([
    hasSigningNetwork(db),
    appsWithSignedBids(db, companyId),
    listExchangeSigning(db),
    outcomesSince(db, since),
  ]);
  const exchanges = switches.map(({ slug, name, isOn }) => {
    const own = counts.filter((one) => one.slug === slug);
    return {
      name,
      isOn,
      outcomes: Object.fromEntries(own.map(({ outcome, requests }) => [outcome, requests])),
    };
  });
  return (appUuid) => ({ hasNetwork, isAppOn: apps.has(appUuid), exchanges });
}
