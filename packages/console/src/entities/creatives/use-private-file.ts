import { readPreview } from '@bidwell/contract/creatives/file-endpoints';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { staleTimes } from '../../lib/api/query-client.ts';

/**
 * A file of the company as a blob URL: files require the access token, so an element cannot load them by their URL.
 * `missing` when there is none, or it cannot be read.
 */
export function usePrivateFile(url: string | null | undefined): {
  src: string | undefined;
  missing: boolean;
} {
  const { data, isError } = useQuery({
    queryKey: ['file', url],
    queryFn: () => api.fileUrl(url!),
    enabled: Boolean(url),
    staleTime: staleTimes.ever,
    gcTime: staleTimes.ever,
  });
  return { src: data, missing: !url || isError };
}

/** Half of the hour for which a preview URL is valid. */
const URL_CACHED_MS = 30 * 60_000;

/**
 * A signed URL of a creative's file, approved or not: it streams, supports byte ranges, and has its own sandbox,
 * which a blob URL of this page would not. Undefined while loading, null when there is no such file.
 */
export function usePreviewAddress(file: { url: string } | null | undefined): string | null | undefined {
  const name = file?.url.split('/').pop();
  const { data, isError } = useQuery({
    queryKey: ['preview', name],
    queryFn: () => api.call(readPreview, { params: { file: name! } }),
    enabled: Boolean(name),
    staleTime: URL_CACHED_MS,
    gcTime: URL_CACHED_MS,
  });
  if (!name || isError) return null;
  return data?.url;
}
