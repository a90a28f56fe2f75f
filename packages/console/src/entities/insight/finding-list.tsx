import type { Finding, Remedy } from '@bidwell/contract/insight/finding';
import { CREATIVE_TYPES, type CreativeType } from '@bidwell/contract/creatives/schema';
import { Group, Skeleton, Stack, ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { SkeletonBar } from '../../ui/chart/skeleton-bar.tsx';
import { LongText } from '../../ui/layout/text.tsx';

const LOOKS = {
  blocked: { color: 'red', icon: IconBan, label: 'Stops delivery' },
  limited: { color: 'orange', icon: IconAlertTriangle, label: 'Limits delivery' },
  advice: { color: 'blue', icon: IconInfoCircle, label: 'Advice' },
  fine: { color: 'teal', icon: IconCheck, label: 'In order' },
} as const;

/** A finding of a campaign, or the state of a creative. */
interface Listed extends Pick<Finding, 'severity' | 'text' | 'remedy'> {
  /** The subject, above its text. */
  of?: ReactNode;
}

/** Why a campaign spends less than it could: a sentence and a button for each cause. */
export function FindingList({ findings }: { findings: readonly Listed[] }) {
  return (
    <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {findings.map((finding, index) => (
        // Ad sets may have the same name.
        <FindingItem key={`${index} ${finding.text}`} finding={finding} />
      ))}
    </Stack>
  );
}

/** In place of the findings while they load: a sign and a sentence for each. */
export function FindingListSkeleton() {
  return (
    <Stack gap="sm" aria-hidden>
      {[420, 300].map((width) => (
        <Group key={width} wrap="nowrap" gap="sm">
          <Skeleton circle height={26} style={{ flexShrink: 0 }} />
          <SkeletonBar width={width} />
        </Group>
      ))}
    </Stack>
  );
}

function FindingItem({ finding: { severity, text, remedy, of } }: { finding: Listed }) {
  const { color, icon: Icon, label } = LOOKS[severity];
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="sm">
      <ThemeIcon variant="light" color={color} size={26} radius="xl" role="img" aria-label={label}>
        <Icon size={15} aria-hidden />
      </ThemeIcon>
      <Stack gap={6} align="flex-start" style={{ minWidth: 0 }}>
        {of}
        <LongText>{text}</LongText>
        {remedy && <RemedyButton remedy={remedy} />}
      </Stack>
    </Group>
  );
}

function RemedyButton({ remedy }: { remedy: Remedy }): ReactNode {
  const { label, screen, field, value } = remedy;
  const props = { size: 'compact-sm', variant: 'default' } as const;
  const uuid = remedy.uuid ?? undefined;
  const filled = {
    uuid,
    ...(field !== null && { field }),
    ...(typeof value === 'number' && { value }),
  };
  switch (screen) {
    case 'adset':
      return (
        <ButtonLink to="/adset/edit" search={filled} {...props}>
          {label}
        </ButtonLink>
      );
    case 'campaign':
      return (
        <ButtonLink to="/campaigns/edit" search={{ uuid }} {...props}>
          {label}
        </ButtonLink>
      );
    case 'target':
      return (
        <ButtonLink
          to="/targets/edit"
          search={{ uuid, ...(field !== null && { field }), ...(typeof value === 'string' && { value }) }}
          {...props}
        >
          {label}
        </ButtonLink>
      );
    case 'tracking_link':
      return (
        <ButtonLink to="/tracking-links/edit" search={{ uuid }} {...props}>
          {label}
        </ButtonLink>
      );
    case 'app':
      return (
        <ButtonLink to="/edit-app" search={{ uuid }} {...props}>
          {label}
        </ButtonLink>
      );
    case 'creatives':
      return field === 'type' ? (
        <ButtonLink
          to="/creatives/add-creative"
          search={{ app: uuid, ...(isCreativeType(value) && { type: value }) }}
          {...props}
        >
          {label}
        </ButtonLink>
      ) : (
        <ButtonLink
          to="/creatives"
          search={field === 'creative' && typeof value === 'string' ? { creative: value } : {}}
          {...props}
        >
          {label}
        </ButtonLink>
      );
    case 'creative_group':
      return (
        <ButtonLink to="/creative-groups/edit" search={{ uuid }} {...props}>
          {label}
        </ButtonLink>
      );
    case 'delivery':
      return (
        <ButtonLink to="/campaigns/delivery" search={{ uuid }} {...props}>
          {label}
        </ButtonLink>
      );
    case 'measurement':
      return (
        <ButtonLink to="/campaigns/delivery" search={{ uuid, tab: 'measurement' }} {...props}>
          {label}
        </ButtonLink>
      );
    case 'finances':
      return (
        <ButtonLink to="/finances" {...props}>
          {label}
        </ButtonLink>
      );
    case 'postbacks':
      return (
        <ButtonLink to="/tracking-links" {...props}>
          {label}
        </ButtonLink>
      );
  }
}

function isCreativeType(value: string | number | null): value is CreativeType {
  return (CREATIVE_TYPES as readonly unknown[]).includes(value);
}
