import type { Creative } from '@bidwell/contract/creatives/schema';
import type { CreativeGroupInput } from '@bidwell/contract/creative-groups/schema';
import { AppIcon } from '../../entities/apps/app-icon.tsx';
import { NativeCard } from '../../entities/creatives/native-card.tsx';
import { PrivateImage } from '../../entities/creatives/private-image.tsx';

interface GroupNativePreviewProps {
  native: Creative;
  /** The native texts of the group; an empty one is replaced by that of the creative. */
  texts: Pick<CreativeGroupInput, 'native_title' | 'native_description' | 'native_sponsor'>;
}

/** A native creative with the texts of its group. */
export function GroupNativePreview({ native, texts }: GroupNativePreviewProps) {
  const { internal_creative: asset, app } = native;
  return (
    <NativeCard
      image={<PrivateImage url={asset.banner?.url} alt="" width={320} height={170} />}
      icon={<AppIcon app={app} size={40} />}
      title={texts.native_title || asset.title}
      description={texts.native_description || asset.description}
      sponsor={texts.native_sponsor || asset.sponsor}
    />
  );
}
