import { z } from 'zod';
import { Adset } from '../adsets/schema.ts';
import { BidPage, BidsExportQuery, BidsQuery } from '../bid-log/schema.ts';
import { BundleChange, CampaignBundles } from './bundles.ts';
import { CampaignChanges } from './changes.ts';
import { CampaignCreatives, CreativesQuery } from './creatives.ts';
import { CampaignPrices } from './prices.ts';
import { CampaignReach } from './reach.ts';
import { DeliveryQuery } from '../insight/delivery-query.ts';
import { endpoint, limited, missing } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import { PARQUET } from '../reports/endpoints.ts';

export const readCampaignBundles = endpoint('GET /campaign/:uuid/bundles', {
  companyPermission: 'report.read',
  summary: "Read on which publishers' apps a campaign spent",
  query: DeliveryQuery,
  response: { 200: envelope(CampaignBundles), ...limited },
});

export const changeBundle = endpoint('PUT /campaign/:uuid/bundle', {
  companyPermission: 'adset.write',
  summary: "Block or unblock a publisher's app in ad sets of a campaign, or set their bid there",
  body: BundleChange,
  response: { 200: envelope(z.object({ adsets: z.array(Adset) })) },
});

export const readCampaignPrices = endpoint('GET /campaign/:uuid/prices', {
  companyPermission: 'report.read',
  summary: 'Read what a campaign bid, paid and saved, by exchange and country',
  query: DeliveryQuery,
  response: { 200: envelope(CampaignPrices), ...limited },
});

export const readCampaignReach = endpoint('GET /campaign/:uuid/reach', {
  companyPermission: 'report.read',
  summary: 'Read how many people saw the ads of a campaign, and how often',
  query: DeliveryQuery,
  response: { 200: envelope(CampaignReach), ...limited },
});

export const readCampaignCreatives = endpoint('GET /campaign/:uuid/creatives', {
  companyPermission: 'report.read',
  summary: 'Compare the creatives of a campaign',
  query: CreativesQuery,
  response: { 200: envelope(CampaignCreatives), ...limited },
});

export const readCampaignChanges = endpoint('GET /campaign/:uuid/changes', {
  companyPermission: 'report.read',
  summary: 'Read the changes of a campaign and its ad sets, with the figures before and after each',
  query: DeliveryQuery,
  response: { 200: envelope(CampaignChanges), ...limited },
});

export const listBids = endpoint('GET /analytics/bids', {
  companyPermission: 'bid_log.read',
  summary: 'List bids with their prices, outcomes and events, the newest first',
  query: BidsQuery,
  response: { 200: envelope(BidPage), ...missing, ...limited },
});

const text = { schema: z.string() };

export const exportBids = endpoint('GET /analytics/bids/export', {
  companyPermission: 'bid_log.read',
  summary: 'Export bids with their prices, outcomes and events as CSV or Parquet, the oldest first',
  query: BidsExportQuery,
  response: { 200: { content: { 'text/csv': text, [PARQUET]: text } }, ...missing, ...limited },
});
