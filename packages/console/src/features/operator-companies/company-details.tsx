import type { OperatorCompany } from '@bidwell/contract/operator';
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatMoment } from '../../lib/format.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { Section } from '../../ui/section.tsx';

/** What identifies a company, and its settings. */
export function CompanyDetails({ company }: { company: OperatorCompany }) {
  return (
    <Section title="Details">
      <Stack gap="sm">
        <Detail label="Id">
          <CopyText value={company.uuid} label="company id" full />
        </Detail>
        <Detail label="Registered">{formatMoment(company.created_at)}</Detail>
        <Detail label="Time zone of its days">{company.time_zone}</Detail>
        {company.postback_secret !== '' && (
          <Detail label="Postback secret">
            <CopyText value={company.postback_secret} label="postback secret" />
          </Detail>
        )}
      </Stack>
    </Section>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="div" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  );
}
