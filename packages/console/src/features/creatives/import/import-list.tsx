import type { Creative } from '@bidwell/contract/creatives/schema';
import { Checkbox, Group, Progress, ScrollArea, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { CreativeThumbnail } from '../../../entities/creatives/creative-thumbnail.tsx';
import { creativeTypeLabels } from '../../../entities/creatives/creative-type-switch.tsx';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { Muted } from '../../../ui/layout/muted.tsx';
import type { ImportState } from './import-creatives.ts';
import type { ImportSelection } from './use-import.ts';

/** The creatives of the source app, with checkboxes and the progress of each. */
export function ImportList({ selection }: { selection: ImportSelection }) {
  const { offered, open, selected, busy } = selection;
  if (offered.length === 0) return null;
  return (
    <>
      <Checkbox
        label={`All ${open.length} creatives`}
        disabled={busy || open.length === 0}
        checked={open.length > 0 && selected.length === open.length}
        indeterminate={selected.length > 0 && selected.length < open.length}
        onChange={selection.toggleAll}
      />
      <ScrollArea.Autosize mah={280} type="auto" offsetScrollbars>
        <Stack gap={6}>
          {offered.map((creative) => (
            <ImportRow
              key={creative.uuid}
              creative={creative}
              state={selection.stateOf(creative)}
              checked={selected.includes(creative)}
              disabled={busy}
              onToggle={() => selection.toggle(creative)}
            />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </>
  );
}

interface ImportRowProps {
  creative: Creative;
  state: ImportState;
  checked: boolean;
  disabled: boolean;
  onToggle: () => void;
}

function ImportRow({ creative, state, checked, disabled, onToggle }: ImportRowProps) {
  const { internal_creative: asset } = creative;
  const { name, type, width, height } = asset;
  return (
    <Group wrap="nowrap" gap="sm">
      <Checkbox
        aria-label={`Import ${name}`}
        checked={checked}
        disabled={disabled || state.done}
        onChange={onToggle}
      />
      <CreativeThumbnail asset={asset} width={64} height={36} />
      <Stack gap={2} style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" truncate>
          {name}
        </Text>
        <Muted size="xs">
          {creativeTypeLabels[type]}
          {width && height ? ` · ${width}×${height}` : ''}
        </Muted>
        {state.progress !== null && (
          <Progress value={state.progress * 100} size="xs" aria-label={`Import of ${name}`} animated />
        )}
        {state.error && <ErrorText>{state.error}</ErrorText>}
      </Stack>
      {state.done && <IconCheck size={18} aria-label="Imported" />}
    </Group>
  );
}
