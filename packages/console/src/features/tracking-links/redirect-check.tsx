import type { AppSummary } from '@bidwell/contract/apps/schema';
import type { LinkCheck, LinkHop } from '@bidwell/contract/tracking-links/link-check';
import { mmpNames } from '@bidwell/contract/measurement/partners/partners';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { brand } from '../../lib/brand.ts';
import { failureText } from '../../lib/api/api-error.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { checkTrackingLink, checkViewUrl } from '../../entities/tracking-links/queries.ts';
import { ErrorText } from '../../ui/form/error-text.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { FindingNotes } from './finding-notes.tsx';
import type { UrlField } from './findings.ts';

/** The fields of an app that a check needs. */
export type CheckedApp = Pick<AppSummary, 'uuid' | 'os' | 'mobile_measurement_partner'>;

interface Checked {
  title: string;
  button: string;
  /** What is done with the URL, and what it leaves at the partner. */
  text: (partner: string) => string;
  validText: string;
}

const CHECKS: Record<UrlField, Checked> = {
  click_url: {
    title: 'Redirects',
    button: 'Check redirects',
    text: (partner) =>
      `${brand.name} follows the click URL as a phone would, up to the store, with these sample values. ${partner} has no parameter for test clicks, so it records one click.`,
    validText: 'The link leads to the app’s page in the store, with the click ID.',
  },
  view_url: {
    title: 'View',
    button: 'Check view',
    text: (partner) =>
      `${brand.name} loads the view URL once as a phone would, with these sample values. ${partner} has no parameter for test views, so it records one view.`,
    validText: 'The measurement partner takes the view, with the click ID.',
  },
};

/** Opens a click URL, or loads a view URL, from the server, and shows each request with its problems. */
export function RedirectCheck({ app, field, url }: { app: CheckedApp; field: UrlField; url: string }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      field === 'click_url'
        ? checkTrackingLink({ app_id: app.uuid, click_url: url })
        : checkViewUrl({ app_id: app.uuid, view_url: url }),
  });
  const { title, button, text, validText } = CHECKS[field];
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Group justify="space-between" gap="sm">
        <Text fw={600} size="sm">
          {title}
        </Text>
        <Button
          variant="light"
          size="compact-sm"
          loading={isPending}
          leftSection={<IconRoute size={15} />}
          onClick={() => mutate()}
        >
          {data || error ? 'Check again' : button}
        </Button>
      </Group>
      <Caption>{text(mmpNames[app.mobile_measurement_partner])}</Caption>
      {isPending && <Skeleton height={120} />}
      {!isPending && error && <ErrorText size="sm">{failureText(error)}</ErrorText>}
      {!isPending && data && <Result checked={data} validText={validText} />}
    </Stack>
  );
}

function Result({ checked: { hops, findings }, validText }: { checked: LinkCheck; validText: string }) {
  return (
    <>
      <FindingNotes findings={findings} validText={validText} />
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {hops.map((hop, at) => (
          <Hop key={`${at} ${hop.url}`} hop={hop} number={at + 1} />
        ))}
      </Stack>
    </>
  );
}

const kinds: Record<LinkHop['kind'], string | null> = {
  partner: 'measurement partner',
  store: 'store',
  other: null,
};

function Hop({ hop, number }: { hop: LinkHop; number: number }) {
  const { url, host, status, ms, has_click_id: hasClickId, kind } = hop;
  const facts = [
    kinds[kind],
    status === null ? (kind === 'store' ? null : 'no response') : `status ${status}`,
    ms === null ? null : `${formatNumber(ms)} ms`,
    hasClickId === null ? null : hasClickId ? 'with click ID' : 'without click ID',
  ];
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="sm">
      <Muted miw={18} ta="right" style={{ flexShrink: 0 }}>
        {number}
      </Muted>
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={500}>
          {host}
        </Text>
        <Text size="sm">{facts.filter((fact) => fact !== null).join(' · ')}</Text>
        <Caption>{url}</Caption>
      </div>
    </Group>
  );
}
