import type { ModerationFile, ModerationItem } from '@bidwell/contract/moderation/schema';
import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Anchor, Avatar, Group, Image, Paper, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { NativeCard } from '../../entities/creatives/native-card.tsx';
import { PlayablePreview } from '../../entities/creatives/playable-preview.tsx';
import { PreviewNote } from '../../entities/creatives/preview-note.tsx';
import { VideoPreview } from '../../entities/creatives/video-preview.tsx';
import { Caption, LongText } from '../../ui/layout/text.tsx';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

const fileOf = ({ files }: ModerationItem, role: ModerationFile['role']) =>
  files.find((file) => file.role === role);

/** The reviewed item as people will see it. */
export function ReviewPreview({ item }: { item: ModerationItem }) {
  switch (item.kind) {
    case 'Banner':
      return <Picture file={fileOf(item, 'ad')} alt={item.name} />;
    case 'Video':
      return <Video item={item} />;
    case 'Playable':
      return <PlayablePreview name={item.name} src={fileOf(item, 'ad')?.url ?? null} />;
    case 'Native':
      return (
        <Native
          item={item}
          file={fileOf(item, 'ad')}
          title={item.pending['title']}
          sponsor={item.pending['sponsor']}
          description={item.pending['description']}
        />
      );
    case 'creative_group':
      return (
        <Native
          item={item}
          file={fileOf(item, 'sample')}
          title={item.pending['native_title']}
          sponsor={item.pending['native_sponsor']}
          description={item.pending['native_description']}
        />
      );
    case 'app':
      return <AppCard item={item} />;
    case 'tracking_link':
      return <Destination url={item.link} />;
  }
}

function Video({ item }: { item: ModerationItem }) {
  const endCard = fileOf(item, 'end_card');
  const approved = fileOf(item, 'approved_end_card');
  return (
    <Stack>
      <VideoPreview
        name={item.name}
        src={fileOf(item, 'ad')?.url ?? null}
        endCard={endCard && <Picture file={endCard} alt="End card" />}
      />
      <Group align="flex-start">
        {endCard && <SmallPicture file={endCard} label="End card" />}
        {approved && <SmallPicture file={approved} label="Approved end card" />}
      </Group>
    </Stack>
  );
}

function SmallPicture({ file, label }: { file: ModerationFile; label: string }) {
  return (
    <Stack gap={4}>
      <Caption>{label}</Caption>
      <Anchor href={file.url} target="_blank" rel="noopener noreferrer">
        <Image src={file.url} alt={label} h={140} w="auto" maw="100%" fit="contain" radius="sm" />
      </Anchor>
    </Stack>
  );
}

/** A picture at its own size, or as large as there is room. */
function Picture({ file, alt }: { file: ModerationFile | undefined; alt: string }) {
  const [missingUrl, setMissingUrl] = useState('');
  if (!file) return <PreviewNote text={creativeMessages.fileNotFound} width={320} height={180} />;
  if (missingUrl === file.url)
    return <PreviewNote text={consoleMessages.optionsFailed} width={320} height={180} />;
  return (
    <img
      src={file.url}
      alt={alt}
      width={file.width ?? undefined}
      height={file.height ?? undefined}
      style={{ maxWidth: '100%', maxHeight: '62vh', width: 'auto', height: 'auto', display: 'block' }}
      onError={() => setMissingUrl(file.url)}
    />
  );
}

interface NativeProps {
  item: ModerationItem;
  file: ModerationFile | undefined;
  title: string | null | undefined;
  sponsor: string | null | undefined;
  description: string | null | undefined;
}

function Native({ item, file, title, sponsor, description }: NativeProps) {
  return (
    <NativeCard
      image={file && <Image src={file.url} alt="" w="100%" mah={360} fit="contain" />}
      icon={<AppIcon app={item.app} />}
      title={title || item.app?.name || item.name}
      description={description ?? ''}
      sponsor={sponsor ?? ''}
    />
  );
}

function AppIcon({ app, size = 40 }: { app: ModerationItem['app']; size?: number }) {
  return (
    <Avatar src={app?.icon_link} name={app?.name ?? ''} color="initials" radius="md" size={size} alt="" />
  );
}

function AppCard({ item: { app, name, link } }: { item: ModerationItem }) {
  return (
    <Paper withBorder p="md" w={360} maw="100%">
      <Group wrap="nowrap">
        <AppIcon app={app} size={64} />
        <Stack gap={2} style={{ minWidth: 0 }}>
          <Text fw={600}>{name}</Text>
          <Caption style={{ overflowWrap: 'anywhere' }}>{app?.bundle_id}</Caption>
          <ExternalLink url={link} text="Store page" />
        </Stack>
      </Group>
    </Paper>
  );
}

function Destination({ url }: { url: string }) {
  return (
    <Paper withBorder p="md" w={420} maw="100%">
      <Caption>A click opens</Caption>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {hostOf(url)}
      </Text>
      <ExternalLink url={url} />
    </Paper>
  );
}

function hostOf(url: string): string {
  return canParseUrl(url) ? new URL(url).host : url;
}

/** A link to another site, opened in a tab of its own. Anything but http and https stays a text. */
export function ExternalLink({ url, text = url }: { url: string; text?: string }) {
  if (!/^https?:\/\//i.test(url)) return <LongText span>{text}</LongText>;
  return (
    <Anchor
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      size="sm"
      style={{ overflowWrap: 'anywhere' }}
    >
      {text} <IconExternalLink size={13} aria-hidden style={{ verticalAlign: -1 }} />
    </Anchor>
  );
}
