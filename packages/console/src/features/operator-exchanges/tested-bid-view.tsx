import type { TestedBid } from '@bidwell/contract/operator/exchange-test';
import { signingText } from '@bidwell/contract/text/skadnetwork-text';
import { Code, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '../../lib/format/format.ts';
import { FormSection } from '../../ui/form/form-section.tsx';
import { Muted } from '../../ui/layout/muted.tsx';
import { Segments } from '../../ui/layout/segments.tsx';

const views = [
  { value: 'preview', label: 'Preview' },
  { value: 'markup', label: 'Markup' },
  { value: 'response', label: 'Response' },
] as const;
type View = (typeof views)[number]['value'];

/** A bid of a test: its ad as it looks, its markup, and the whole response. */
export function TestedBidView({ bid, response }: { bid: TestedBid; response: string | null }) {
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
      {view === 'markup' && <Source label="Markup" text={markup} />}
      {view === 'response' && <Source label="Response" text={indented(response ?? '')} />}
    </FormSection>
  );
}

function Source({ label, text }: { label: string; text: string }) {
  return (
    <Code
      block
      mah={420}
      tabIndex={0}
      role="region"
      aria-label={label}
      style={{ overflow: 'auto', overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
    >
      {text}
    </Code>
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
      <Muted size="xs">
        {width} × {height}
      </Muted>
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
