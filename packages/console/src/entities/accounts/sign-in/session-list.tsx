import type { SignInSession } from '@bidwell/contract/accounts/sign-in';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Badge, Group, Text } from '@mantine/core';
import { isKnown, mapped, useLoadable } from '../../../lib/loadable.ts';
import { formatMoment } from '../../../lib/format/format.ts';
import { confirmed } from '../../../ui/form/confirm.tsx';
import { useSave } from '../../../ui/form/use-save.ts';
import { QuietButton, SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import { type RecordColumn, RecordTable } from '../../../ui/table/record-table.tsx';
import { proved } from './prove.tsx';
import type { SessionCalls } from './sign-in-calls.ts';
import { refetchSignIn, sessionsQuery } from './sign-in-queries.ts';

/** The sessions of an account, each with a button that ends it. */
export function SessionList({ calls }: { calls: SessionCalls }) {
  const sessions = mapped(useLoadable(sessionsQuery(calls)), (known) => known.sessions);
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
  return (
    <>
      <RecordTable
        label="Where you are logged in"
        what="The sessions"
        columns={[
          ...columns,
          {
            header: 'Actions',
            actions: true,
            cell: (session) =>
              session.is_current ? (
                <Badge variant="light" color="gray">
                  This session
                </Badge>
              ) : (
                <EndButton session={session} calls={calls} />
              ),
          },
        ]}
        rows={sessions}
        rowId={({ uuid }) => uuid}
        minWidth={440}
        cards
      />
      {isKnown(sessions) && sessions.data.length > 1 && (
        <Group justify="flex-end" mt="sm">
          <SecondaryButton size="xs" loading={busy} onClick={() => endOthers()}>
            End all others
          </SecondaryButton>
        </Group>
      )}
    </>
  );
}

const columns: readonly RecordColumn<SignInSession>[] = [
  {
    header: 'Device',
    cell: (session) => (
      <>
        <Text size="sm">{deviceName(session)}</Text>
        <Caption>
          {session.company_name !== null && `${session.company_name}, `}since{' '}
          {formatMoment(session.started_at)}
        </Caption>
      </>
    ),
  },
  { header: 'Address', cell: ({ address }) => address ?? 'Not known' },
  { header: 'Last use', cell: ({ last_used_at: at }) => formatMoment(at) },
];

function EndButton({ session, calls }: { session: SignInSession; calls: SessionCalls }) {
  const { save: end, busy } = useSave({
    confirm: () => proved(calls),
    send: async () => {
      await calls.endSession(session.uuid);
      await refetchSignIn(calls);
    },
    done: screenMessages.sessionsEnded(1),
  });
  return (
    <QuietButton
      loading={busy}
      onClick={() => end()}
      aria-label={`End the session of ${deviceName(session)}`}
    >
      End
    </QuietButton>
  );
}

function deviceName({ browser, system }: SignInSession): string {
  return [browser, system].filter((part) => part !== null).join(' on ') || 'Unknown device';
}
