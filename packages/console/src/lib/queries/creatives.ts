import type {
  BannerResolutions,
  Creative,
  CreativeUpdate,
  InternalCreativeUpdate,
} from '@bidwell/contract/creative';
import { bannerResolutions } from '@bidwell/contract/creative';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api-client.ts';
import { queryClient, staleTimes } from '../query-client.ts';
import { uploads } from '../upload-progress.ts';

/** All creatives of the company. */
export const creativesQuery = queryOptions({
  queryKey: ['creative'],
  queryFn: async () =>
    (await api.get<{ internal_creatives: Creative[] }>('/internal_creative')).internal_creatives,
});

const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries({ queryKey: ['creative'] });
  void queryClient.invalidateQueries({ queryKey: ['creative_group'] });
  return done;
};

/** The sizes that banners and native images may have; those of the contract until the server has answered. */
export const bannerResolutionsQuery = queryOptions({
  queryKey: ['banner'],
  queryFn: () => api.get<BannerResolutions>('/banner'),
  placeholderData: bannerResolutions,
  staleTime: staleTimes.ever,
  gcTime: staleTimes.ever,
});

type OnProgress = (share: number) => void;

/** Sends a form with files; `onProgress` is told the share that is sent, and the page's progress bar follows. */
async function sendFiles(method: 'POST' | 'PUT', path: string, form: FormData, onProgress: OnProgress) {
  const upload = uploads.begin();
  try {
    return await api.upload<Creative>(method, path, form, (share) => {
      // All is sent before all is accepted.
      upload.progress(Math.min(share, 0.99));
      onProgress(share);
    });
  } finally {
    upload.end();
  }
}

/** Sends a creative's form. */
export const uploadCreative = (form: FormData, onProgress: OnProgress) =>
  sendFiles('POST', '/v2/internal_creative', form, onProgress).then(refetch);

/** Puts another end card behind a video that is there. */
export const replaceEndCard = (assetUuid: string, endCard: File, onProgress: OnProgress) => {
  const form = new FormData();
  form.append('banner', endCard);
  return sendFiles('PUT', `/internal_creative/${assetUuid}`, form, onProgress).then(refetch);
};

/** Gives an uploaded asset the addresses it leads to. */
export const addressCreative = (assetUuid: string, addresses: { click_url: string; view_url: string }) =>
  api.create<Creative>('/creative', { internal_creative_uuid: assetUuid, ...addresses }).then(refetch);

/** Changes a creative's title, description and addresses. */
export const updateCreative = (uuid: string, input: CreativeUpdate) =>
  api.put<Creative>(`/creative/${uuid}`, input).then(refetch);

export const updateInternalCreative = (assetUuid: string, input: InternalCreativeUpdate) =>
  api.put<Creative>(`/internal_creative/${assetUuid}`, input).then(refetch);
