import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { Image, Skeleton } from '@mantine/core';
import { isKnown } from '../../lib/loadable.ts';
import { FailedPreview, PreviewNote } from './preview-note.tsx';
import { usePrivateFile } from './use-private-file.ts';

interface PrivateImageProps {
  url: string | null | undefined;
  alt: string;
  /** Maximum in pixels; the picture keeps its aspect ratio. */
  width: number;
  height: number;
}

/** A picture from the company's uploaded files. */
export function PrivateImage({ url, alt, width, height }: PrivateImageProps) {
  const file = usePrivateFile(url);
  if (!file) return <PreviewNote text={creativeMessages.fileNotFound} width={width} height={height} />;
  if (file.state === 'failed') return <FailedPreview of={file} width={width} height={height} />;
  if (!isKnown(file)) return <Skeleton width={width} height={height} />;
  return <Image src={file.data} alt={alt} w={width} maw="100%" h={height} fit="contain" radius="sm" />;
}
