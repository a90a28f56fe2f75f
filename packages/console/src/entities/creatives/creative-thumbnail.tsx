import type { InternalCreative } from '@bidwell/contract/creatives/schema';
import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { Box, Center } from '@mantine/core';
import { IconDeviceGamepad2, IconPlayerPlayFilled } from '@tabler/icons-react';
import { PreviewNote } from './preview-note.tsx';
import { PrivateImage } from './private-image.tsx';

interface CreativeThumbnailProps {
  asset: InternalCreative;
  width?: number;
  height?: number;
}

/** A small picture of a creative for lists, with an icon on playables and videos. */
export function CreativeThumbnail({ asset, width = 88, height = 44 }: CreativeThumbnailProps) {
  if (asset.type === 'Playable') {
    return (
      <Center
        w={width}
        maw="100%"
        h={height}
        bg="var(--mantine-color-default-hover)"
        c="dimmed"
        style={{ borderRadius: 'var(--mantine-radius-sm)' }}
      >
        <IconDeviceGamepad2 size={24} stroke={1.5} aria-hidden />
      </Center>
    );
  }
  if (isOldCreative(asset))
    return <PreviewNote text={creativeMessages.oldCreative} width={width} height={height} />;
  return (
    <Box pos="relative" w={width} maw="100%" h={height}>
      <PrivateImage url={asset.thumbnail ?? asset.banner?.url} alt="" width={width} height={height} />
      {asset.type === 'Video' && (
        <Center
          pos="absolute"
          bottom={4}
          left={4}
          w={20}
          h={20}
          bg="rgb(0 0 0 / 70%)"
          c="white"
          style={{ borderRadius: 20 }}
        >
          <IconPlayerPlayFilled size={11} aria-hidden />
        </Center>
      )}
    </Box>
  );
}

/** Whether the file was uploaded before extensions were stored: its format is unknown then. */
export function isOldCreative({
  type,
  banner,
  banner_extension,
  video,
  video_extension,
}: InternalCreative): boolean {
  if (type === 'Video' && video && !video_extension) return true;
  return type !== 'Playable' && banner !== null && !banner_extension;
}
