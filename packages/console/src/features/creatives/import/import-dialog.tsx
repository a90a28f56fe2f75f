import type { Creative } from '@bidwell/contract/creatives/schema';
import {
  Button,
  Checkbox,
  Group,
  Modal,
  Progress,
  ScrollArea,
  Select,
  SimpleGrid,
  Stack,
  Text,
} from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { CreativeThumbnail } from '../../../entities/creatives/creative-thumbnail.tsx';
import { creativeTypeLabels } from '../../../entities/creatives/creative-type-switch.tsx';
import { combined, mapped, useLoadable } from '../../../lib/loadable.ts';
import { appsQuery } from '../../../entities/apps/queries.ts';
import { useReviewSentences } from '../../../entities/moderation/review-text.ts';
import { pickerProps } from '../../../ui/form/picker/picker-options.tsx';
import { useDialogBeneathDrawer } from '../../../ui/form/drawer-requests.ts';
import { AppSelect } from '../../../entities/apps/app-select.tsx';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { focusFirstError } from '../../../ui/form/form-fields.tsx';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { Caption, Muted } from '../../../ui/layout/text.tsx';
import { useFocusReturn } from '../../../ui/layout/use-focus-return.ts';
import { UrlFields } from '../url-fields.tsx';
import type { ImportState } from './import-creatives.ts';
import { type ImportSelection, useImport } from './use-import.ts';

/** Copies creatives from one app to another. */
export function ImportDialog({ appUuid, onClose }: { appUuid: string; onClose: () => void }) {
  useFocusReturn();
  const beneathDrawer = useDialogBeneathDrawer();
  const review = useReviewSentences();
  const selection = useImport(appUuid, onClose);
  const { form, busy, selected, limitMessage } = selection;
  return (
    <Modal
      opened
      onClose={onClose}
      title="Import creatives"
      size="lg"
      closeOnClickOutside={!busy}
      {...beneathDrawer}
      closeOnEscape={!busy && beneathDrawer.closeOnEscape}
      withCloseButton={!busy}
    >
      <form
        onSubmit={form.onSubmit((values) => void selection.run(values), focusFirstError(form))}
        noValidate
      >
        <Stack>
          <Muted>Copies creatives of one app to another. {review.copies}</Muted>
          <ImportApps selection={selection} />
          <UrlFields
            appUuid={form.values.app_id}
            clickProps={form.getInputProps('click_url')}
            viewProps={form.getInputProps('view_url')}
            onFill={(urls) => {
              form.setValues(urls);
              form.clearErrors();
            }}
          />
          <ImportList selection={selection} />
          {busy && <ImportProgress selection={selection} />}
          {limitMessage && <ErrorText>{limitMessage}</ErrorText>}
          <Group justify="flex-end">
            <SecondaryButton onClick={onClose} disabled={busy}>
              Cancel
            </SecondaryButton>
            <Button type="submit" loading={busy} disabled={selected.length === 0 || limitMessage !== null}>
              {selected.length > 0 ? `Import ${selected.length}` : 'Import'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Selects the app to copy from, and the one to copy to. */
function ImportApps({ selection }: { selection: ImportSelection }) {
  const apps = useLoadable(appsQuery);
  const { form, busy, source } = selection;
  const sources = mapped(combined(apps, selection.creatives), ([known]) =>
    known
      .filter(({ uuid }) => selection.isSource(uuid))
      .map(({ uuid, name }) => ({ value: uuid, label: name })),
  );
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Select
        label="From app"
        searchable
        {...pickerProps(sources, {
          placeholder: 'The app that has the creatives',
          emptyText: 'No app with creatives',
        })}
        value={source}
        disabled={busy}
        onChange={selection.setSource}
      />
      <AppSelect
        label="To app"
        placeholder="The app they advertise"
        apps={apps}
        disabledUuid={source}
        disabled={busy}
        {...form.getInputProps('app_id')}
        value={form.values.app_id}
      />
    </SimpleGrid>
  );
}

function ImportProgress({ selection: { offered, open, selected } }: { selection: ImportSelection }) {
  const done = offered.length - open.length;
  const percent = (done / Math.max(1, done + selected.length)) * 100;
  return <Progress value={percent} aria-label="Creatives imported" />;
}

/** The creatives of the source app, with checkboxes and the progress of each. */
function ImportList({ selection }: { selection: ImportSelection }) {
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
        <Caption>
          {creativeTypeLabels[type]}
          {width && height ? ` · ${width}×${height}` : ''}
        </Caption>
        {state.progress !== null && (
          <Progress value={state.progress * 100} size="xs" aria-label={`Import of ${name}`} animated />
        )}
        {state.error && <ErrorText>{state.error}</ErrorText>}
      </Stack>
      {state.done && <IconCheck size={18} aria-label="Imported" />}
    </Group>
  );
}
