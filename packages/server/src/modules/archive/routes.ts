import { Adset } from '@bidwell/contract/adset';
import { App } from '@bidwell/contract/app';
import { Campaign } from '@bidwell/contract/campaign';
import { Creative } from '@bidwell/contract/creative';
import { CreativeGroup } from '@bidwell/contract/creative-group';
import { Target } from '@bidwell/contract/target';
import { TrackingLink } from '@bidwell/contract/tracking-link';
import { UuidParams, envelope } from '@bidwell/contract/wire';
import type { z } from 'zod';
import type { Engines } from '../../engines.ts';
import type { Actor } from '../../platform/actor.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { conflictResponse } from '../../platform/http/openapi/document.ts';
import type { Http } from '../../platform/http/server.ts';
import { getAdset } from '../adsets/service.ts';
import { getApp } from '../apps/service.ts';
import { getCampaign } from '../campaigns/service.ts';
import { getGroup } from '../creative-groups/service.ts';
import { getCreative } from '../creatives/service.ts';
import { getTarget } from '../targets/service.ts';
import { getTrackingLink } from '../tracking-links/service.ts';
import { archive, deleteUnused, restore } from './service.ts';
import type { ArchivableKind } from './store.ts';

interface Subject {
  kind: ArchivableKind;
  noun: string;
  schema: z.ZodType;
  read: (engines: Engines, actor: Actor, uuid: string) => Promise<object>;
}

const creative: Subject = { kind: 'creative', noun: 'a creative', schema: Creative, read: getCreative };
const group: Subject = {
  kind: 'creative_group',
  noun: 'a creative group',
  schema: CreativeGroup,
  read: getGroup,
};

const subjects: Record<string, Subject> = {
  '/app': { kind: 'app', noun: 'an app', schema: App, read: getApp },
  // Takes the uuid of the asset or of its creative.
  '/internal_creative': creative,
  '/creative': creative,
  '/internal_creative_group': group,
  '/creative_group': group,
  '/target': { kind: 'target', noun: 'a target', schema: Target, read: getTarget },
  '/tracking_link': {
    kind: 'tracking_link',
    noun: 'a tracking link',
    schema: TrackingLink,
    read: getTrackingLink,
  },
  '/adset': { kind: 'adset', noun: 'an ad set', schema: Adset, read: getAdset },
  '/campaign': { kind: 'campaign', noun: 'a campaign', schema: Campaign, read: getCampaign },
};

/** Registers `POST …/{uuid}/archive`, `POST …/{uuid}/restore` and `DELETE …/{uuid}` for every kind of entity. */
export function registerArchive(http: Http, engines: Engines): void {
  for (const [path, { kind, noun, schema, read }] of Object.entries(subjects)) {
    for (const [verb, change] of [
      ['archive', archive],
      ['restore', restore],
    ] as const) {
      http.post(
        `${path}/:uuid/${verb}`,
        {
          schema: {
            summary: `${verb === 'archive' ? 'Archive' : 'Restore'} ${noun}`,
            params: UuidParams,
            response: {
              200: envelope(schema),
              ...(verb === 'restore' && kind === 'creative' && conflictResponse),
            },
          },
        },
        async (request) => {
          const actor = actorOf(request);
          const uuid = await change(engines, actor, kind, request.params.uuid);
          return { data: await read(engines, actor, uuid) };
        },
      );
    }
    http.delete(
      `${path}/:uuid`,
      {
        schema: {
          summary: `Delete ${noun} that nothing uses`,
          params: UuidParams,
          response: { 200: envelope(UuidParams), ...conflictResponse },
        },
      },
      async (request) => ({
        data: { uuid: await deleteUnused(engines, actorOf(request), kind, request.params.uuid) },
      }),
    );
  }
}
