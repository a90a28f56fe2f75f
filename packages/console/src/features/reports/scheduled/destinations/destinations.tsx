import type { ReportDestination } from '@bidwell/contract/report-schedules/destination-schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Group, Menu, Paper, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteReportDestination,
  reportDestinationsQuery,
  testReportDestination,
} from '../../../../entities/report-schedules/destination-queries.ts';
import { confirmDestroy } from '../../../../ui/form/confirm.tsx';
import { ErrorText } from '../../../../ui/form/error-text.tsx';
import { useSave } from '../../../../ui/form/use-save.ts';
import { SecretDialog } from '../../../../ui/secrets/secret-dialog.tsx';
import { RowMenu } from '../../../../ui/table/row-menu.tsx';
import { ScrollFrame } from '../../../../ui/table/scroll-frame.tsx';
import { DestinationForm } from './destination-form.tsx';
import { destinationText } from './destination-text.ts';

/** The webhooks and buckets of the company: adds, tests and removes them. */
export function Destinations({ mayWrite }: { mayWrite: boolean }) {
  const { data: destinations, error } = useQuery(reportDestinationsQuery);
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <Paper withBorder p="md" mt="lg" component="section" aria-label="Destinations">
      <Group justify="space-between" align="start" wrap="nowrap">
        <div>
          <Title order={2} size="h5">
            Destinations
          </Title>
          <Text size="sm" c="dimmed">
            Where files of reports go beside mails: a server of yours, or an S3 bucket.
          </Text>
        </div>
        {mayWrite && (
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={open} flex="none">
            Add destination
          </Button>
        )}
      </Group>
      {error && !destinations && (
        <ErrorText size="sm" mt="sm">
          {error.message}
        </ErrorText>
      )}
      {destinations?.length === 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          There are no destinations yet.
        </Text>
      )}
      {destinations && destinations.length > 0 && (
        <ScrollFrame minWidth={480} mt="sm">
          <Table fz="sm" aria-label="Destinations">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Destination</Table.Th>
                {mayWrite && <Table.Th aria-label="Actions" />}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {destinations.map((destination) => (
                <DestinationRow key={destination.uuid} destination={destination} mayWrite={mayWrite} />
              ))}
            </Table.Tbody>
          </Table>
        </ScrollFrame>
      )}
      <SecretDialog opened={opened} onClose={close} title="Add a destination">
        {opened && <DestinationForm onDone={close} />}
      </SecretDialog>
    </Paper>
  );
}

interface DestinationRowProps {
  destination: ReportDestination;
  mayWrite: boolean;
}

function DestinationRow({ destination, mayWrite }: DestinationRowProps) {
  const { uuid, name } = destination;
  const [tested, setTested] = useState<string>();
  const { save: test, busy } = useSave({
    send: () => testReportDestination(uuid),
    onSaved: ({ is_delivered: isDelivered, error }) =>
      setTested(isDelivered ? screenMessages.reportTestDelivered : (error ?? '')),
  });
  const { save: remove } = useSave({
    send: () => deleteReportDestination(uuid),
    done: screenMessages.removed(name),
  });
  const confirmRemove = () =>
    confirmDestroy({
      title: `Remove “${name}”?`,
      text: 'Its keys and what the logs say of it are deleted. This cannot be undone.',
      action: 'Remove',
      onConfirm: () => remove(),
    });
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{name}</Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {destinationText(destination)}
        </Text>
        {tested !== undefined && (
          <Text size="xs" role="status">
            {tested}
          </Text>
        )}
      </Table.Td>
      {mayWrite && (
        <Table.Td ta="right">
          <RowMenu name={name} busy={busy}>
            <Menu.Item onClick={() => test()}>Send a test</Menu.Item>
            <Menu.Item onClick={confirmRemove}>Remove</Menu.Item>
          </RowMenu>
        </Table.Td>
      )}
    </Table.Tr>
  );
}
