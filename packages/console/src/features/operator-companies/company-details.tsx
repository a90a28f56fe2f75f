import { bytesText } from '@bidwell/contract/lib/bytes';
import { changeCompany as endpoint } from '@bidwell/contract/operator/endpoints';
import type { OperatorCompany } from '@bidwell/contract/operator/schema';
import { Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatMoment } from '../../lib/format/format.ts';
import { useMayCall } from '../../entities/operator-accounts/session-queries.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { CopyText } from '../../ui/layout/copy-text.tsx';
import { Caption, LongText } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { StorageDialog } from './storage-dialog.tsx';
import { TimeZoneDialog } from './time-zone-dialog.tsx';

/** What identifies a company, and its settings. */
export function CompanyDetails({ company }: { company: OperatorCompany }) {
  const mayChange = useMayCall(endpoint.permission);
  const [dialog, setDialog] = useState<'time zone' | 'storage' | null>(null);
  const close = () => setDialog(null);
  const changeOf = (what: 'time zone' | 'storage') =>
    mayChange && (
      <SecondaryButton size="compact-xs" aria-label={`Change the ${what}`} onClick={() => setDialog(what)}>
        Change
      </SecondaryButton>
    );
  return (
    <Section title="Details">
      <Stack gap="sm">
        <Detail label="Id">
          <CopyText value={company.uuid} label="company id" full />
        </Detail>
        <Detail label="Registered">{formatMoment(company.created_at)}</Detail>
        <Detail label="Time zone">
          <Group gap="xs">
            {company.time_zone}
            {changeOf('time zone')}
          </Group>
        </Detail>
        <Detail label="Storage">
          <Group gap="xs">
            {bytesText(company.storage.used_bytes)} of {bytesText(company.storage.quota_bytes)}
            {company.storage_quota_bytes === null && ', by the settings'}
            {changeOf('storage')}
          </Group>
        </Detail>
        {company.postback_secret !== '' && (
          <Detail label="Postback secret">
            <CopyText value={company.postback_secret} label="postback secret" />
          </Detail>
        )}
      </Stack>
      <TimeZoneDialog opened={dialog === 'time zone'} company={company} onClose={close} />
      <StorageDialog opened={dialog === 'storage'} company={company} onClose={close} />
    </Section>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Caption>{label}</Caption>
      <LongText component="div">{children}</LongText>
    </div>
  );
}
