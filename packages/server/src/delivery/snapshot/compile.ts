import { normaliseBundle } from '@bidwell/contract/bundles';
import { addDays, startOfDayMs } from '@bidwell/contract/calendar';
import type { AdsetRow, Candidate, Choice, SizedBanner, Snapshot } from './types.ts';

/** Builds the snapshot from the rows of the database. Pure. */
export function compileSnapshot(rows: readonly AdsetRow[], builtAtMs: number): Snapshot {
  const candidates = rows.map(compileCandidate);
  const bannersBySize = new Map<string, SizedBanner[]>();
  for (const [index, row] of rows.entries()) {
    for (const banner of row.banners) {
      const key = `${banner.width}x${banner.height}`;
      const sized = bannersBySize.get(key) ?? [];
      sized.push({ candidate: candidates[index]!, banner });
      bannersBySize.set(key, sized);
    }
  }
  return { builtAtMs, candidates, bannersBySize };
}

function compileCandidate(row: AdsetRow, index: number): Candidate {
  const { target } = row;
  return {
    index,
    adsetId: row.adsetId,
    companyId: row.companyId,
    timeZone: row.timeZone,
    campaignId: row.campaignId,
    campaignName: row.campaignName,
    runsFromMs: row.startDate ? startOfDayMs(row.startDate, row.timeZone) : -Infinity,
    runsUntilMs: row.endDate ? startOfDayMs(addDays(row.endDate, 1), row.timeZone) : Infinity,
    app: { uuid: row.app.uuid, os: row.app.os, bundle: row.app.bundle, category: row.app.category },
    advertiserDomain: URL.canParse(row.app.storeLink) ? new URL(row.app.storeLink).hostname : '',
    viewUrl: row.viewUrl,
    algorithm: row.algorithm,
    cpmMicros: row.cpmMicros,
    cpiMicros: row.cpiMicros,
    dailyBudgetMicros: row.dailyBudgetMicros || null,
    totalBudgetMicros: row.totalBudgetMicros || null,
    bundles: { include: bundleSet(row.whiteList), exclude: bundleSet(row.blackList) },
    bundleCpmMicros: new Map(
      Object.entries(row.bundleCpmMicros).map(([bundle, cpm]) => [normaliseBundle(bundle), cpm]),
    ),
    os: lowerSet(target.device_os),
    osVersionMin: target.device_min_os_version === null ? null : versionOf(target.device_min_os_version),
    osVersionMax: target.device_max_os_version === null ? null : versionOf(target.device_max_os_version),
    models: lowerSet(target.device_models),
    deviceTypes: new Set(target.device_types),
    connections: new Set(target.device_connection_types),
    exchanges: choice(target.exchange_include, target.exchange_exclude),
    genres: choice(target.genre_include, target.genre_exclude),
    languages: choice(target.language_include, target.language_exclude),
    countries: choice(target.location_include, target.location_exclude),
  };
}

/** `12.4.1` as numbers, for comparing part by part. */
export function versionOf(version: string): number[] {
  return version.split('.').map(Number);
}

/** Below 0 when `a` is older than `b`. Parts that are missing count as 0. */
export function compareVersions(a: readonly number[], b: readonly number[]): number {
  for (let part = 0; part < Math.max(a.length, b.length); part += 1) {
    const difference = (a[part] ?? 0) - (b[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function choice(include: string[], exclude: string[]): Choice {
  return { include: new Set(include), exclude: new Set(exclude) };
}

function bundleSet(bundles: string[]): Set<string> {
  return new Set(bundles.map(normaliseBundle));
}

function lowerSet(texts: string[]): Set<string> {
  return new Set(texts.map((text) => text.toLowerCase()));
}
