import {
  type Creative,
  type CreativeUpdate,
  type InternalCreativeUpdate,
  bannerResolutions,
  creativeVersion,
} from '@bidwell/contract/creatives/schema';
import * as endpoints from '@bidwell/contract/creatives/endpoints';
import { queryOptions } from '@tanstack/react-query';
import { isKnown, useLoadable } from '../../lib/loadable.ts';
import { api } from '../../lib/api/api-client.ts';
import { changeAsShown } from '../../lib/api/change-as-shown.ts';
import { queryClient, readAgain, staleTimes } from '../../lib/api/query-client.ts';
import { uploads } from '../../lib/api/upload-progress.ts';

/** All creatives of the company. */
export const creativesQuery = queryOptions({
  queryKey: ['creative'],
  queryFn: async () => (await api.call(endpoints.listCreatives)).internal_creatives,
});

/** The storage of the company's files. Its key begins like the key of the creatives, which change it. */
export const storageQuery = queryOptions({
  queryKey: ['creative', 'storage'],
  queryFn: () => api.call(endpoints.readStorage),
});

const refetch = <T>(done: T): T => {
  void queryClient.invalidateQueries({ queryKey: ['creative'] });
  void queryClient.invalidateQueries({ queryKey: ['creative_group'] });
  return done;
};

/** The allowed sizes of banners and native images. */
export const bannerResolutionsQuery = queryOptions({
  queryKey: ['banner'],
  queryFn: () => api.call(endpoints.listBannerResolutions),
  staleTime: staleTimes.ever,
  gcTime: staleTimes.ever,
});

/** The allowed sizes of banners and native images. Until the server has responded, the sizes of this release. */
export function useBannerResolutions() {
  const resolutions = useLoadable(bannerResolutionsQuery);
  return isKnown(resolutions) ? resolutions.data : bannerResolutions;
}

type OnProgress = (share: number) => void;

/** Sends files; reports the share sent to `onProgress` and to the page's progress bar. */
async function withProgress<T>(
  onProgress: OnProgress,
  send: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  const upload = uploads.begin();
  try {
    return await send((share) => {
      // The upload is complete only when the server has accepted it.
      upload.progress(Math.min(share, 0.99));
      onProgress(share);
    });
  } finally {
    upload.end();
  }
}

export const uploadCreative = (form: FormData, onProgress: OnProgress) =>
  withProgress(onProgress, (report) =>
    api.upload(endpoints.uploadCreative, { form, onProgress: report }),
  ).then(refetch);

/** Replaces the end card of a video, unless someone else replaced the one that is shown. */
export const replaceEndCard = (
  { uuid, internal_creative: { uuid: assetUuid, banner_id: shown } }: Creative,
  endCard: File,
  onProgress: OnProgress,
) => {
  const form = new FormData();
  form.append('banner', endCard);
  const params = { uuid: assetUuid };
  return withProgress(onProgress, async (report) =>
    changeAsShown({
      read: async () => (await readAgain(creativesQuery)).find((creative) => creative.uuid === uuid),
      version: creativeVersion,
      isAsShown: (present) => present.internal_creative.banner_id === shown,
      send: async (version) =>
        api.upload(endpoints.updateInternalCreative, { params, form, version, onProgress: report }),
    }),
  ).then(refetch);
};

/** Creates a creative from an uploaded asset with its click and view URLs. */
export const addressCreative = (assetUuid: string, addresses: { click_url: string; view_url: string }) =>
  api
    .create(endpoints.createCreative, { body: { internal_creative_uuid: assetUuid, ...addresses } })
    .then(refetch);

/** Changes a creative's title, description and URLs. */
/** Changes only the version, where one is given. */
export const updateCreative = (uuid: string, input: CreativeUpdate, version?: string) =>
  api.change(endpoints.updateCreative, version, { params: { uuid }, body: input }).then(refetch);

export const updateInternalCreative = (assetUuid: string, input: InternalCreativeUpdate, version?: string) =>
  api
    .change(endpoints.updateInternalCreative, version, { params: { uuid: assetUuid }, body: input })
    .then(refetch);
