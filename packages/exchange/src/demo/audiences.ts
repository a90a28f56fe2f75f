import { Audience, AudienceUpload } from '@bidwell/contract/audiences/schema';
import { createHash } from 'node:crypto';
import type { Api } from './api.ts';
import type { AudiencePlan } from './plan.ts';

/** Creates the audiences of an app, by name: lists with a file of ids, and live ones. Throws ApiError. */
export async function createAudiences(
  api: Api,
  appUuid: string,
  plans: readonly AudiencePlan[],
): Promise<Map<string, string>> {
  const uuids = new Map<string, string>();
  for (const { name, description, ids, rule } of plans) {
    const kind = rule ? { kind: 'live', app_id: appUuid, rule } : { kind: 'list' };
    const { uuid } = await api.send('POST', '/audience', { name, description, ...kind }, Audience);
    uuids.set(name, uuid);
    if (ids !== undefined) await uploadIds(api, uuid, fileOfIds(name, ids));
  }
  return uuids;
}

/** Uploads a file of ids in one part, as the console does. */
async function uploadIds(api: Api, audience: string, file: Buffer<ArrayBuffer>): Promise<void> {
  const path = `/audience/${audience}/upload`;
  const begun = { mode: 'replace', bytes: file.length };
  const { uuid } = await api.send('POST', path, begun, AudienceUpload);
  const form = new FormData();
  form.set('part', new Blob([file]), 'ids.csv');
  await api.send('PUT', `${path}/${uuid}?offset=0`, form, AudienceUpload);
  await api.send('POST', `${path}/${uuid}/finish`, undefined, AudienceUpload);
}

/** A file of advertising ids that no device has, the same at each start. */
function fileOfIds(seed: string, count: number): Buffer<ArrayBuffer> {
  const idOf = (number: number) => {
    const hex = createHash('sha256').update(`${seed} ${number}`).digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
  return Buffer.from(['MAID', ...Array.from({ length: count }, (_, number) => idOf(number))].join('\n'));
}
