import { parseBundles } from '@bidwell/contract/adsets/bundles';
import { limits } from '@bidwell/contract/lib/limits';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { formatMoney } from '../../../lib/format/format.ts';
import { moneyError } from '../../../lib/format/money-error.ts';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { MoneyInput } from '../../../ui/form/money-input.tsx';
import { IconButton, SecondaryButton } from '../../../ui/layout/buttons.tsx';

interface BundleBidsProps {
  /** CPM in dollars by bundle. */
  value: Readonly<Record<string, number>>;
  onChange: (bids: Record<string, number>) => void;
}

/** Edits the CPM of single publisher bundles, which replaces the CPM of the ad set. */
export function BundleBids({ value, onChange }: BundleBidsProps) {
  const [bundle, setBundle] = useState('');
  const [cpm, setCpm] = useState<number | null>(null);
  const [error, setError] = useState<string>();
  const add = () => {
    const { bundles, error: parseError } = parseBundles(bundle);
    const message =
      parseError ??
      (bundles.length === 0
        ? consoleMessages.bundleMissing
        : moneyError(cpm ?? 0, { max: limits.cpmMaxDollars }));
    setError(message);
    if (message || cpm === null) return;
    onChange({ ...value, ...Object.fromEntries(bundles.map((name) => [name, cpm])) });
    setBundle('');
    setCpm(null);
  };
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        Bundle bids
      </Text>
      {Object.keys(value).length > 0 && (
        <Table aria-label="Bundle bids" fz="sm" maw={520}>
          <Table.Tbody>
            {Object.entries(value).map(([name, dollars]) => (
              <Table.Tr key={name}>
                <Table.Td>{name}</Table.Td>
                <Table.Td ta="right">{formatMoney(dollars)}</Table.Td>
                <Table.Td w={40}>
                  <IconButton
                    aria-label={`Remove bid of ${name}`}
                    onClick={() =>
                      onChange(Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)))
                    }
                  >
                    <IconTrash size={15} />
                  </IconButton>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Group align="flex-end" gap="xs">
        <TextInput
          label="Bundle"
          value={bundle}
          onChange={(event) => setBundle(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
          w={{ base: '100%', xs: 260 }}
        />
        <MoneyInput label="CPM there" value={cpm} onChange={setCpm} />
        <SecondaryButton onClick={add}>Add bid</SecondaryButton>
      </Group>
      {error && <ErrorText>{error}</ErrorText>}
    </Stack>
  );
}
