import { COMPANY_ROLES, type CompanyRole, companyRoleHas } from '@bidwell/contract/accounts/permission';
import type { Invitation, Person } from '@bidwell/contract/accounts/people';
import type { User } from '@bidwell/contract/accounts/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Group, Paper, Select, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  changeRole,
  leaveCompany,
  peopleQuery,
  removePerson,
  revokeInvitation,
} from '../../entities/accounts/people-queries.ts';
import { roleNames, roleOptions } from '../../entities/accounts/role-text.ts';
import { formatDay } from '../../lib/format/format.ts';
import { confirmDestroy } from '../../ui/form/confirm.tsx';
import { ErrorText } from '../../ui/form/error-text.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { SecretDialog } from '../../ui/secrets/secret-dialog.tsx';
import { ScrollFrame } from '../../ui/table/scroll-frame.tsx';
import { InviteForm } from './invite-form.tsx';

/** The people of the company and its open invitations; owners invite, change roles and remove people. */
export function People({ user }: { user: User }) {
  const { data, error } = useQuery(peopleQuery);
  const [opened, { open, close }] = useDisclosure(false);
  const isOwner = companyRoleHas(user.role, 'people.write');
  return (
    <Paper withBorder p="md" maw={800} component="section" aria-label="People">
      <Group justify="space-between" align="start" wrap="nowrap">
        <div>
          <Title order={2} size="h5">
            People
          </Title>
          <Text size="sm" c="dimmed">
            Who belongs to {user.company.name}. You are {roleNames[user.role].toLowerCase()}.
          </Text>
        </div>
        {isOwner && (
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={open} flex="none">
            Invite
          </Button>
        )}
      </Group>
      {error && !data && (
        <ErrorText size="sm" mt="sm">
          {error.message}
        </ErrorText>
      )}
      {data && (
        <ScrollFrame minWidth={480} mt="sm">
          <Table fz="sm" aria-label="People">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Role</Table.Th>
                <Table.Th>Since</Table.Th>
                <Table.Th aria-label="Actions" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.people.map((person) => (
                <PersonRow
                  key={person.uuid}
                  person={person}
                  isOwner={isOwner}
                  isSelf={person.uuid === user.uuid}
                />
              ))}
              {data.invitations.map((invitation) => (
                <InvitationRow key={invitation.uuid} invitation={invitation} isOwner={isOwner} />
              ))}
            </Table.Tbody>
          </Table>
        </ScrollFrame>
      )}
      <SecretDialog opened={opened} onClose={close} title="Invite somebody">
        {opened && <InviteForm onDone={close} />}
      </SecretDialog>
    </Paper>
  );
}

function PersonRow({ person, isOwner, isSelf }: { person: Person; isOwner: boolean; isSelf: boolean }) {
  const { uuid, login, email, first_name, last_name, role, since } = person;
  const name = [first_name, last_name].filter(Boolean).join(' ');
  const { save: setRole, busy } = useSave({
    send: (given: CompanyRole) => changeRole(uuid, given),
    done: (_saved, given) => screenMessages.roleChanged(name, roleNames[given]),
  });
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">
          {name} {isSelf && '(you)'}
        </Text>
        <Text size="xs" c="dimmed">
          {login}, {email}
        </Text>
      </Table.Td>
      <Table.Td>
        {isOwner ? (
          <Select
            aria-label={`Role of ${name}`}
            size="xs"
            w={120}
            comboboxProps={{ width: 320, position: 'bottom-start' }}
            data={COMPANY_ROLES.map((value) => ({ value, label: roleNames[value] }))}
            renderOption={({ option: { value } }) =>
              roleOptions.find((option) => option.value === value)?.label
            }
            value={role}
            allowDeselect={false}
            disabled={busy}
            onChange={(given) => given !== null && given !== role && setRole(given)}
          />
        ) : (
          roleNames[role]
        )}
      </Table.Td>
      <Table.Td>{formatDay(since)}</Table.Td>
      <Table.Td ta="right">
        {(isOwner || isSelf) && <EndButton name={name} uuid={uuid} isSelf={isSelf} />}
      </Table.Td>
    </Table.Tr>
  );
}

/** Removes a person, or leaves the company oneself. */
function EndButton({ name, uuid, isSelf }: { name: string; uuid: string; isSelf: boolean }) {
  const { save: end } = useSave({
    send: () => (isSelf ? leaveCompany() : removePerson(uuid)),
    done: isSelf ? screenMessages.companyLeft : screenMessages.personRemoved(name),
  });
  const confirm = () =>
    confirmDestroy({
      title: isSelf ? 'Leave the company?' : `Remove ${name}?`,
      text: 'Sessions of this company end at once, and API keys made by this person stop working.',
      action: isSelf ? 'Leave' : 'Remove',
      onConfirm: () => end(),
    });
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      onClick={confirm}
      aria-label={isSelf ? 'Leave the company' : `Remove ${name}`}
    >
      {isSelf ? 'Leave' : 'Remove'}
    </Button>
  );
}

function InvitationRow({ invitation, isOwner }: { invitation: Invitation; isOwner: boolean }) {
  const { uuid, email, role, expires_at } = invitation;
  const { save: revoke } = useSave({
    send: () => revokeInvitation(uuid),
    done: screenMessages.invitationRevoked(email),
  });
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{email}</Text>
        <Text size="xs" c="dimmed">
          Invited, until {formatDay(expires_at)}
        </Text>
      </Table.Td>
      <Table.Td>{roleNames[role]}</Table.Td>
      <Table.Td />
      <Table.Td ta="right">
        {isOwner && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => revoke()}
            aria-label={`Revoke the invitation of ${email}`}
          >
            Revoke
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
