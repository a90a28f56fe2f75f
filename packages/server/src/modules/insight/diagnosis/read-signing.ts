import { outcomesSince } from '../../../delivery/public.ts';
import type { Context } from '../../../context.ts';
import { daysBefore } from '../../../platform/days-before.ts';
import type { SigningFacts } from './facts.ts';
import { appsWithSignedBids, hasSigningNetwork, listExchangeSigning } from './signing-store.ts';

/** Days, with today, whose requests are counted. */
const COUNTED_DAYS = 7;

/** How bids of a company's iOS apps are signed, by app; null for all where the installation has no ad network to sign for. */
export async function readSigning(
  { db, now }: Pick<Context, 'db' | 'now'>,
  companyId: string,
): Promise<(appUuid: string) => SigningFacts | null> {
  if (!(await hasSigningNetwork(db))) return () => null;
  const since = daysBefore(now(), COUNTED_DAYS - 1)
    .toISOString()
    .slice(0, 10);
  const [apps, switches, counts] = await Promise.all([
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
  return (appUuid) => ({ isAppOn: apps.has(appUuid), exchanges });
}
