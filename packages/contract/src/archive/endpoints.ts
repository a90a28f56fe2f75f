import type { z } from 'zod';
import type { Permission } from '../accounts/permission.ts';
import { Adset, adsetVersion } from '../adsets/schema.ts';
import { App, appVersion } from '../apps/schema.ts';
import { Campaign, campaignVersion } from '../campaigns/schema.ts';
import { Creative, creativeVersion } from '../creatives/schema.ts';
import { CreativeGroup, creativeGroupVersion } from '../creative-groups/schema.ts';
import { conflict, endpoint } from '../lib/endpoint.ts';
import { Target, targetVersion } from '../targets/schema.ts';
import { TrackingLink, trackingLinkVersion } from '../tracking-links/schema.ts';
import { UuidParams, envelope } from '../lib/wire.ts';
import type { EntityVersion } from '../lib/version.ts';

/** The endpoints that archive, restore and delete entities of one kind; `noun` has its article. */
function archiveOf<Schema extends z.ZodType>(
  path: `/${string}`,
  companyPermission: Permission,
  noun: string,
  schema: Schema,
  version: EntityVersion,
) {
  const response = { 200: envelope(schema) };
  return {
    archive: endpoint(`POST ${path}/:uuid/archive`, {
      companyPermission,
      summary: `Archive ${noun}`,
      version,
      response,
    }),
    restore: endpoint(`POST ${path}/:uuid/restore`, {
      companyPermission,
      summary: `Restore ${noun}`,
      version,
      response,
    }),
    remove: endpoint(`DELETE ${path}/:uuid`, {
      companyPermission,
      summary: `Delete ${noun} that nothing uses`,
      version,
      response: { 200: envelope(UuidParams), ...conflict },
    }),
  };
}

/** {@link archiveOf} for entities that cannot always be restored. */
function boundedArchiveOf<Schema extends z.ZodType>(...given: Parameters<typeof archiveOf<Schema>>) {
  const endpoints = archiveOf(...given);
  const { restore } = endpoints;
  return { ...endpoints, restore: { ...restore, response: { ...restore.response, ...conflict } } };
}

/** A restored creative counts towards its app's limit. */
const creativeArchiveOf = (path: `/${string}`) =>
  boundedArchiveOf(path, 'creative.write', 'a creative', Creative, creativeVersion);

/** Archive endpoints by kind of entity, named as the segment of their paths. */
export const archiveEndpoints = {
  app: archiveOf('/app', 'app.write', 'an app', App, appVersion),
  /** Takes the uuid of the asset or of its creative. */
  internal_creative: creativeArchiveOf('/internal_creative'),
  creative: creativeArchiveOf('/creative'),
  internal_creative_group: archiveOf(
    '/internal_creative_group',
    'creative_group.write',
    'a creative group',
    CreativeGroup,
    creativeGroupVersion,
  ),
  creative_group: archiveOf(
    '/creative_group',
    'creative_group.write',
    'a creative group',
    CreativeGroup,
    creativeGroupVersion,
  ),
  target: archiveOf('/target', 'target.write', 'a target', Target, targetVersion),
  tracking_link: archiveOf(
    '/tracking_link',
    'tracking_link.write',
    'a tracking link',
    TrackingLink,
    trackingLinkVersion,
  ),
  /** A second person may have to approve the budgets of a campaign with the restored ad set. */
  adset: boundedArchiveOf('/adset', 'adset.write', 'an ad set', Adset, adsetVersion),
  campaign: archiveOf('/campaign', 'campaign.write', 'a campaign', Campaign, campaignVersion),
};
