import type { z } from 'zod';
import { Adset } from '../adset.ts';
import { App } from '../app.ts';
import { Campaign } from '../campaign.ts';
import { Creative } from '../creative.ts';
import { CreativeGroup } from '../creative-group.ts';
import { conflict, endpoint } from '../endpoint.ts';
import { Target } from '../target.ts';
import { TrackingLink } from '../tracking-link.ts';
import { UuidParams, envelope } from '../wire.ts';

/** The endpoints that archive, restore and delete entities of one kind; `noun` has its article. */
function archiveOf<Schema extends z.ZodType>(path: string, noun: string, schema: Schema) {
  const response = { 200: envelope(schema) };
  const params = UuidParams;
  return {
    archive: endpoint({
      method: 'POST',
      path: `${path}/:uuid/archive`,
      summary: `Archive ${noun}`,
      params,
      response,
    }),
    restore: endpoint({
      method: 'POST',
      path: `${path}/:uuid/restore`,
      summary: `Restore ${noun}`,
      params,
      response,
    }),
    remove: endpoint({
      method: 'DELETE',
      path: `${path}/:uuid`,
      summary: `Delete ${noun} that nothing uses`,
      params,
      response: { 200: envelope(UuidParams), ...conflict },
    }),
  };
}

/** A restored creative counts towards its app's limit, so restoring it can fail. */
function creativeArchiveOf(path: string) {
  const endpoints = archiveOf(path, 'a creative', Creative);
  const { restore } = endpoints;
  return { ...endpoints, restore: endpoint({ ...restore, response: { ...restore.response, ...conflict } }) };
}

/** Archive endpoints by kind of entity, named as the segment of their paths. */
export const archiveEndpoints = {
  app: archiveOf('/app', 'an app', App),
  /** Takes the uuid of the asset or of its creative. */
  internal_creative: creativeArchiveOf('/internal_creative'),
  creative: creativeArchiveOf('/creative'),
  internal_creative_group: archiveOf('/internal_creative_group', 'a creative group', CreativeGroup),
  creative_group: archiveOf('/creative_group', 'a creative group', CreativeGroup),
  target: archiveOf('/target', 'a target', Target),
  tracking_link: archiveOf('/tracking_link', 'a tracking link', TrackingLink),
  adset: archiveOf('/adset', 'an ad set', Adset),
  campaign: archiveOf('/campaign', 'a campaign', Campaign),
};
