import type { ReportDestination } from '@bidwell/contract/report-schedules/destination-schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useLoadable } from '../../../../lib/loadable.ts';
import {
  deleteReportDestination,
  reportDestinationsQuery,
  testReportDestination,
} from '../../../../entities/report-schedules/destination-queries.ts';
import { useDestroy } from '../../../../ui/form/confirm.tsx';
import { useSave } from '../../../../ui/form/use-save.ts';
import { SecondaryButton } from '../../../../ui/layout/buttons.tsx';
import { Caption, Muted } from '../../../../ui/layout/text.tsx';
import { Section } from '../../../../ui/layout/section.tsx';
import { SecretDialog } from '../../../../ui/secrets/secret-dialog.tsx';
import { type RecordColumn, RecordTable } from '../../../../ui/table/record-table.tsx';
import { RowMenu } from '../../../../ui/table/row-menu.tsx';
import { DestinationForm } from './destination-form.tsx';
import { destinationText } from './destination-text.ts';

/** The webhooks and buckets of the company: adds, tests and removes them. */
export function Destinations({ mayWrite }: { mayWrite: boolean }) {
  const destinations = useLoadable(reportDestinationsQuery);
  const [opened, { open, close }] = useDisclosure(false);
  /** Outcomes of tests, by destination. */
  const [tested, setTested] = useState<Readonly<Record<string, string>>>({});
  const actions: RecordColumn<ReportDestination> = {
    header: 'Actions',
    actions: true,
    cell: (destination) => (
      <DestinationActions
        destination={destination}
        onTested={(text) => setTested((before) => ({ ...before, [destination.uuid]: text }))}
      />
    ),
  };
  return (
    <Section
      title="Destinations"
      description="Where report files are sent in addition to mails: one of your servers or an S3 bucket."
      actions={
        mayWrite && (
          <SecondaryButton leftSection={<IconPlus size={16} />} onClick={open}>
            Add destination
          </SecondaryButton>
        )
      }
    >
      <RecordTable
        label="Destinations"
        what="The destinations"
        empty={<Muted>There are no destinations yet.</Muted>}
        columns={[
          { header: 'Destination', wrap: 'anywhere', cell: (row) => nameCell(row, tested[row.uuid]) },
          ...(mayWrite ? [actions] : []),
        ]}
        rows={destinations}
        rowId={({ uuid }) => uuid}
        minWidth={320}
        cards
      />
      <SecretDialog opened={opened} onClose={close} title="Add a destination">
        {opened && <DestinationForm onDone={close} />}
      </SecretDialog>
    </Section>
  );
}

/** The name and place of a destination, and the outcome of its test. */
function nameCell(destination: ReportDestination, tested: string | undefined) {
  return (
    <>
      <Text size="sm">{destination.name}</Text>
      <Caption>{destinationText(destination)}</Caption>
      {tested !== undefined && (
        <Text size="xs" role="status">
          {tested}
        </Text>
      )}
    </>
  );
}

interface DestinationActionsProps {
  destination: ReportDestination;
  /** Called with the outcome of a test, as a sentence. */
  onTested: (text: string) => void;
}

function DestinationActions({ destination: { uuid, name }, onTested }: DestinationActionsProps) {
  const { save: test, busy } = useSave({
    send: () => testReportDestination(uuid),
    onSaved: ({ is_delivered: isDelivered, error }) =>
      onTested(isDelivered ? screenMessages.reportTestDelivered : (error ?? '')),
  });
  const { confirm: confirmRemove } = useDestroy({
    title: `Remove “${name}”?`,
    text: 'Its keys and what the logs say of it are deleted. This cannot be undone.',
    action: 'Remove',
    send: () => deleteReportDestination(uuid),
    done: screenMessages.removed(name),
  });
  return (
    <RowMenu name={name} busy={busy}>
      <Menu.Item onClick={() => test()}>Send a test</Menu.Item>
      <Menu.Item onClick={confirmRemove}>Remove</Menu.Item>
    </RowMenu>
  );
}
