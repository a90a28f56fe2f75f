import type { App } from '@bidwell/contract/apps/schema';
import { Image, Text } from '@mantine/core';
import { AppIcon } from '../../../entities/apps/app-icon.tsx';
import { NativeCard } from '../../../entities/creatives/native-card.tsx';
import { VideoPreview } from '../../../entities/creatives/video-preview.tsx';
import { Muted } from '../../../ui/layout/text.tsx';
import type { DetailsForm } from './upload-details.ts';
import type { UploadItem } from './upload-list.ts';

interface LocalPreviewProps {
  item: UploadItem;
  app: App | undefined;
  texts: DetailsForm;
}

/** Preview of a creative before the upload. */
export function LocalPreview({ item: { key, type, name, main, endCard }, app, texts }: LocalPreviewProps) {
  if (main.error) return <Text size="sm">{main.error}</Text>;
  const picture = <Image src={main.src} alt={name} w="auto" maw="100%" mah={420} fit="contain" mx="auto" />;
  switch (type) {
    case 'Banner':
      return picture;
    case 'Native':
      return (
        <NativeCard
          image={picture}
          icon={<AppIcon app={{ name: app?.name ?? 'App', icon_link: app?.icon_link ?? null }} size={40} />}
          title={texts.native_title || name}
          description={texts.native_description}
          sponsor={texts.native_sponsor}
        />
      );
    case 'Video':
      return (
        <VideoPreview
          key={key}
          name={name}
          src={main.src}
          endCard={endCard && <Image src={endCard.src} alt="End card" maw="100%" mah={420} fit="contain" />}
        />
      );
    case 'Playable':
      // Scripts of local files must not run in this page; the server serves a playable in a sandbox of its own.
      return <Muted>A playable can be tried here once it is uploaded.</Muted>;
  }
}
