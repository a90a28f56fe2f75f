import { type ExchangeTest, ExchangeTestInput } from '@bidwell/contract/operator/exchange-test';
import { Button, Group, Paper, SimpleGrid, Stack, Textarea } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { testExchange } from '../../entities/exchanges/queries.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import { Segments, optionsOf } from '../../ui/layout/segments.tsx';
import { errorsOf } from '../../lib/field-errors.ts';
import { TestResult } from './test-result.tsx';
import { useSave } from '../../ui/form/use-save.ts';

/** Says how bidders would respond to a pasted bid request of an exchange, and why. */
export function TestConsole({ slug }: { slug: string }) {
  const [request, setRequest] = useState(sampleRequest);
  const [version, setVersion] = useState<ExchangeTestInput['version']>('2.6');
  const [result, setResult] = useState<ExchangeTest>();
  const [error, setError] = useState('');
  const { save, busy } = useSave({
    send: () => testExchange(slug, { request, version }),
    onSaved: setResult,
    onFailure: (failure) => failure instanceof ApiError && setError(failure.fields['request'] ?? ''),
  });
  const run = () => {
    const found = errorsOf(ExchangeTestInput, { request, version })['request'] ?? '';
    setError(found);
    if (found === '') save();
  };
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
      <Stack gap="sm">
        <Textarea
          label="Bid request"
          description="A test reserves no budget, counts nothing and sends nothing."
          value={request}
          error={error}
          onChange={(event) => setRequest(event.currentTarget.value)}
          autosize
          minRows={14}
          maxRows={32}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
        />
        <Group justify="space-between">
          <Group gap="xs">
            <Segments
              small
              label="Version of OpenRTB"
              options={optionsOf(['2.5', '2.6'])}
              value={version}
              onChange={setVersion}
            />
            <SecondaryButton size="xs" onClick={() => setRequest(sampleRequest)}>
              Sample request
            </SecondaryButton>
          </Group>
          <Button leftSection={<IconPlayerPlay size={16} />} loading={busy} onClick={run}>
            Test
          </Button>
        </Group>
      </Stack>
      <div aria-live="polite">
        {result ? (
          <TestResult result={result} />
        ) : (
          <Paper withBorder p="xl">
            <Muted ta="center">
              Paste a request of the exchange and test it. The result says what was read, which ad sets do not
              bid and why, and shows the bid.
            </Muted>
          </Paper>
        )}
      </div>
    </SimpleGrid>
  );
}

/** A bid request for a banner in an Android app, in OpenRTB 2.6, to begin with. */
const sampleRequest = JSON.stringify(
  {
    id: 'sample-1',
    at: 1,
    tmax: 200,
    cur: ['USD'],
    imp: [
      {
        id: '1',
        bidfloor: 0.5,
        bidfloorcur: 'USD',
        banner: { w: 320, h: 50, mimes: ['image/jpeg', 'image/png'] },
      },
    ],
    app: {
      name: 'Puzzle Game',
      bundle: 'com.example.puzzle',
      storeurl: 'https://play.google.com/store/apps/details?id=com.example.puzzle',
      cat: ['IAB9-30'],
      publisher: { id: 'publisher-1', name: 'Example Games' },
    },
    device: {
      os: 'Android',
      osv: '14',
      make: 'Google',
      model: 'Pixel 8',
      devicetype: 4,
      connectiontype: 2,
      language: 'en',
      ip: '203.0.113.9',
      ua: 'Mozilla/5.0 (Linux; Android 14; Pixel 8)',
      geo: { country: 'USA' },
    },
  },
  null,
  2,
);
