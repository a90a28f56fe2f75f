import { shownAddress } from '@bidwell/contract/accounts/domain';
import { COMPANY_ROLES, type CompanyRole } from '@bidwell/contract/accounts/permission';
import {
  type Invitation,
  InvitationInput,
  type NewInvitation,
  type Person,
} from '@bidwell/contract/accounts/people';
import type { User } from '@bidwell/contract/accounts/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { mapped, useLoadable } from '../../lib/loadable.ts';
import {
  changeRole,
  invite,
  leaveCompany,
  peopleQuery,
  removePerson,
  revokeInvitation,
} from '../../entities/accounts/people-queries.ts';
import { roleNames, roleOptions } from '../../entities/accounts/role-text.ts';
import { formatDay } from '../../lib/format/format.ts';
import { Choice } from '../../ui/form/choice.tsx';
import { useDestroy } from '../../ui/form/confirm.tsx';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { useSave } from '../../ui/form/use-save.ts';
import { QuietButton, SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { SecretDialog } from '../../ui/secrets/secret-dialog.tsx';
import { ShownOnce } from '../../ui/secrets/shown-once.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { mayAs } from '../../lib/api/use-may.ts';

/** The people of the company and its open invitations; owners invite, change roles and remove people. */
export function People({ user }: { user: User }) {
  const people = useLoadable(peopleQuery);
  const [opened, { open, close }] = useDisclosure(false);
  const isOwner = mayAs(user.role, 'people.write');
  return (
    <Section
      title="People"
      maxWidth={800}
      description={`The people of ${user.company.name}. Your role is ${roleNames[user.role]}.`}
      actions={
        isOwner && (
          <SecondaryButton leftSection={<IconPlus size={16} />} onClick={open}>
            Invite
          </SecondaryButton>
        )
      }
    >
      <RecordTable
        label="People"
        what="The people"
        columns={columnsOf(user)}
        rows={mapped(people, (known): Row[] => [...known.people, ...known.invitations])}
        rowId={({ uuid }) => uuid}
        minWidth={480}
        cards
      />
      <SecretDialog opened={opened} onClose={close} title="Invite someone">
        {opened && <InviteForm onDone={close} />}
      </SecretDialog>
    </Section>
  );
}

type Row = Person | Invitation;
const isPerson = (row: Row): row is Person => 'login' in row;
const nameOf = ({ first_name: first, last_name: last }: Person) => [first, last].filter(Boolean).join(' ');

function columnsOf(user: User): RecordColumn<Row>[] {
  const isOwner = mayAs(user.role, 'people.write');
  const isSelf = (person: Person) => person.uuid === user.uuid;
  return [
    {
      header: 'Name',
      wrap: 'anywhere',
      cell: (row) => (
        <>
          <Text size="sm">
            {isPerson(row) ? `${nameOf(row)}${isSelf(row) ? ' (you)' : ''}` : shownAddress(row.email)}
          </Text>
          <Caption>
            {isPerson(row)
              ? `${row.login}, ${shownAddress(row.email)}`
              : `Invited, until ${formatDay(row.expires_at)}`}
          </Caption>
        </>
      ),
    },
    {
      header: 'Role',
      cell: (row) => (isOwner && isPerson(row) ? <RoleSelect person={row} /> : roleNames[row.role]),
    },
    { header: 'Since', wrap: 'never', cell: (row) => isPerson(row) && formatDay(row.since) },
    {
      header: 'Actions',
      actions: true,
      cell: (row) =>
        isPerson(row)
          ? (isOwner || isSelf(row)) && <EndButton name={nameOf(row)} uuid={row.uuid} isSelf={isSelf(row)} />
          : isOwner && <RevokeButton invitation={row} />,
    },
  ];
}

function RoleSelect({ person }: { person: Person }) {
  const { role } = person;
  const name = nameOf(person);
  const { save: setRole, busy } = useSave({
    send: (given: CompanyRole) => changeRole(person, given),
    done: (_saved, given) => screenMessages.roleChanged(name, roleNames[given]),
  });
  return (
    <Choice
      aria-label={`Role of ${name}`}
      size="xs"
      w={120}
      comboboxProps={{ width: 320, position: 'bottom-start' }}
      data={COMPANY_ROLES.map((value) => ({ value, label: roleNames[value] }))}
      renderOption={({ option: { value } }) => roleOptions.find((option) => option.value === value)?.label}
      value={role}
      disabled={busy}
      onChange={(given) => given !== null && given !== role && setRole(given)}
    />
  );
}

/** Removes a person, or leaves the company oneself. */
function EndButton({ name, uuid, isSelf }: { name: string; uuid: string; isSelf: boolean }) {
  const { confirm } = useDestroy({
    title: isSelf ? 'Leave the company?' : `Remove ${name}?`,
    text: 'Sessions of this company end at once, and API keys made by this person stop working.',
    action: isSelf ? 'Leave' : 'Remove',
    send: () => (isSelf ? leaveCompany() : removePerson(uuid)),
    done: isSelf ? screenMessages.companyLeft : screenMessages.personRemoved(name),
  });
  return (
    <QuietButton onClick={confirm} aria-label={isSelf ? 'Leave the company' : `Remove ${name}`}>
      {isSelf ? 'Leave' : 'Remove'}
    </QuietButton>
  );
}

function RevokeButton({ invitation: { uuid, email } }: { invitation: Invitation }) {
  const { save: revoke } = useSave({
    send: () => revokeInvitation(uuid),
    done: screenMessages.invitationRevoked(email),
  });
  return (
    <QuietButton onClick={() => revoke()} aria-label={`Revoke the invitation of ${email}`}>
      Revoke
    </QuietButton>
  );
}

/** Asks for a mail address and a role, then shows the link, which is never shown again. */
function InviteForm({ onDone }: { onDone: () => void }) {
  const [made, setMade] = useState<NewInvitation>();
  const { form, busy, submit } = useSavedForm({
    initialValues: { email: '', role: 'editor' as CompanyRole },
    schema: InvitationInput,
    send: invite,
    onSaved: setMade,
  });
  if (made) return <Link invitation={made} onDone={onDone} />;
  return (
    <DialogForm onSubmit={submit}>
      <TextInput label="Email" type="email" data-autofocus withAsterisk {...form.getInputProps('email')} />
      <Choice label="Role" data={roleOptions} {...form.getInputProps('role')} />
      <FormButtons action="Invite" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}

function Link({
  invitation: { email, link, is_mailed: isMailed },
  onDone,
}: {
  invitation: NewInvitation;
  onDone: () => void;
}) {
  return (
    <ShownOnce secret={link} testId="invitation-link" onDone={onDone}>
      {isMailed
        ? `A mail with this link is on its way to ${shownAddress(email)}.`
        : `No mail was sent: give this link to ${shownAddress(email)} yourself.`}{' '}
      It works once, for seven days, and is not shown again.
    </ShownOnce>
  );
}
