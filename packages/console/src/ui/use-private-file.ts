import { useQuery } from '@tanstack/react-query';
import { api } from '../lib/api-client.ts';
import { staleTimes } from '../lib/query-client.ts';

/**
 * A file of the company as an address that the page can show: files need the access token, so they are fetched and held
 * as blobs. `missing` when there is none, or it cannot be read.
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

/**
 * The address under which devices load a file of a creative: it streams, takes byte ranges, and carries its own sandbox,
 * which a blob of this page would not. Null for what is no such file.
 */
export function mediaUrl(file: { url: string } | null | undefined): string | null {
  const name = file?.url.split('/').pop();
  return name ? `/m/${name}` : null;
}
