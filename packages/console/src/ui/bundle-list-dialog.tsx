import { bundlesFromCsv, parseBundles } from '@bidwell/contract/bundles';
import { Button, FileButton, Group, Modal, Pill, PillGroup, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';

interface BundleListProps {
  label: string;
  description: string;
  value: readonly string[];
  onChange: (bundles: string[]) => void;
}

/** A list of publisher bundle ids, and the dialog that adds to it by typing or from a CSV file. */
export function BundleList({ label, description, value, onChange }: BundleListProps) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Button variant="default" size="compact-sm" onClick={open} aria-label={`Edit ${label.toLowerCase()}`}>
          Edit
        </Button>
      </Group>
      {value.length === 0 ? (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      ) : (
        <PillGroup>
          {value.slice(0, 30).map((bundle) => (
            <Pill
              key={bundle}
              withRemoveButton
              onRemove={() => onChange(value.filter((other) => other !== bundle))}
              removeButtonProps={{ 'aria-label': `Remove ${bundle}` }}
            >
              {bundle}
            </Pill>
          ))}
          {value.length > 30 && <Pill>and {value.length - 30} more</Pill>}
        </PillGroup>
      )}
      <Modal opened={opened} onClose={close} title="Manual or CSV Rule Template" centered>
        {opened && <BundleForm value={value} onChange={onChange} onDone={close} />}
      </Modal>
    </Stack>
  );
}

/** What a person should know of a file that was read; nothing when all of it was taken. */
function csvNote(bundles: readonly string[], dropped: readonly string[]): string | undefined {
  if (bundles.length === 0) return 'The file holds no bundle ids in lower case.';
  if (dropped.length === 0) return undefined;
  const some = dropped.slice(0, 5).map((cell) => cell.slice(0, 40));
  return `Left out: ${some.join(', ')}${dropped.length > some.length ? ` and ${dropped.length - some.length} more` : ''}`;
}

function BundleForm({
  value,
  onChange,
  onDone,
}: Pick<BundleListProps, 'value' | 'onChange'> & { onDone: () => void }) {
  const [text, setText] = useState(value.join('\n'));
  const [csvError, setCsvError] = useState<string>();
  const [known, setKnown] = useState<readonly string[]>(value);
  const parsed = parseBundles(text, known);
  const read = async (file: File | null) => {
    if (!file) return;
    try {
      const { bundles, dropped } = bundlesFromCsv(await file.text());
      setKnown((before) => [...before, ...bundles]);
      setText((before) => [before.trimEnd(), ...bundles].filter(Boolean).join('\n'));
      setCsvError(csvNote(bundles, dropped));
    } catch (error) {
      setCsvError(error instanceof Error ? error.message : 'The file cannot be read.');
    }
  };
  return (
    <Stack>
      <Textarea
        label="Bundle ids"
        description="Separated by commas, spaces, semicolons, colons, ampersands or lines"
        autosize
        minRows={5}
        maxRows={14}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={parsed.error}
        data-autofocus
      />
      <Group justify="space-between">
        <FileButton onChange={(file) => void read(file)} accept=".csv,text/csv">
          {(props) => (
            <Button {...props} variant="default">
              Add from CSV
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          {parsed.bundles.length} bundles
        </Text>
      </Group>
      {csvError && (
        <Text size="xs" c="red.8" role="alert">
          {csvError}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button
          disabled={parsed.error !== null}
          onClick={() => {
            onChange(parsed.bundles);
            onDone();
          }}
        >
          Apply
        </Button>
      </Group>
    </Stack>
  );
}
