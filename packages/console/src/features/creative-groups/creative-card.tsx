import type { Creative } from '@bidwell/contract/creatives/schema';
import { Card, Checkbox, Group } from '@mantine/core';
import { CreativeThumbnail } from '../../entities/creatives/creative-thumbnail.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';

interface CreativeCardProps {
  creative: Creative;
  chosen: boolean;
  onToggle: () => void;
}

/** A creative that can be put into a group: picture, name, size, app and status. */
export function CreativeCard({ creative, chosen, onToggle }: CreativeCardProps) {
  const { status, rejection_reason: reason, app, internal_creative: asset } = creative;
  const size = asset.width && asset.height ? `${asset.width}×${asset.height} · ` : '';
  return (
    <Card
      withBorder
      p="xs"
      style={chosen ? { borderColor: 'var(--mantine-primary-color-filled)' } : undefined}
    >
      <Group justify="center" mb={6} onClick={onToggle} style={{ cursor: 'pointer' }} aria-hidden>
        <CreativeThumbnail asset={asset} width={180} height={90} />
      </Group>
      <Checkbox
        size="xs"
        label={asset.name}
        description={`${size}${app.name}`}
        checked={chosen}
        onChange={onToggle}
        mb={6}
        styles={{ label: { overflowWrap: 'anywhere' } }}
      />
      <StatusBadge status={status} reason={reason} />
    </Card>
  );
}
