import { audienceMessages } from '@bidwell/contract/audiences/messages';
import type { Audience, AudienceUse } from '@bidwell/contract/audiences/schema';
import { namedUsersText } from '@bidwell/contract/audiences/users-text';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, Menu, Modal, Progress, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { IconPlus } from '@tabler/icons-react';
import { audiencesQuery, deleteAudience, refreshAudience } from '../../entities/audiences/queries.ts';
import { useEffect, useRef, useState } from 'react';
import { formatNumber } from '../../lib/format/format.ts';
import { toastError } from '../../lib/toast.ts';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { useDestroy } from '../../ui/form/confirm.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { IfMay } from '../../ui/roles/if-may.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { RowMenu } from '../../ui/table/row-menu.tsx';
import { AudienceDetails } from './audience-details.tsx';
import { AudienceForm } from './audience-form.tsx';
import { INSTALLED, KINDS, STATES, matchRateText, refreshedText, usersText } from './audience-text.ts';
import { UploadForm } from './audience-upload.tsx';

/** The audiences of the company: adds, fills, changes and deletes them. */
export function AudiencesTab() {
  const audiences = useLoadable(audiencesQuery);
  const [opened, { open, close }] = useDisclosure(false);
  // A new list has no ids: its file is asked for next.
  const [added, setAdded] = useState<Audience | null>(null);
  useFailedImports(knownData(audiences));
  return (
    <Stack>
      <Group justify="space-between">
        <Muted>
          Lists of people by their advertising ids, which ad sets and targets include or leave out.
        </Muted>
        <IfMay permission="audience.write">
          <SecondaryButton leftSection={<IconPlus size={16} />} onClick={open}>
            Add audience
          </SecondaryButton>
        </IfMay>
      </Group>
      <RecordTable
        label="Audiences"
        what="The audiences"
        empty={<Muted>There are no audiences yet. Add one, and upload a file of ids to it.</Muted>}
        columns={columns}
        rows={audiences}
        rowId={({ uuid }) => uuid}
        minWidth={820}
        cards
      />
      <Modal opened={opened} onClose={close} title="Add an audience">
        {opened && (
          <AudienceForm
            onDone={close}
            onAdded={(audience) => {
              close();
              if (audience.kind === 'list') setAdded(audience);
            }}
          />
        )}
      </Modal>
      <Modal
        opened={added !== null}
        onClose={() => setAdded(null)}
        title={added && `Upload ids to “${added.name}”`}
      >
        {added && <UploadForm audience={added} onDone={() => setAdded(null)} />}
      </Modal>
    </Stack>
  );
}

/** Tells of imports that fail while the audiences are in view. */
function useFailedImports(audiences: readonly Audience[] | undefined): void {
  const seen = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (!audiences) return;
    const failed = audiences.flatMap(({ name, state, last_import: last }) =>
      state === 'failed' && last ? [{ name, id: last.uuid, error: last.error }] : [],
    );
    if (seen.current !== null)
      for (const { name, id, error } of failed)
        if (!seen.current.has(id)) toastError(undefined, audienceMessages.importFailed(name, error ?? ''));
    seen.current = new Set([...(seen.current ?? []), ...failed.map(({ id }) => id)]);
  }, [audiences]);
}

const columns: RecordColumn<Audience>[] = [
  {
    header: 'Audience',
    wrap: 'anywhere',
    cell: ({ name, description, is_installed: isInstalled }) => (
      <>
        <Text size="sm">{name}</Text>
        {description !== '' && <Caption>{description}</Caption>}
        {isInstalled && <Caption>{INSTALLED}</Caption>}
      </>
    ),
  },
  { header: 'Kind', cell: ({ kind, app }) => (app ? `${KINDS[kind]}, ${app.name}` : KINDS[kind]) },
  { header: 'Ids', numeric: true, cell: ({ size }) => formatNumber(size) },
  { header: 'Match rate', numeric: true, cell: matchRateText },
  { header: 'State', cell: (audience) => <State audience={audience} /> },
  { header: 'Refreshed', cell: refreshedText },
  {
    header: 'Used by',
    cell: ({ used_by: users }) => usersText(users),
  },
  { header: 'Actions', actions: true, cell: (audience) => <AudienceActions audience={audience} /> },
];

function State({ audience: { state, last_import: last } }: { audience: Audience }) {
  return (
    <>
      <Text size="sm" {...(state === 'failed' && { c: 'var(--mantine-color-red-text)' })}>
        {STATES[state]}
      </Text>
      {state === 'importing' && last && (
        <Progress value={last.progress} size="sm" aria-label="Progress of the import" />
      )}
      {state === 'failed' && last?.error && <Caption>{last.error}</Caption>}
    </>
  );
}

/** Says why an audience cannot be deleted. */
const explain = (name: string, users: readonly AudienceUse[]) =>
  modals.open({
    title: `“${name}” cannot be deleted`,
    children: <Text size="sm">{audienceMessages.inUse(name, namedUsersText(users))}</Text>,
  });

function AudienceActions({ audience }: { audience: Audience }) {
  const { uuid, name, kind, used_by: users, is_installed: isInstalled } = audience;
  const [isChanging, changing] = useDisclosure(false);
  const [isUploading, uploading] = useDisclosure(false);
  const [isShown, shown] = useDisclosure(false);
  const { save: refresh, busy } = useSave({
    send: () => refreshAudience(uuid),
    done: 'The audience is being refreshed.',
  });
  const { confirm: confirmDelete } = useDestroy({
    title: `Delete “${name}”?`,
    text: 'Its ids are deleted. This cannot be undone.',
    action: 'Delete',
    send: () => deleteAudience(uuid),
    done: screenMessages.removed(name),
  });
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <RowMenu name={name} busy={busy}>
        <Menu.Item onClick={shown.open}>Details</Menu.Item>
        <IfMay permission="audience.write">
          {kind === 'list' && <Menu.Item onClick={uploading.open}>Upload a file</Menu.Item>}
          {(kind === 'url' || kind === 'live') && (
            <Menu.Item onClick={() => refresh()}>Refresh now</Menu.Item>
          )}
          {!isInstalled && (
            <>
              <Menu.Item onClick={changing.open}>Change</Menu.Item>
              <Menu.Item onClick={users.length === 0 ? confirmDelete : () => explain(name, users)}>
                Delete
              </Menu.Item>
            </>
          )}
        </IfMay>
      </RowMenu>
      <Modal opened={isShown} onClose={shown.close} title={name} size="lg">
        {isShown && <AudienceDetails audience={audience} />}
      </Modal>
      <Modal opened={isUploading} onClose={uploading.close} title={`Upload ids to “${name}”`}>
        {isUploading && <UploadForm audience={audience} onDone={uploading.close} />}
      </Modal>
      <Modal opened={isChanging} onClose={changing.close} title={`Change “${name}”`}>
        {isChanging && <AudienceForm audience={audience} onDone={changing.close} />}
      </Modal>
    </Group>
  );
}
