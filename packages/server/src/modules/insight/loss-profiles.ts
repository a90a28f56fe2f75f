import {
  OWN_LOSS_REASONS,
  STATUS_LOSS_CODES,
  STATUS_PROFILE,
  isOwnLossCode,
} from '@bidwell/contract/bid-log/loss-reasons';
import type { ProfileSlug } from '@bidwell/contract/operator/exchange-rules';
import type { Db } from '../../platform/postgres/transaction.ts';

/** The profiles of the exchanges that have loss codes of their own, by slug; exchanges belong to no company. */
export type LossProfiles = ReadonlyMap<string, ProfileSlug>;

const PROFILES: readonly ProfileSlug[] = [
  ...(Object.keys(OWN_LOSS_REASONS) as ProfileSlug[]),
  STATUS_PROFILE,
];

/** Reads {@link LossProfiles}, also of exchanges that are off. */
export async function lossProfilesOf(db: Db): Promise<LossProfiles> {
  const rows = await db
    .selectFrom('ssps')
    .select(['slug', 'profile'])
    .where('profile', 'in', PROFILES)
    .orderBy('slug')
    .execute();
  return new Map(rows.map(({ slug, profile }) => [slug, profile]));
}

/** The profile of an exchange if it gives a loss code its own meaning; null if the code has OpenRTB's. */
export function lossProfileOf(profiles: LossProfiles, exchange: string, code: number): ProfileSlug | null {
  const profile = profiles.get(exchange);
  return profile && isOwnLossCode(code, profile) ? profile : null;
}

/** The parameters of {@link lossProfileSql}. */
export function lossProfileParams(profiles: LossProfiles): Record<string, string[]> {
  // ClickHouse takes no empty lists there; no exchange has an empty slug.
  return { loss_slugs: ['', ...profiles.keys()], loss_profiles: ['', ...profiles.values()] };
}

/** SQL of the profile that gives the loss code of an event its meaning; '' for OpenRTB. */
export function lossProfileSql(exchange: string, code: string): string {
  const profile = `transform(toString(${exchange}), {loss_slugs:Array(String)}, {loss_profiles:Array(String)}, '')`;
  const cases = Object.entries(OWN_LOSS_REASONS).map(
    ([slug, reasons]) =>
      `${profile} = '${slug}' and ${code} in (${Object.keys(reasons).join(', ')}), '${slug}'`,
  );
  return `multiIf(${cases.join(', ')}, ${profile} = '${STATUS_PROFILE}' and ${code} >= ${STATUS_LOSS_CODES}, '${STATUS_PROFILE}', '')`;
}
