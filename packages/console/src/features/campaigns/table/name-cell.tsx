import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import type { Creative } from '@bidwell/contract/creatives/schema';
import { Box, Group, Stack, Text } from '@mantine/core';
import { type CSSProperties, type ComponentProps, type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { InlineEdit } from '../../../ui/form/inline/inline-edit.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { startText } from '../campaign-review.ts';
import { Caption } from '../../../ui/layout/text.tsx';
import { adsetText, campaignField } from './row-fields.ts';
import { LearningLine } from './learning-line.tsx';
import classes from './name-cell.module.css';
import type { TreeRow } from './tree-rows.ts';

// The list of campaigns, which the screen begins with, has no pictures.
const CreativeThumbnail = lazyPart(
  () => import('../../../entities/creatives/creative-thumbnail.tsx'),
  'CreativeThumbnail',
  { as: 'hint' },
);

interface NameCellProps {
  row: TreeRow;
  /** Whether the row is in a list of its kind, where a creative is a link and its kind need not be said. */
  flat: boolean;
}

/** Name cell of a row, by its kind. */
export function NameCell({ row, flat }: NameCellProps) {
  if (row.kind === 'campaign') return <CampaignName row={row} />;
  if (row.kind === 'adset' && row.adset)
    return <AdsetName row={row} adset={row.adset} campaign={flat ? row.campaign : undefined} flat={flat} />;
  if (flat && row.kind === 'creative' && row.creative)
    return <CreativeName creative={row.creative} detail={detailOf(row)} />;
  if (row.kind === 'more') {
    return (
      <AnchorLink to="/reports" search={{ campaign_uuid: row.campaign.uuid }} size="sm">
        {row.name}: see the report
      </AnchorLink>
    );
  }
  return (
    <NameBox min={130}>
      <Text size="sm" truncate title={row.name}>
        {row.name || 'Unknown'}
      </Text>
      <Caption>{detailOf(row)}</Caption>
    </NameBox>
  );
}

function detailOf(row: TreeRow): string {
  if (row.kind === 'adset') return 'Ad set · no longer in this campaign';
  if (row.kind !== 'creative') return '';
  if (!row.creative) return 'Creative · no longer in this ad set';
  const { type, width, height } = row.creative.internal_creative;
  return width && height ? `${type} · ${width}×${height}` : type;
}

function CampaignName({ row }: { row: TreeRow & { kind: 'campaign' } }) {
  const { campaign } = row;
  const { uuid, name, app, kind } = campaign;
  const start = startText(campaign);
  return (
    <NameBox min={200}>
      <EditableName permission="campaign.write" field={campaignField(campaign, 'name')}>
        <AnchorLink to="/campaigns/edit" search={{ uuid }} size="sm" fw={600} truncate title={name}>
          {name}
        </AnchorLink>
      </EditableName>
      <Caption truncate visibleFrom="sm">
        {kind === 're_engagement' ? `${app.name} · re-engagement` : app.name}
      </Caption>
      {start && <Caption hiddenFrom="sm">{start}</Caption>}
      <LearningLine row={row} />
    </NameBox>
  );
}

interface AdsetNameProps {
  row: TreeRow & { kind: 'adset' };
  adset: AdsetSummary;
  /** Named on a phone, where the list has no column of it. */
  campaign: Campaign | undefined;
  flat: boolean;
}

function AdsetName({ row, adset, campaign, flat }: AdsetNameProps) {
  const { uuid, name, algo, target } = adset;
  return (
    <NameBox min={200}>
      <EditableName permission="adset.write" field={adsetText(adset, 'name')}>
        <AnchorLink to="/adset/edit" search={{ uuid }} size="sm" truncate title={name}>
          {name}
        </AnchorLink>
      </EditableName>
      <Caption truncate visibleFrom="sm">
        {flat ? '' : 'Ad set · '}
        {algo} · {target.name}
      </Caption>
      {campaign && (
        <Caption truncate hiddenFrom="sm">
          {campaign.name}
        </Caption>
      )}
      <LearningLine row={row} />
    </NameBox>
  );
}

function CreativeName({ creative, detail }: { creative: Creative; detail: string }) {
  const { uuid, internal_creative: asset } = creative;
  return (
    <Group gap="sm" wrap="nowrap" miw={220} maw={280}>
      <Suspense fallback={<Box w={64} h={36} />}>
        <CreativeThumbnail asset={asset} width={64} height={36} />
      </Suspense>
      <Stack gap={0} miw={0}>
        <AnchorLink
          to="/creatives"
          search={{ type: asset.type, creative: uuid }}
          size="sm"
          truncate
          title={asset.name}
        >
          {asset.name}
        </AnchorLink>
        <Caption>{detail}</Caption>
      </Stack>
    </Group>
  );
}

/** Lays out a name and the line below it; `min` is the narrowest that they are cut to in a table, in pixels. */
function NameBox({ min, children }: { min: number; children: ReactNode }) {
  return (
    <div className={classes['name']} style={{ '--name-min': `${min}px` } as CSSProperties}>
      {children}
    </div>
  );
}

/** A name that can be edited in place; its link is the child. */
function EditableName(props: Pick<ComponentProps<typeof InlineEdit>, 'permission' | 'field' | 'children'>) {
  return <InlineEdit label="Title" kind="title" {...props} />;
}
