import type { Candidate, CompiledAdset } from '../model/candidate.ts';

/**
 * The ad set at an index of a snapshot. The properties are listed because V8 gives each copy by `{ ...adset, index }` a
 * hidden class of its own, so that all reads in the auction would be megamorphic.
 */
export function candidateOf(adset: CompiledAdset, index: number): Candidate {
  return {
    index,
    adsetId: adset.adsetId,
    companyId: adset.companyId,
    timeZone: adset.timeZone,
    campaignId: adset.campaignId,
    campaignName: adset.campaignName,
    advertiserName: adset.advertiserName,
    runsFromMs: adset.runsFromMs,
    runsUntilMs: adset.runsUntilMs,
    app: adset.app,
    advertiserDomain: adset.advertiserDomain,
    advertiserDomains: adset.advertiserDomains,
    clickUrl: adset.clickUrl,
    viewUrl: adset.viewUrl,
    isSecure: adset.isSecure,
    algorithm: adset.algorithm,
    marginBasisPoints: adset.marginBasisPoints,
    cpmMicros: adset.cpmMicros,
    ceilingCpmMicros: adset.ceilingCpmMicros,
    cpiMicros: adset.cpiMicros,
    goal: adset.goal,
    dailyBudgetMicros: adset.dailyBudgetMicros,
    totalBudgetMicros: adset.totalBudgetMicros,
    sourceIdentifier: adset.sourceIdentifier,
    productPageId: adset.productPageId,
    overlay: adset.overlay,
    creatives: adset.creatives,
    icons: adset.icons,
    bundles: adset.bundles,
    bundleCpmMicros: adset.bundleCpmMicros,
    os: adset.os,
    osVersionMin: adset.osVersionMin,
    osVersionMax: adset.osVersionMax,
    models: adset.models,
    deviceTypes: adset.deviceTypes,
    connections: adset.connections,
    exchanges: adset.exchanges,
    genres: adset.genres,
    languages: adset.languages,
    countries: adset.countries,
  };
}
