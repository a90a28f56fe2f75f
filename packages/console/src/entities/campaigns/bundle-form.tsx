import { bundleError, parseBundles } from '@bidwell/contract/adsets/bundles';
import { type CsvBundles, bundlesFromCsv } from '@bidwell/contract/adsets/bundles-csv';
import { limits } from '@bidwell/contract/lib/limits';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { truncate } from '@bidwell/contract/lib/truncate';
import { Alert, Button, FileButton, Group, Paper, ScrollArea, Stack, Text, Textarea } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { formatNumber } from '../../lib/format/format.ts';
import { QuietButton, SecondaryButton, SmallButton } from '../../ui/layout/buttons.tsx';
import { Muted } from '../../ui/layout/text.tsx';

interface BundleFormProps {
  value: readonly string[];
  onApply: (bundles: string[]) => void;
  onCancel: () => void;
}

/** Larger files are rejected unread; a file of 500 rows is far smaller. */
const FILE_BYTES_MAX = 1024 * 1024;
const TEMPLATE = 'com.example.publisher\ncom.example.another.publisher\n1234567890\n';

interface FileNote {
  text: string;
  skipped?: CsvBundles['skipped'];
  failed: boolean;
}

/** Edits bundle ids by typing or from a CSV file. Changes apply only on Apply. */
export function BundleForm({ value, onApply, onCancel }: BundleFormProps) {
  const [text, setText] = useState(value.join('\n'));
  // Bundle ids from the list or from a file may contain characters that cannot be typed.
  const [known, setKnown] = useState<readonly string[]>(value);
  const [note, setNote] = useState<FileNote>();
  const parsed = parseBundles(text, known);
  const error = parsed.error ?? listError(parsed.bundles);
  const duplicates =
    text.split(/[,\s&;:]+/).filter((entry) => !/^\.?$/.test(entry)).length - parsed.bundles.length;
  const importFile = async (file: File) => {
    const { added, ...result } = await readBundleFile(file, parsed.bundles);
    setKnown([...known, ...added]);
    if (added.length > 0) setText([text.trimEnd(), ...added].filter(Boolean).join('\n'));
    setNote(result);
  };
  return (
    <Stack>
      <Textarea
        label="Bundle IDs"
        description="One per line, or separated by commas, spaces, semicolons, colons or ampersands"
        autosize
        minRows={6}
        maxRows={14}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={error}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        data-autofocus
      />
      <FileDrop onFile={(file) => void importFile(file)} />
      {note && (
        <Alert
          color={note.failed ? 'red' : 'gray'}
          variant="light"
          p="xs"
          role={note.failed ? 'alert' : 'status'}
          styles={{ message: { overflowWrap: 'anywhere' } }}
        >
          {note.text}
          {note.skipped && note.skipped.length > 0 && <SkippedCells cells={note.skipped} />}
        </Alert>
      )}
      <Group justify="space-between">
        <Muted aria-live="polite">
          {error === null && counted(parsed.bundles.length, 'bundle')}
          {error === null && duplicates > 0 && `, ${counted(duplicates, 'duplicate')} removed`}
        </Muted>
        <Group gap="xs">
          <SecondaryButton onClick={onCancel}>Cancel</SecondaryButton>
          <Button disabled={error !== null} onClick={() => onApply(parsed.bundles)}>
            Apply
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

const SKIPPED_SHOWN_MAX = 100;

/** The skipped entries of a file, by line. */
function SkippedCells({ cells }: { cells: CsvBundles['skipped'] }) {
  return (
    <>
      <Text inherit mt={4}>
        Skipped because they are not lowercase bundle or store IDs:
      </Text>
      <ScrollArea.Autosize mah={120} type="auto">
        {cells.slice(0, SKIPPED_SHOWN_MAX).map(({ line, text }, index) => (
          <div key={index}>
            Line {line}: “{truncate(text, 60)}”
          </div>
        ))}
        {cells.length > SKIPPED_SHOWN_MAX && (
          <div>and {formatNumber(cells.length - SKIPPED_SHOWN_MAX)} more</div>
        )}
      </ScrollArea.Autosize>
    </>
  );
}

/** Where a CSV file is dropped or selected, with a template to download. */
function FileDrop({ onFile }: { onFile: (file: File) => void }) {
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  return (
    <Paper
      withBorder
      p="sm"
      style={{ borderStyle: 'dashed' }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <Group justify="space-between" gap="xs">
        <Muted>Or drop a CSV file of up to {limits.csvRowsMax} rows here</Muted>
        <Group gap="xs">
          <QuietButton
            component="a"
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(TEMPLATE)}`}
            download="bundles-template.csv"
            leftSection={<IconDownload size={14} />}
          >
            Download template
          </QuietButton>
          <FileButton onChange={(file) => file && onFile(file)} accept=".csv,text/csv,text/plain">
            {(props) => (
              <SmallButton {...props} leftSection={<IconUpload size={14} />}>
                Upload CSV
              </SmallButton>
            )}
          </FileButton>
        </Group>
      </Group>
    </Paper>
  );
}

/** Reads the bundle ids of a file that are not in `present`, and describes the result. */
async function readBundleFile(
  file: File,
  present: readonly string[],
): Promise<FileNote & { added: string[] }> {
  try {
    if (file.size > FILE_BYTES_MAX) throw new RangeError(consoleMessages.bundleFileTooLarge);
    const { bundles, column, skipped } = bundlesFromCsv(await file.text());
    const before = new Set(present);
    const added = bundles.filter((bundle) => !before.has(bundle));
    return {
      added,
      text: fileText(file.name, column, added.length, bundles.length),
      skipped,
      failed: bundles.length === 0,
    };
  } catch (failure) {
    return {
      added: [],
      text: failure instanceof Error ? failure.message : consoleMessages.fileUnreadable,
      failed: true,
    };
  }
}

/** The message with which the API would reject the list; null when it is valid. */
function listError(bundles: readonly string[]): string | null {
  if (bundles.length > limits.bundleListMax)
    return `A list can have at most ${formatNumber(limits.bundleListMax)} bundles`;
  const bad = bundles.find((bundle) => bundleError(bundle) !== null);
  return bad === undefined ? null : `${bad.slice(0, 40)}: ${bundleError(bad)}`;
}

function fileText(name: string, column: string | null, added: number, found: number): string {
  const source = column === null ? name : `the column “${truncate(column, 40)}” of ${name}`;
  if (found === 0) return `There are no bundle IDs in ${source}.`;
  const present = found > added ? `, ${found - added} already in the list` : '';
  return `${counted(added, 'bundle')} added from ${source}${present}.`;
}

const counted = (count: number, word: string) => `${formatNumber(count)} ${word}${count === 1 ? '' : 's'}`;
