import type { Creative, InternalCreative } from '@bidwell/contract/creatives/schema';
import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { Avatar, Skeleton } from '@mantine/core';
import { isOldCreative } from './creative-thumbnail.tsx';
import { NativeCard } from './native-card.tsx';
import { PlayablePreview } from './playable-preview.tsx';
import { type Loadable, isKnown } from '../../lib/loadable.ts';
import { FailedPreview, PreviewNote } from './preview-note.tsx';
import { PrivateImage } from './private-image.tsx';
import { usePreviewAddress } from './use-private-file.ts';
import { VideoPreview } from './video-preview.tsx';

const WIDTH_PX = 320;
const HEIGHT_MAX_PX = 360;

/** A creative as devices will show it. */
export function CreativePreview({ creative: { internal_creative: asset, app } }: { creative: Creative }) {
  if (isOldCreative(asset))
    return <PreviewNote text={creativeMessages.oldCreative} width={WIDTH_PX} height={180} />;
  switch (asset.type) {
    case 'Playable':
      return <Playable key={asset.uuid} asset={asset} />;
    case 'Video':
      return <Video key={asset.uuid} asset={asset} />;
    case 'Native':
      return (
        <NativeCard
          image={<PrivateImage url={asset.banner?.url} alt="" {...fitted(asset)} />}
          icon={<Avatar src={app.icon_link} name={app.name} color="initials" radius="md" size={40} alt="" />}
          title={asset.title || asset.name}
          description={asset.description}
          sponsor={asset.sponsor}
        />
      );
    case 'Banner':
      return <PrivateImage url={asset.banner?.url} alt={asset.name} {...fitted(asset)} />;
  }
}

/** In place of a file whose address is not known. */
function NotLoadedPreview({ of: file }: { of: Loadable }) {
  const size = { width: WIDTH_PX, height: HEIGHT_MAX_PX };
  return file.state === 'failed' ? <FailedPreview of={file} {...size} /> : <Skeleton {...size} />;
}

function Playable({ asset }: { asset: InternalCreative }) {
  const file = usePreviewAddress(asset.playable);
  if (file && !isKnown(file)) return <NotLoadedPreview of={file} />;
  return <PlayablePreview name={asset.name} src={file?.data ?? null} />;
}

function Video({ asset }: { asset: InternalCreative }) {
  const file = usePreviewAddress(asset.video);
  if (file && !isKnown(file)) return <NotLoadedPreview of={file} />;
  return (
    <VideoPreview
      name={asset.name}
      src={file?.data ?? null}
      endCard={
        asset.banner && (
          <PrivateImage url={asset.banner.url} alt="End card" width={WIDTH_PX} height={HEIGHT_MAX_PX} />
        )
      }
    />
  );
}

/** The largest box with the picture's aspect ratio, never larger than its own pixels. */
function fitted(size: { width: number | null; height: number | null }): { width: number; height: number } {
  const [width, height] = [size.width ?? WIDTH_PX, size.height ?? 180];
  const scale = Math.min(1, WIDTH_PX / width, HEIGHT_MAX_PX / height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
