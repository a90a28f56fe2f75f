import { Group, Stack, Text } from '@mantine/core';
import { updateAdset } from '../../lib/queries/adsets.ts';
import { updateCampaign } from '../../lib/queries/campaigns.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { InlineEdit } from '../../ui/inline-edit.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import type { TreeRow } from './tree-rows.ts';

/** Name cell of a row, by its kind. */
export function NameCell({ row }: { row: TreeRow }) {
  if (row.kind === 'campaign') {
    const { uuid, name, app } = row.campaign;
    return (
      <Stack gap={3} miw={200}>
        <InlineEdit
          label="Title"
          kind="title"
          value={name}
          onSave={(title) => updateCampaign(uuid, { name: title })}
        >
          <AnchorLink to="/campaigns/edit" search={{ uuid }} size="sm" fw={600} lineClamp={2}>
            {name}
          </AnchorLink>
        </InlineEdit>
        <Group gap={6} wrap="nowrap">
          <Text size="xs" c="dimmed" truncate maw={90}>
            {app.name}
          </Text>
          <CopyText value={uuid} label="campaign id" />
        </Group>
      </Stack>
    );
  }
  if (row.kind === 'adset' && row.adset) {
    const { uuid, name, algo, target } = row.adset;
    return (
      <Stack gap={0} miw={150}>
        <InlineEdit
          label="Title"
          kind="title"
          value={name}
          onSave={(title) => updateAdset(uuid, { name: title })}
        >
          <AnchorLink to="/adset/edit" search={{ uuid }} size="sm" lineClamp={2}>
            {name}
          </AnchorLink>
        </InlineEdit>
        <Text size="xs" c="dimmed" truncate maw={200}>
          Ad set · {algo} · {target.name}
        </Text>
      </Stack>
    );
  }
  if (row.kind === 'more') {
    return (
      <AnchorLink to="/reports" search={{ campaign_uuid: row.campaign.uuid }} size="sm">
        {row.name}: see the report
      </AnchorLink>
    );
  }
  return (
    <Stack gap={0} miw={130}>
      <Text size="sm" lineClamp={2}>
        {row.name || 'Unknown'}
      </Text>
      <Text size="xs" c="dimmed">
        {detailOf(row)}
      </Text>
    </Stack>
  );
}

function detailOf(row: TreeRow): string {
  if (row.kind === 'adset') return 'Ad set · no longer in this campaign';
  if (row.kind !== 'creative') return '';
  if (!row.creative) return 'Creative · no longer in this ad set';
  const { type, width, height } = row.creative.internal_creative;
  return width && height ? `${type} · ${width}×${height}` : type;
}
