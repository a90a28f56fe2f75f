import type { Creative } from '@bidwell/contract/creative';
import { HttpUrlOrEmpty, Uuid } from '@bidwell/contract/wire';
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
import { schemaResolver, useForm } from '@mantine/form';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { currentOnly } from '../../lib/current-only.ts';
import { appsQuery } from '../../lib/queries/apps.ts';
import { creativesQuery } from '../../lib/queries/creatives.ts';
import { useReviewSentences } from '../../lib/review-sentences.ts';
import { toastSuccess } from '../../lib/toast.ts';
import { CreativeThumbnail } from '../../ui/creative-thumbnail.tsx';
import { focusFirstError } from '../../ui/form-fields.tsx';
import { useFocusReturn } from '../../ui/use-focus-return.ts';
import { UrlFields } from './url-fields.tsx';
import { countError } from './file-rules.ts';
import type { ImportState, ImportTarget } from './import-creatives.ts';
import { importCreative, notStarted } from './import-creatives.ts';
import { creativeTypeOf } from './panels.ts';
import { forEachConcurrent } from './upload-list.ts';

const target = z.object({ app_id: Uuid, click_url: HttpUrlOrEmpty, view_url: HttpUrlOrEmpty });
const CONCURRENCY = 2;

/** Copies creatives from one app to another. */
export function ImportDialog({ appUuid, onClose }: { appUuid: string; onClose: () => void }) {
  useFocusReturn();
  const review = useReviewSentences();
  const { data: apps = [] } = useQuery(appsQuery);
  const { data: creatives = [] } = useQuery(creativesQuery);
  const [source, setSource] = useState<string | null>(null);
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [states, setStates] = useState<Record<string, ImportState>>({});
  const [busy, setBusy] = useState(false);
  const form = useForm<ImportTarget>({
    initialValues: { app_id: appUuid, click_url: '', view_url: '' },
    validate: schemaResolver(target, { sync: true }),
  });
  const to = form.values.app_id;
  const sources = apps.filter(({ uuid }) => uuid !== to && creatives.some(({ app }) => app.uuid === uuid));
  const offered = creatives.filter(({ app }) => app.uuid === source && source !== to);
  const waiting = offered.filter(({ uuid }) => picked.includes(uuid) && !states[uuid]?.done);
  const openOnes = offered.filter(({ uuid }) => !states[uuid]?.done).map(({ uuid }) => uuid);
  const limitMessage = limitError(waiting, creatives, to);
  const doneCount = offered.filter(({ uuid }) => states[uuid]?.done).length;

  const change = (uuid: string, changes: Partial<ImportState>) =>
    setStates((before) => ({ ...before, [uuid]: { ...(before[uuid] ?? notStarted), ...changes } }));
  const run = async (values: ImportTarget) => {
    setBusy(true);
    let failed = 0;
    await forEachConcurrent(waiting, CONCURRENCY, async (creative) => {
      const { uuid } = creative;
      const state = states[uuid] ?? notStarted;
      const done = await importCreative(creative, state, target.parse(values), (now) => change(uuid, now));
      if (!done) failed += 1;
    });
    setBusy(false);
    if (failed > 0) return;
    toastSuccess(waiting.length === 1 ? 'Creative imported' : `${waiting.length} creatives imported`);
    onClose();
  };

  return (
    <Modal
      opened
      onClose={onClose}
      title="Import creatives"
      size="lg"
      centered
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      withCloseButton={!busy}
    >
      <form onSubmit={form.onSubmit((values) => void run(values), focusFirstError(form))} noValidate>
        <Stack>
          <Text size="sm" c="dimmed">
            Copies creatives of one app to another. {review.copies}
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Select
              label="From app"
              placeholder="Whose creatives"
              searchable
              data={sources.map(({ uuid, name }) => ({ value: uuid, label: name }))}
              nothingFoundMessage="No app with creatives"
              value={source}
              disabled={busy}
              onChange={(uuid) => {
                setSource(uuid);
                setPicked([]);
              }}
            />
            <Select
              label="To app"
              withAsterisk
              placeholder="Which they shall advertise"
              searchable
              nothingFoundMessage="No app of that name"
              data={currentOnly(apps, to).map(({ uuid, name }) => ({
                value: uuid,
                label: name,
                disabled: uuid === source,
              }))}
              disabled={busy}
              {...form.getInputProps('app_id')}
              onChange={(uuid) => form.setFieldValue('app_id', uuid ?? '')}
            />
          </SimpleGrid>
          <UrlFields
            appUuid={to}
            clickProps={form.getInputProps('click_url')}
            viewProps={form.getInputProps('view_url')}
            onFill={(addresses) => {
              form.setValues(addresses);
              form.clearErrors();
            }}
          />
          {offered.length > 0 && (
            <>
              <Checkbox
                label={`All ${openOnes.length} creatives`}
                disabled={busy || openOnes.length === 0}
                checked={openOnes.length > 0 && waiting.length === openOnes.length}
                indeterminate={waiting.length > 0 && waiting.length < openOnes.length}
                onChange={() => setPicked(waiting.length === openOnes.length ? [] : openOnes)}
              />
              <ScrollArea.Autosize mah={280} type="auto" offsetScrollbars>
                <Stack gap={6}>
                  {offered.map((creative) => (
                    <ImportRow
                      key={creative.uuid}
                      creative={creative}
                      state={states[creative.uuid] ?? notStarted}
                      picked={picked.includes(creative.uuid)}
                      disabled={busy}
                      onToggle={() =>
                        setPicked((before) =>
                          before.includes(creative.uuid)
                            ? before.filter((uuid) => uuid !== creative.uuid)
                            : [...before, creative.uuid],
                        )
                      }
                    />
                  ))}
                </Stack>
              </ScrollArea.Autosize>
            </>
          )}
          {busy && (
            <Progress
              value={(doneCount / Math.max(1, doneCount + waiting.length)) * 100}
              aria-label="Creatives imported"
            />
          )}
          {limitMessage && (
            <Text size="xs" c="var(--mantine-color-error)" role="alert">
              {limitMessage}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={busy}>
              Cancel
            </Button>
            <Button type="submit" loading={busy} disabled={waiting.length === 0 || limitMessage !== null}>
              {waiting.length > 0 ? `Import ${waiting.length}` : 'Import'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** The message when the target app cannot take all selected creatives; null when it can. */
function limitError(chosen: readonly Creative[], all: readonly Creative[], to: string): string | null {
  const there = all.filter(({ app }) => app.uuid === to);
  for (const type of new Set(chosen.map(({ internal_creative: asset }) => asset.type))) {
    const of = (list: readonly Creative[]) =>
      list.filter(({ internal_creative: asset }) => asset.type === type).length;
    const limitMessage = countError(type, of(there) + of(chosen) - 1);
    if (limitMessage) {
      const { length } = there.filter(({ internal_creative: asset }) => asset.type === type);
      return length >= 20
        ? limitMessage
        : `${limitMessage.split(' Current')[0]} There are ${length} in this app now.`;
    }
  }
  return null;
}

interface ImportRowProps {
  creative: Creative;
  state: ImportState;
  picked: boolean;
  disabled: boolean;
  onToggle: () => void;
}

function ImportRow({
  creative: { internal_creative: asset },
  state,
  picked,
  disabled,
  onToggle,
}: ImportRowProps) {
  const { name, type, width, height } = asset;
  return (
    <Group wrap="nowrap" gap="sm">
      <Checkbox
        aria-label={`Import ${name}`}
        checked={picked && !state.done}
        disabled={disabled || state.done}
        onChange={onToggle}
      />
      <CreativeThumbnail asset={asset} width={64} height={36} />
      <Stack gap={2} style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {creativeTypeOf(type).label}
          {width && height ? ` · ${width}×${height}` : ''}
        </Text>
        {state.progress !== null && (
          <Progress value={state.progress * 100} size="xs" aria-label={`Import of ${name}`} animated />
        )}
        {state.error && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {state.error}
          </Text>
        )}
      </Stack>
      {state.done && <IconCheck size={18} aria-label="Imported" />}
    </Group>
  );
}
