import { bytesText } from '../lib/bytes.ts';

/** Messages of ad sets that only the server writes, in responses of the API. */
export const adsetApiMessages = {
  foreignDeepLink: (domain: string | null) =>
    domain === null
      ? 'A universal link leads to the developer’s own website: enter the advertiser domain of the app first'
      : `A universal link leads to ${domain}, the advertiser domain of the app, or to a measurement partner without parameters that lead to another website`,
  linkOfOtherApp: 'The tracking link belongs to another app',
  groupOfOtherApp: (group: string) => `The creative group "${group}" holds creatives of another app`,
  campaignOfOtherApp: (campaign: string) => `The campaign "${campaign}" of this ad set is for another app`,
  bundleListFull: (adset: string, max: number) =>
    `The ad set "${adset}" has ${max} bundles in its list, which is the most`,
  adsetBundleBytes: (bytes: number, max: number) =>
    `The bundle lists and bundle bids of an ad set may have ${bytesText(max)} together. These would have ${bytesText(bytes)}: remove bundles.`,
  companyBundleBytes: (bytes: number, max: number) =>
    `The bundle lists and bundle bids of all ad sets of a company may have ${bytesText(max)} together. They would have ${bytesText(bytes)}: remove bundles, or delete ad sets.`,
  adsetListBytes: (bytes: number, max: number) =>
    `The bundle lists of these ad sets have ${bytesText(bytes)}, and a response may have ${bytesText(max)}: read /adset/summary, and ad sets one by one or by campaign_id.`,
} as const;
