import type { AppSummary } from '@bidwell/contract/apps/schema';
import type { LinkCheck, LinkHop } from '@bidwell/contract/tracking-links/link-check';
import { partnerInText } from '@bidwell/contract/measurement/partners/partners';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconListCheck, IconRoute } from '@tabler/icons-react';
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
  /** What is done with the URL, and what it leaves at the partner. */
  call: string;
  recorded: string;
  validText: string;
}

const CHECKS: Record<UrlField, Checked> = {
  click_url: {
    title: 'Redirects',
    call: `${brand.name} opens the click URL once as a phone would, with the sample values, and follows it to the store.`,
    recorded: 'click',
    validText: 'the link leads to the app’s page in the store, with the click ID.',
  },
  view_url: {
    title: 'View',
    call: `${brand.name} loads the view URL once as a phone would, with the sample values.`,
    recorded: 'view',
    validText: 'the measurement partner takes the view, with the click ID.',
  },
};

/**
 * Compares a click or view URL with what the partner documents, or opens it at the partner itself from the server, and shows each request
 * with its problems.
 */
export function RedirectCheck({ app, field, url }: { app: CheckedApp; field: UrlField; url: string }) {
  const { mutate, data, error, isPending, variables } = useMutation({
    mutationFn: (callsPartner: boolean) =>
      field === 'click_url'
        ? checkTrackingLink({ app_id: app.uuid, click_url: url, calls_partner: callsPartner })
        : checkViewUrl({ app_id: app.uuid, view_url: url, calls_partner: callsPartner }),
  });
  const mmp = app.mobile_measurement_partner;
  const partner = partnerInText(mmp);
  const isDocumented = mmp !== 'other';
  const { title, call, recorded, validText } = CHECKS[field];
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Text fw={600} size="sm">
        {title}
      </Text>
      {isDocumented && (
        <Caption>
          <b>Without {partner}:</b> {brand.name} compares the URL with what {partner} documents. Nothing is
          called or recorded.
        </Caption>
      )}
      <Caption>
        <b>At {partner}:</b> {call}{' '}
        {isDocumented
          ? `${partner} has no parameter for test ${recorded}s, so it records one ${recorded}.`
          : `It may record one ${recorded}.`}
      </Caption>
      <Group gap="xs">
        {isDocumented && (
          <Button
            variant="light"
            size="compact-sm"
            loading={isPending && !variables}
            disabled={isPending}
            leftSection={<IconListCheck size={15} />}
            onClick={() => mutate(false)}
          >
            Check without {partner}
          </Button>
        )}
        <Button
          variant="default"
          size="compact-sm"
          loading={isPending && variables}
          disabled={isPending}
          leftSection={<IconRoute size={15} />}
          onClick={() => mutate(true)}
        >
          Check at {partner}
        </Button>
      </Group>
      {isPending && <Skeleton height={120} />}
      {!isPending && error && <ErrorText size="sm">{failureText(error)}</ErrorText>}
      {!isPending && data && (
        <Result
          checked={data}
          validText={
            variables
              ? validText.charAt(0).toUpperCase() + validText.slice(1)
              : `As ${partner} documents it, ${validText}`
          }
        />
      )}
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
