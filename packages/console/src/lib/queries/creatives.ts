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

/** The allowed sizes of banners and native images; those of the contract until the server has responded. */
export const bannerResolutionsQuery = queryOptions({
  queryKey: ['banner'],
  queryFn: () => api.get<BannerResolutions>('/banner'),
  placeholderData: bannerResolutions,
  staleTime: staleTimes.ever,
  gcTime: staleTimes.ever,
});

type OnProgress = (share: number) => void;

/** Sends a form with files; reports the share sent to `onProgress` and to the page's progress bar. */
async function sendFiles(method: 'POST' | 'PUT', path: string, form: FormData, onProgress: OnProgress) {
  const upload = uploads.begin();
  try {
    return await api.upload<Creative>(method, path, form, (share) => {
      // The upload is complete only when the server has accepted it.
      upload.progress(Math.min(share, 0.99));
      onProgress(share);
    });
  } finally {
    upload.end();
  }
}

export const uploadCreative = (form: FormData, onProgress: OnProgress) =>
  sendFiles('POST', '/v2/internal_creative', form, onProgress).then(refetch);

/** Replaces the end card of a video. */
export const replaceEndCard = (assetUuid: string, endCard: File, onProgress: OnProgress) => {
  const form = new FormData();
  form.append('banner', endCard);
  return sendFiles('PUT', `/internal_creative/${assetUuid}`, form, onProgress).then(refetch);
};

/** Creates a creative from an uploaded asset with its click and view URLs. */
export const addressCreative = (assetUuid: string, addresses: { click_url: string; view_url: string }) =>
  api.create<Creative>('/creative', { internal_creative_uuid: assetUuid, ...addresses }).then(refetch);

/** Changes a creative's title, description and URLs. */
export const updateCreative = (uuid: string, input: CreativeUpdate) =>
  api.put<Creative>(`/creative/${uuid}`, input).then(refetch);

export const updateInternalCreative = (assetUuid: string, input: InternalCreativeUpdate) =>
  api.put<Creative>(`/internal_creative/${assetUuid}`, input).then(refetch);
