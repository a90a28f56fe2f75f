import * as endpoints from '@bidwell/contract/audiences/endpoints';
import type {
  Audience,
  AudienceInput,
  AudienceUpdate,
  AudienceUpload,
  ImportMode,
} from '@bidwell/contract/audiences/schema';
import type { z } from 'zod';
import { limits } from '@bidwell/contract/lib/limits';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

/** How often audiences are read again while one of them is being imported, ms. */
const IMPORTING_MS = 2000;

const pollOf = (audiences: readonly Audience[] | undefined): number | false =>
  audiences?.some(({ state }) => state === 'importing') ? IMPORTING_MS : false;

/** The audiences of the company; read again while one of them is being imported. */
export const audiencesQuery = queryOptions({
  queryKey: ['audience'],
  queryFn: async () => (await api.call(endpoints.listAudiences)).audiences,
  refetchInterval: ({ state: { data } }) => pollOf(data),
});

/** The latest imports of an audience, newest first. */
export const audienceImportsQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['audience', uuid, 'imports'],
    queryFn: async () => (await api.call(endpoints.listAudienceImports, { params: { uuid } })).imports,
  });

const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries({ queryKey: ['audience'] });
  return done;
};

export const createAudience = (input: z.input<typeof AudienceInput>) =>
  api.create(endpoints.createAudience, { body: input }).then(refetch);

export const updateAudience = (uuid: string, input: AudienceUpdate) =>
  api.call(endpoints.updateAudience, { params: { uuid }, body: input }).then(refetch);

export const deleteAudience = (uuid: string) =>
  api.call(endpoints.deleteAudience, { params: { uuid } }).then(refetch);

export const refreshAudience = (uuid: string) =>
  api.call(endpoints.refreshAudience, { params: { uuid } }).then(refetch);

/** An upload that a lost connection may interrupt: `begun` is undefined before its first call. */
export interface FileUpload {
  audience: string;
  file: File;
  mode: ImportMode;
  begun: AudienceUpload | undefined;
}

/**
 * Uploads a file of ids in parts, and finishes the upload. An upload that was begun goes on where the server is. Calls `onBegun` with the
 * upload, and `onProgress` with the share that was sent, from 0 to 1. Throws ApiError.
 */
export async function uploadIds(
  { audience, file, mode, begun }: FileUpload,
  { onBegun, onProgress }: { onBegun: (upload: AudienceUpload) => void; onProgress: (share: number) => void },
): Promise<AudienceUpload> {
  let upload = begun
    ? await api.call(endpoints.readAudienceUpload, { params: { uuid: audience, upload: begun.uuid } })
    : await api.call(endpoints.beginAudienceUpload, {
        params: { uuid: audience },
        body: { mode, bytes: file.size },
      });
  onBegun(upload);
  const params = { uuid: audience, upload: upload.uuid };
  while (upload.received < file.size) {
    const offset = upload.received;
    const part = file.slice(offset, offset + limits.audiencePartBytesMax);
    const form = new FormData();
    form.set('part', part, file.name);
    upload = await api.upload(endpoints.sendAudiencePart, {
      params,
      query: { offset },
      form,
      onProgress: (share) => onProgress((offset + share * part.size) / file.size),
    });
  }
  return api.call(endpoints.finishAudienceUpload, { params }).then(refetch);
}
