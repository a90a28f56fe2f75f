import type { SignInSession } from '@bidwell/contract/accounts/sign-in';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Badge, Button, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatMoment } from '../../../lib/format/format.ts';
import { confirmed } from '../../../ui/form/confirm.tsx';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { useSave } from '../../../ui/form/use-save.ts';
import { ScrollFrame } from '../../../ui/table/scroll-frame.tsx';
import { proved } from './prove.tsx';
import type { SessionCalls } from './sign-in-calls.ts';
import { refetchSignIn, sessionsQuery } from './sign-in-queries.ts';

/** The sessions of an account, each with a button that ends it. */
export function SessionList({ calls }: { calls: SessionCalls }) {
  const { data, error } = useQuery(sessionsQuery(calls));
  const { save: endOthers, busy } = useSave({
    confirm: async () =>
      (await confirmed({
        title: 'End all other sessions?',
        text: 'Every other browser and device in this list has to log in again. This one stays logged in.',
        action: 'End them',
      })) && proved(calls),
    send: async () => {
      const ended = await calls.endOtherSessions();
      await refetchSignIn(calls);
      return ended;
    },
    done: ({ ended }) => screenMessages.sessionsEnded(ended),
  });
  if (!data)
    return error ? (
      <ErrorText size="sm" mt="sm">
        {error.message}
      </ErrorText>
    ) : null;
  return (
    <>
      <ScrollFrame minWidth={440} mt="sm">
        <Table fz="sm" aria-label="Where you are logged in">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Device</Table.Th>
              <Table.Th>Address</Table.Th>
              <Table.Th>Last use</Table.Th>
              <Table.Th aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.sessions.map((session) => (
              <SessionRow key={session.uuid} session={session} calls={calls} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollFrame>
      {data.sessions.length > 1 && (
        <Group justify="flex-end" mt="sm">
          <Button variant="default" size="xs" loading={busy} onClick={() => endOthers()}>
            End all others
          </Button>
        </Group>
      )}
    </>
  );
}

function SessionRow({ session, calls }: { session: SignInSession; calls: SessionCalls }) {
  const { uuid, address, company_name, started_at, last_used_at, is_current } = session;
  const name = deviceName(session);
  const { save: end, busy } = useSave({
    confirm: () => proved(calls),
    send: async () => {
      await calls.endSession(uuid);
      await refetchSignIn(calls);
    },
    done: screenMessages.sessionsEnded(1),
  });
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{name}</Text>
        <Text size="xs" c="dimmed">
          {company_name !== null && `${company_name}, `}since {formatMoment(started_at)}
        </Text>
      </Table.Td>
      <Table.Td>{address ?? 'Not known'}</Table.Td>
      <Table.Td>{formatMoment(last_used_at)}</Table.Td>
      <Table.Td ta="right">
        {is_current ? (
          <Badge variant="light" color="gray" tt="none">
            This session
          </Badge>
        ) : (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            loading={busy}
            onClick={() => end()}
            aria-label={`End the session of ${name}`}
          >
            End
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function deviceName({ browser, system }: SignInSession): string {
  return [browser, system].filter((part) => part !== null).join(' on ') || 'Unknown device';
}
