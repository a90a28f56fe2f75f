import type { Creative } from '@bidwell/contract/creative';
import { bannerResolutions } from '@bidwell/contract/creative';
import { messages } from '@bidwell/contract/messages';
import { Alert, Anchor, Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconPhotoEdit } from '@tabler/icons-react';
import { useState } from 'react';
import { formatMoment } from '../../lib/format.ts';
import { replaceEndCard } from '../../lib/queries/creatives.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { CreativePreview } from '../../ui/creative-preview.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { CreativeEditDialog } from './creative-edit-dialog.tsx';
import { messageOf, readFile } from './upload-list.ts';

/** Preview, details, URLs and actions of one creative. */
export function PreviewPanel({ creative }: { creative: Creative }) {
  const { internal_creative: asset, app, status, rejection_reason } = creative;
  const [opened, { open, close }] = useDisclosure(false);
  const endCard = useEndCard(asset.uuid);
  return (
    <Stack gap="sm">
      <Stack align="center">
        <CreativePreview creative={creative} />
      </Stack>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {asset.name}
      </Text>
      <Group gap="md">
        <StatusBadge status={status} reason={rejection_reason} />
        <CopyText value={creative.uuid} label="creative id" />
      </Group>
      {rejection_reason && <Text size="sm">{rejection_reason}</Text>}
      {asset.description && asset.type !== 'Native' && <Text size="sm">{asset.description}</Text>}
      <Text size="xs" c="dimmed">
        {[
          app.name,
          asset.width && asset.height ? `${asset.width}×${asset.height} px` : null,
          asset.duration_ms ? `${(asset.duration_ms / 1000).toFixed(1)} s` : null,
          fileSize(asset.video ?? asset.playable ?? asset.banner),
          formatMoment(creative.created_at),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      <CreativeUrl label="Click URL" url={creative.click_url} />
      <CreativeUrl label="View URL" url={creative.view_url} />
      <Text size="xs" c="dimmed">
        {messages.creativeUrls}
      </Text>
      {asset.external_loads?.length > 0 && (
        <Alert color="yellow" title="Loads from elsewhere" p="xs">
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {asset.external_loads.join(', ')}
          </Text>
        </Alert>
      )}
      {endCard.share !== null && (
        <Progress value={endCard.share * 100} size="sm" aria-label="Upload of the end card" />
      )}
      {endCard.error && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {endCard.error}
        </Text>
      )}
      <Group gap="xs">
        <Button variant="default" size="xs" leftSection={<IconPencil size={14} />} onClick={open}>
          Edit creative
        </Button>
        {asset.type === 'Video' && (
          <FileButton
            accept="image/jpeg,image/png"
            onChange={(file) => file && void endCard.replace(file)}
            inputProps={{ 'aria-label': `New end card of ${asset.name}` }}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                size="xs"
                loading={endCard.share !== null}
                leftSection={<IconPhotoEdit size={14} />}
              >
                Replace end card
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      {opened && <CreativeEditDialog creative={creative} onClose={close} />}
    </Stack>
  );
}

function useEndCard(assetUuid: string) {
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<string>();
  const replace = async (file: File) => {
    const { error: fileError, src } = await readFile(file, 'EndCard', bannerResolutions);
    URL.revokeObjectURL(src);
    setError(fileError ?? undefined);
    if (fileError) return;
    setShare(0);
    try {
      const { status } = await replaceEndCard(assetUuid, file, setShare);
      const isReviewed = status === 'Moderation';
      toastSuccess(isReviewed ? 'End card replaced. It is reviewed before it runs.' : 'End card replaced');
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setShare(null);
    }
  };
  return { share, error, replace };
}

function fileSize(file: { size_bytes: number } | null): string | null {
  if (!file) return null;
  const kb = file.size_bytes / 1024;
  return kb < 1024 ? `${Math.max(1, Math.round(kb))} KB` : `${(kb / 1024).toFixed(1)} MB`;
}

function CreativeUrl({ label, url }: { label: string; url: string | null }) {
  if (url === null) return null;
  return (
    <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
      {label}:{' '}
      <Anchor href={url} target="_blank" rel="noopener noreferrer" size="xs" title={url}>
        {url}
      </Anchor>
    </Text>
  );
}
