import type {
  ExchangeTest,
  ReadRequest,
  RequestProblem,
  TestedBid,
} from '@bidwell/contract/operator/exchange-test';
import { signingText } from '@bidwell/contract/text/skadnetwork-text';
import { Alert, Badge, Group, List, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '../../lib/format/format.ts';
import { FormSection } from '../../ui/form/form-section.tsx';
import { noBidText } from '@bidwell/contract/text/no-bid-reasons';
import { Caption, LongText } from '../../ui/layout/text.tsx';
import { Segments } from '../../ui/layout/segments.tsx';
import { SourceText } from './source-text.tsx';

/** The response to a sample bid request, and how it came about. */
export function TestResult({ result }: { result: ExchangeTest }) {
  const { bids, no_bid_reason: reason, notes, problems, read, adsets, response } = result;
  return (
    <Stack>
      <Alert
        color={bids.length > 0 ? 'green' : 'gray'}
        title={
          bids.length > 0
            ? `${bids.length === 1 ? 'A bid' : `${bids.length} bids`} of ${bids.map(({ price, currency }) => `${formatNumber(price, 2)} ${currency}`).join(', ')} CPM`
            : `No bid: ${noBidText(reason ?? '')}`
        }
      >
        {notes.length > 0 &&
          notes.map((note) => (
            <Text key={note} size="sm">
              {note}
            </Text>
          ))}
      </Alert>
      <Problems problems={problems} />
      {read && <AdsetReasons adsets={adsets} />}
      {bids.map((bid) => (
        <TestedBidView key={bid.imp_id} bid={bid} response={response} />
      ))}
      {read && <ReadValues read={read} />}
    </Stack>
  );
}

function Problems({ problems }: { problems: readonly RequestProblem[] }) {
  return (
    <FormSection title="Against OpenRTB">
      {problems.length === 0 && <Text size="sm">Nothing that bids depend on is missing.</Text>}
      {problems.length > 0 && (
        <List size="sm" spacing={6} listStyleType="none">
          {problems.map(({ severity, path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <Group gap="xs" wrap="nowrap" align="flex-start">
                <Badge
                  tt="capitalize"
                  variant="outline"
                  color={severity === 'error' ? 'red.8' : 'gray.7'}
                  size="sm"
                  miw={72}
                >
                  {severity}
                </Badge>
                <LongText>
                  {path !== '' && <b>{path}: </b>}
                  {message}
                </LongText>
              </Group>
            </List.Item>
          ))}
        </List>
      )}
    </FormSection>
  );
}

function AdsetReasons({ adsets }: { adsets: ExchangeTest['adsets'] }) {
  const { running, checked, bidding, reasons } = adsets;
  return (
    <FormSection title="Ad sets">
      <Text size="sm">
        {formatNumber(running)} run, of which {formatNumber(bidding)} could bid.
        {checked < running && ` Only ${formatNumber(checked)} were checked in the time for a test.`}
      </Text>
      {reasons.length > 0 && (
        <Table verticalSpacing={4} aria-label="Ad sets without a bid, by reason">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Why they do not bid</Table.Th>
              <Table.Th ta="right">Ad sets</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {reasons.map(({ reason, adsets: count }) => (
              <Table.Tr key={reason}>
                <Table.Td>{noBidText(reason)}</Table.Td>
                <Table.Td ta="right">{formatNumber(count)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </FormSection>
  );
}

function ReadValues({ read }: { read: ReadRequest }) {
  const { blocked } = read;
  const rows: readonly (readonly [string, string])[] = [
    ['App', [read.app_name, read.bundle].filter(Boolean).join(', ')],
    ['Genres', read.genres.join(', ')],
    ['Operating system', [read.os, read.os_version].filter(Boolean).join(' ')],
    ['Device', [read.device_type, read.device_model].filter(Boolean).join(', ')],
    ['Connection', read.connection],
    ['Country', read.country],
    ['Language', read.language],
    ['Advertising id', read.has_ifa ? 'may be used' : 'absent, or may not be used'],
    ['IP address', read.has_ip ? 'may be used' : 'absent, or may not be used'],
    ['Auction', `${read.auction_type} price`],
    ['Currency of bids', read.currency ?? 'none with a rate'],
    ['Time limit', read.timeout_ms === null ? 'none' : `${read.timeout_ms} ms`],
    ['Our seat', read.seat_allowed ? 'allowed' : 'not allowed'],
    ['Blocked', `${blocked.advertisers} advertisers, ${blocked.apps} apps, ${blocked.categories} categories`],
    ...read.imps.map((imp) => [`Imp ${imp.id}`, impText(imp)] as const),
  ];
  return (
    <FormSection title="What was read">
      <Table verticalSpacing={4} aria-label="What was read">
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w={150} fw={500} scope="row">
                {name}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value || 'not given'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </FormSection>
  );
}

function impText({ formats, floor, interstitial, rewarded, secure }: ReadRequest['imps'][number]): string {
  return [
    formats.join(' or ') || 'no format that gets bids',
    floor === null ? 'floor without a rate' : `floor ${formatNumber(floor, 2)} USD`,
    interstitial && 'interstitial',
    rewarded && 'rewarded',
    secure && 'https only',
  ]
    .filter(Boolean)
    .join('; ');
}

const views = [
  { value: 'preview', label: 'Preview' },
  { value: 'markup', label: 'Markup' },
  { value: 'response', label: 'Response' },
] as const;
type View = (typeof views)[number]['value'];

/** A bid of a test: its ad as it looks, its markup, and the whole response. */
function TestedBidView({ bid, response }: { bid: TestedBid; response: string | null }) {
  const [view, setView] = useState<View>('preview');
  const { imp_id, price, currency, campaign, creative_type, markup } = bid;
  return (
    <FormSection title={`Bid on imp ${imp_id}`}>
      <Text size="sm">
        {formatNumber(price, 2)} {currency} CPM, {creative_type.toLowerCase()} of the campaign{' '}
        <b>{campaign}</b>. Its tracking addresses are not valid, so that a preview counts nothing.
      </Text>
      {bid.signing && <Text size="sm">{signingText(bid.signing)}</Text>}
      <Segments small label="View" options={views} value={view} onChange={setView} />
      {view === 'preview' && <Preview bid={bid} />}
      {view === 'markup' && <SourceText label="Markup" text={markup} />}
      {view === 'response' && <SourceText label="Response" text={indented(response ?? '')} />}
    </FormSection>
  );
}

/** The creative, scaled down where the screen is narrower. The markup itself would load trackers. */
function Preview({ bid: { width, height, file_url: url, creative_type } }: { bid: TestedBid }) {
  if (creative_type === 'Playable') return <Text size="sm">Playables run under Creatives, not here.</Text>;
  const size = { width, height, style: { maxWidth: '100%', height: 'auto' } };
  return (
    <Stack gap={4} align="flex-start">
      {creative_type === 'Video' ? (
        <video controls muted src={url} aria-label="Preview of the ad" {...size} />
      ) : (
        <img src={url} alt="Preview of the ad" {...size} />
      )}
      <Caption>
        {width} × {height}
      </Caption>
    </Stack>
  );
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
