import { messages } from '@bidwell/contract/messages';
import { Center, Image, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../lib/api-client.ts';
import { staleTimes } from '../lib/query-client.ts';

/** A picture of the company's own files: they need the access token, so they are fetched and shown as blobs. */
export function PrivateImage({
  url,
  alt,
  width,
  height,
}: {
  url: string | null | undefined;
  alt: string;
  width: number;
  height: number;
}) {
  const { data, isError } = useQuery({
    queryKey: ['file', url],
    queryFn: () => api.fileUrl(url!),
    enabled: Boolean(url),
    staleTime: staleTimes.ever,
    gcTime: staleTimes.ever,
    retry: false,
  });
  if (!url || isError) {
    return (
      <Center w={width} h={height} bg="var(--mantine-color-default-hover)">
        <Text size="xs" c="dimmed" ta="center">
          {messages.fileNotFound}
        </Text>
      </Center>
    );
  }
  if (!data) return <Skeleton width={width} height={height} />;
  return <Image src={data} alt={alt} w={width} h={height} fit="contain" radius="sm" />;
}
