import { messages } from '@bidwell/contract/text/messages';
import { Image, Skeleton } from '@mantine/core';
import { PreviewNote } from './preview-note.tsx';
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
  const { src, missing } = usePrivateFile(url);
  if (missing) return <PreviewNote text={messages.fileNotFound} width={width} height={height} />;
  if (!src) return <Skeleton width={width} height={height} />;
  return <Image src={src} alt={alt} w={width} maw="100%" h={height} fit="contain" radius="sm" />;
}
