import type { Certification as Report, CertifiedCase } from '@bidwell/contract/operator/certification';
import type { Ssp } from '@bidwell/contract/operator/schema';
import { Anchor, Box, Button, CopyButton, Group, List, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { certifyExchange } from '../../entities/exchanges/queries.ts';
import { saveFile } from '../../lib/format/csv-file.ts';
import { formatMoment, formatNumber } from '../../lib/format/format.ts';
import { useSave } from '../../ui/form/use-save.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { Caption, LongText, Muted } from '../../ui/layout/text.tsx';
import { reportText, stateOf, summaryOf, unknownTexts } from './certification-report.ts';
import { FactText } from './profile-facts.tsx';
import { SourceText } from './source-text.tsx';

/** Runs the contract cases of the exchange's profile on this server, as a report to hand over to the exchange. */
export function Certification({ exchange: { slug, profile } }: { exchange: Ssp }) {
  const [report, setReport] = useState<Report>();
  const { save, busy } = useSave({ send: () => certifyExchange(slug), onSaved: setReport });
  const isGeneric = profile === 'openrtb';
  return (
    <Section
      title="Certification"
      description="Sends the requests that the exchange documents to this server, and compares the bids and the notices with its rules. A sample advertiser bids: nothing is counted or charged."
      actions={
        !isGeneric && (
          <Button leftSection={<IconPlayerPlay size={16} />} loading={busy} onClick={() => save()}>
            Run the cases
          </Button>
        )
      }
    >
      {isGeneric && (
        <Muted>Choose the profile of the exchange under Settings: generic OpenRTB has no cases.</Muted>
      )}
      {!isGeneric && !report && <Muted>The result can be copied and sent to the exchange.</Muted>}
      <div aria-live="polite">{report && <Result report={report} />}</div>
    </Section>
  );
}

function Result({ report }: { report: Report }) {
  const { slug, at, cases } = report;
  const text = reportText(report);
  const unknown = unknownTexts(report);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm">
          <b>{summaryOf(report)}.</b> {formatMoment(at)}
        </Text>
        <Group gap="xs">
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <SecondaryButton
                size="xs"
                onClick={copy}
                leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              >
                {copied ? 'Copied' : 'Copy the report'}
              </SecondaryButton>
            )}
          </CopyButton>
          <SecondaryButton
            size="xs"
            leftSection={<IconDownload size={16} />}
            onClick={() => saveFile(`certification-${slug}.md`, new Blob([text], { type: 'text/markdown' }))}
          >
            Download
          </SecondaryButton>
        </Group>
      </Group>
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Cases">
        {cases.map((one) => (
          <li key={one.title}>
            <Case one={one} />
          </li>
        ))}
      </Stack>
      {unknown.length > 0 && (
        <Text size="xs">
          <b>Nothing public was found on:</b> {unknown.join(', ')}. Ask the exchange.
        </Text>
      )}
    </Stack>
  );
}

function Case({ one }: { one: CertifiedCase }) {
  const [isOpen, setOpen] = useState(!one.passed);
  const { title, took_ms: tookMs, checks } = one;
  return (
    <Stack gap={6}>
      <Group gap="xs" wrap="wrap" align="flex-start">
        <Box w={{ base: '100%', xs: 130 }} style={{ flexShrink: 0 }}>
          <StatusBadge status={stateOf(one)} />
        </Box>
        <LongText flex={1}>{title}</LongText>
        {tookMs !== null && <Caption>{formatNumber(tookMs, 1)} ms</Caption>}
        <SecondaryButton size="compact-xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'}
          <VisuallyHidden component="span"> the checks of “{title}”</VisuallyHidden>
        </SecondaryButton>
      </Group>
      {isOpen && (
        <>
          <List size="xs" spacing={4} aria-label={`Checks of “${title}”`}>
            {checks.map(({ text, source, fault }, index) => (
              <List.Item key={`${index} ${text}`} style={{ overflowWrap: 'anywhere' }}>
                <FactText text={text} /> {fault !== null && <b>{fault}</b>}{' '}
                <Anchor href={source} target="_blank" rel="noreferrer" size="xs" underline="always">
                  Source<VisuallyHidden component="span"> of “{text}”</VisuallyHidden>
                </Anchor>
              </List.Item>
            ))}
          </List>
          {one.request !== '' && <SourceText label={`Request of “${title}”`} text={one.request} />}
          {one.response !== '' && <SourceText label={`Response to “${title}”`} text={one.response} />}
        </>
      )}
    </Stack>
  );
}
