import { type Creative, bannerResolutions } from '@bidwell/contract/creatives/schema';
import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { Alert, Anchor, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconPhotoEdit } from '@tabler/icons-react';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { useState } from 'react';
import { useLoadable } from '../../lib/loadable.ts';
import { formatMoment } from '../../lib/format/format.ts';
import { creativeFindingsQuery } from '../../entities/insight/creative-finding-queries.ts';
import { useRangeSearch } from '../../lib/range-search.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { CopyText } from '../../ui/layout/copy-text.tsx';
import { CreativeDelivery } from '../../entities/insight/creative-delivery.tsx';
import { CreativePreview } from '../../entities/creatives/creative-preview.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { ErrorText } from '../../ui/form/error-text.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { CreativeEditDialog } from './creative-edit-dialog.tsx';
import { CreativeReviews } from './exchange-reviews.tsx';
import { EndCardButton } from './end-card-button.tsx';
import { replaceEndCard } from '../../entities/creatives/queries.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { readFile, uploadFailure } from './upload/upload-list.ts';

/** Preview, details, URLs and actions of one creative. */
export function PreviewPanel({ creative }: { creative: Creative }) {
  const { internal_creative: asset, status, rejection_reason } = creative;
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
      <Caption>{detailsText(creative)}</Caption>
      <CreativeReviews creative={creative} />
      <States uuid={creative.uuid} />
      <CreativeUrl label="Click URL" url={creative.click_url} />
      <CreativeUrl label="View URL" url={creative.view_url} />
      <Caption>
        {creative.click_url || creative.view_url
          ? creativeMessages.creativeUsesOwn
          : creativeMessages.creativeUsesLink}
      </Caption>
      {asset.exits?.length > 0 && <Caption>Leads to the store by {asset.exits.join(', ')}</Caption>}
      {asset.external_loads?.length > 0 && (
        <Alert color="yellow" title="Loads from elsewhere" p="xs">
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {asset.external_loads.join(', ')}
          </Text>
        </Alert>
      )}
      <PreviewActions creative={creative} />
    </Stack>
  );
}

/** Ad sets whose states are shown. */
const STATES_SHOWN = 3;

/** In which ad sets the creative is shown, or what keeps it from being shown. */
function States({ uuid }: { uuid: string }) {
  const { range } = useRangeSearch();
  const findings = useLoadable(creativeFindingsQuery(range));
  return (
    <FigureFrame figures={findings} what="Its delivery" skeleton={<Skeleton height={40} />}>
      {(known) => {
        const finding = known.get(uuid);
        if (!finding) return null;
        return (
          <CreativeDelivery
            states={finding.adsets.length > 0 ? finding.adsets.slice(0, STATES_SHOWN) : [finding]}
          />
        );
      }}
    </FigureFrame>
  );
}

/** Edits the creative and replaces the end card of a video. */
function PreviewActions({ creative }: { creative: Creative }) {
  const { internal_creative: asset } = creative;
  const [opened, { open, close }] = useDisclosure(false);
  const { progress, error, replace } = useEndCard(creative);
  return (
    <>
      {progress !== null && <Progress value={progress * 100} size="sm" aria-label="Upload of the end card" />}
      {error && <ErrorText>{error}</ErrorText>}
      <Group gap="xs">
        <SecondaryButton size="xs" leftSection={<IconPencil size={14} />} onClick={open}>
          Edit creative
        </SecondaryButton>
        {asset.type === 'Video' && (
          <EndCardButton
            label={`New end card of ${asset.name}`}
            onFile={(file) => void replace(file)}
            variant="default"
            size="xs"
            loading={progress !== null}
            leftSection={<IconPhotoEdit size={14} />}
          >
            Replace end card
          </EndCardButton>
        )}
      </Group>
      {opened && <CreativeEditDialog creative={creative} onClose={close} />}
    </>
  );
}

/** App, size, length, file size and time of creation in one line. */
function detailsText({ internal_creative: asset, app, created_at: createdAt }: Creative): string {
  const details = [
    app.name,
    asset.width && asset.height ? `${asset.width}×${asset.height} px` : null,
    asset.duration_ms ? `${(asset.duration_ms / 1000).toFixed(1)} s` : null,
    fileSize(asset.video ?? asset.playable ?? asset.banner),
    formatMoment(createdAt),
  ];
  return details.filter(Boolean).join(' · ');
}

function fileSize(file: { size_bytes: number } | null): string | null {
  if (!file) return null;
  const kb = file.size_bytes / 1024;
  return kb < 1024 ? `${Math.max(1, Math.round(kb))} KB` : `${(kb / 1024).toFixed(1)} MB`;
}

function CreativeUrl({ label, url }: { label: string; url: string | null }) {
  if (url === null) return null;
  return (
    <Caption lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
      {label}:{' '}
      <Anchor href={url} target="_blank" rel="noopener noreferrer" size="xs" title={url}>
        {url}
      </Anchor>
    </Caption>
  );
}

/** Replaces the end card of a video. `progress` is from 0 to 1, null while nothing is uploaded. */
function useEndCard(creative: Creative) {
  const [progress, setProgress] = useState<number | null>(null);
  const [error, setError] = useState<string>();
  const replace = async (file: File) => {
    const { error: fileError, src } = await readFile(file, 'EndCard', bannerResolutions);
    URL.revokeObjectURL(src);
    setError(fileError ?? undefined);
    if (fileError) return;
    setProgress(0);
    try {
      const { status } = await replaceEndCard(creative, file, setProgress);
      const isReviewed = status === 'Moderation';
      toastSuccess(isReviewed ? screenMessages.endCardReplacedForReview : screenMessages.endCardReplaced);
    } catch (failure) {
      setError(uploadFailure(failure));
    } finally {
      setProgress(null);
    }
  };
  return { progress, error, replace };
}
