import type { z } from 'zod';
import type { Permission } from '../accounts/permission.ts';
import { Adset } from '../adsets/schema.ts';
import { Campaign } from '../campaigns/schema.ts';
import { endpoint } from '../lib/endpoint.ts';
import { Target } from '../targets/schema.ts';
import { envelope } from '../lib/wire.ts';

function duplicateOf<Schema extends z.ZodType>(
  path: `/${string}`,
  companyPermission: Permission,
  summary: string,
  schema: Schema,
) {
  return endpoint(`POST ${path}/:uuid/duplicate`, {
    companyPermission,
    summary,
    response: { 201: envelope(schema) },
  });
}

/** Endpoints that copy an entity, by kind; the copy does not run until it is started. */
export const duplicateEndpoints = {
  /** The copy is paused; its ad sets are copies too. */
  campaign: duplicateOf('/campaign', 'campaign.write', 'Duplicate a campaign with its ad sets', Campaign),
  /** The copy is paused, in the same campaign. */
  adset: duplicateOf('/adset', 'adset.write', 'Duplicate an ad set', Adset),
  target: duplicateOf('/target', 'target.write', 'Duplicate a target', Target),
};
