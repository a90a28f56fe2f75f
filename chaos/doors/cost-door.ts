import { randomUUID } from 'node:crypto';
import { shortIdOf } from '@bidwell/server/platform/partner-ids';
import type { PartnerCounterpart } from '@bidwell/testing/partners/partner-counterpart';
import { storeEvents } from '@bidwell/testing/stored-events';
import {
  type Door,
  type DoorCompany,
  type DoorDifferences,
  type DoorSetup,
  differencesOf,
  done,
} from './door.ts';

const EVENTS_EACH = 60;
const CREATIVES_EACH = 3;
const DAYS = 4;
const DAY_MS = 86_400_000;
/** AppsFlyer takes five decimal places of a dollar. */
const UNIT_MICROS = 10;
const COUNTRIES = ['US', 'DE', 'IN'];
const BUNDLES = ['com.publisher.one', 'com.publisher.two', 'com.publisher.with.a.name.of.many.characters'];
const KINDS = ['billing', 'win', 'impression'] as const;

/** An app with costs. */
export interface CostApp {
  company: DoorCompany;
  appUuid: string;
  campaignUuid: string;
  adsetUuid: string;
  bundle: string;
}

/** Costs of apps at AppsFlyer, of the last days: each time more of all days, so that earlier ones are corrected. */
export async function openCostDoor(
  { clock, clickhouse, random }: DoorSetup,
  apps: readonly CostApp[],
  partner: PartnerCounterpart,
): Promise<Door> {
  const parts = apps.map(({ adsetUuid: adsetId }) =>
    Array.from({ length: CREATIVES_EACH }, () => ({ adsetId, creativeId: randomUUID() })),
  );
  for (const { company, bundle } of apps) {
    const { timeZone } = company;
    partner.appsFlyer.apps.push({ id: bundle, timeZone });
    const { token, mediaSource: media_source } = partner.appsFlyer;
    await done(company.call('PUT', '/partner-costs/appsflyer', { is_enabled: true, media_source, token }));
  }
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const compare = async (): Promise<DoorDifferences> => {
    const ours = new Map<string, number>();
    for (const { company, appUuid, bundle } of apps)
      for (const row of await clickhouse.query<Record<string, string> & { micros: number }>(
        `select toString(campaign_id) as campaign, toString(adset_id) as adset, toString(creative_id) as creative,
             country, toString(toDate(time, {zone:String})) as day, sum(spend_micros) as micros
           from events where app_id = {app:UUID} group by all having micros > 0`,
        { app: appUuid, zone: company.timeZone },
      ))
        ours.set(
          [
            bundle,
            row['day'],
            ...['campaign', 'adset', 'creative'].map((level) => shortIdOf(row[level]!)),
            row['country'],
          ].join(' '),
          row.micros,
        );
    const theirs = new Map<string, number>();
    for (const { appId, date, campaignId, adsetId, adId, geo, spendMicros } of partner.costs()) {
      const key = [appId, date, campaignId, adsetId, adId, geo].join(' ');
      theirs.set(key, (theirs.get(key) ?? 0) + spendMicros);
    }
    const dollars = ([...ours.values()].reduce((sum, micros) => sum + micros, 0) / 1e6).toFixed(6);
    return { ...differencesOf(ours, theirs), notes: [`$${dollars}`] };
  };
  return {
    name: 'costs',
    async addStored() {
      const now = clock.now();
      for (const [index, { company, appUuid: appId, campaignUuid: campaignId }] of apps.entries()) {
        const events = Array.from({ length: EVENTS_EACH }, () => ({
          at: new Date(now.getTime() - Math.floor(random() * DAYS) * DAY_MS).toISOString(),
          kind: one(KINDS),
          appId,
          campaignId,
          ...one(parts[index]!),
          country: one(COUNTRIES),
          bundle: one(BUNDLES),
          spendMicros: UNIT_MICROS * Math.floor(1 + random() * 1000),
        }));
        await storeEvents({ clickhouse }, company.companyId, events, now);
      }
    },
    async addRunning() {
      for (const { company } of apps) await done(company.call('POST', '/partner-costs/appsflyer/send'));
    },
    async unfinished() {
      const left: string[] = [];
      for (const { company } of apps) {
        const { uploads } = await done(company.call('GET', '/partner-costs/appsflyer/uploads'));
        for (const { status, error } of uploads as { status: string; error: string | null }[])
          if (status !== 'accepted') left.push(`an upload of costs is ${status}: ${error ?? ''}`);
      }
      // The days of a round that waits itself have no upload yet.
      const { lost, doubled } = await compare();
      return [...left, ...lost, ...doubled];
    },
    compare,
  };
}
