import { readPreview } from '@bidwell/contract/creatives/file-endpoints';
import { api } from '../../lib/api/api-client.ts';
import { isNotFound } from '../../lib/api/api-error.ts';
import { staleTimes } from '../../lib/api/query-client.ts';
import { type Loadable, mapped, useLoadable } from '../../lib/loadable.ts';

/** Load state of the address of a file; null if there is no such file. */
type FileAddress = Loadable<string> | null;

const unlessMissing = (address: Loadable<string>, name: string | undefined): FileAddress =>
  !name || isNotFound(address.error) ? null : address;

/** A file of the company as a blob URL: files require the access token, so an element cannot load them by their URL. */
export function usePrivateFile(url: string | null | undefined): FileAddress {
  const address = useLoadable({
    queryKey: ['file', url],
    queryFn: () => api.fileUrl(url!),
    enabled: Boolean(url),
    staleTime: staleTimes.ever,
    gcTime: staleTimes.ever,
  });
  return unlessMissing(address, url ?? undefined);
}

/** Half of the hour for which a preview URL is valid. */
const URL_CACHED_MS = 30 * 60_000;

/**
 * A signed URL of a creative's file, approved or not: it streams, supports byte ranges, and has its own sandbox,
 * which a blob URL of this page would not.
 */
export function usePreviewAddress(file: { url: string } | null | undefined): FileAddress {
  const name = file?.url.split('/').pop();
  const preview = useLoadable({
    queryKey: ['preview', name],
    queryFn: () => api.call(readPreview, { params: { file: name! } }),
    enabled: Boolean(name),
    staleTime: URL_CACHED_MS,
    gcTime: URL_CACHED_MS,
  });
  return unlessMissing(
    mapped(preview, ({ url }) => url),
    name,
  );
}
