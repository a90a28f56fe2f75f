import { z } from 'zod';
import { Failure } from '../lib/wire.ts';
import { audienceMessages } from './messages.ts';
import { conflict, endpoint, limited, missing, unauthorized } from '../lib/endpoint.ts';

/*
 * The calls by which AppsFlyer sends the audiences of an advertiser, under AppsFlyer's own names of paths and fields. A call has the
 * advertiser's API key in its body, or as a bearer token, and its response has no envelope. Fields that are not known are ignored.
 */

/** Longest name, id and address that a partner sends. */
const TEXT_MAX = 4000;
const text = z.string().max(TEXT_MAX);

const apiKey = text.nullish();
const failures = { 403: Failure, ...unauthorized, ...limited } as const;

export const validateAppsFlyerKey = endpoint('POST /partners/appsflyer/audiences/validate', {
  summary: 'AppsFlyer checks the API key of an advertiser',
  isPublic: true,
  body: z.object({ api_key: apiKey }),
  response: { 200: z.object({ status: z.literal('valid') }), ...failures },
});

/** An audience of the same name and platform is created once. */
export const createAppsFlyerAudience = endpoint('POST /partners/appsflyer/audiences/create', {
  summary: 'AppsFlyer creates an audience of an advertiser',
  isPublic: true,
  body: z.object({
    api_key: apiKey,
    name: z.string(audienceMessages.nameMissing).max(TEXT_MAX),
    platform: text.nullish(),
  }),
  response: { 200: z.object({ container_id: z.string() }), ...failures, ...conflict },
});

/** The body of a sync: the audience, and addresses of its files in fields whose names begin with `url`. */
export const AppsFlyerSync = z.looseObject({
  api_key: apiKey,
  /** The id from the call that creates the audience; another one creates it. */
  container_id: z
    .union(
      [text.min(1, audienceMessages.containerIdMissing), z.number()],
      audienceMessages.containerIdMissing,
    )
    .transform(String),
  name: text.nullish(),
});
export type AppsFlyerSync = z.infer<typeof AppsFlyerSync>;

/** Each sync replaces all ids of the audience. */
export const syncAppsFlyerAudience = endpoint('POST /partners/appsflyer/audiences/sync', {
  summary: 'AppsFlyer sends the address of a file with all ids of an audience',
  isPublic: true,
  body: AppsFlyerSync,
  response: { 200: z.object({ container_id: z.string() }), ...failures, ...conflict, ...missing },
});
