import { shownAddress } from '@bidwell/contract/accounts/domain';
import { resetPassword as endpoint } from '@bidwell/contract/operator/endpoints';
import type { CompanyPerson, OneTimePassword, OperatorCompany } from '@bidwell/contract/operator/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group } from '@mantine/core';
import { useState } from 'react';
import { formatMoment } from '../../lib/format/format.ts';
import { roleNames } from '../../entities/accounts/role-text.ts';
import { resetPassword, resetSecondFactor } from '../../entities/companies/queries.ts';
import { useMayCall } from '../../entities/operator-accounts/session-queries.ts';
import { confirmDestroy } from '../../ui/form/confirm.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { SmallButton } from '../../ui/layout/buttons.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { SecretDialog } from '../../ui/secrets/secret-dialog.tsx';
import { ShownOnce } from '../../ui/secrets/shown-once.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';

/** The people of a company; an admin can give them one-time passwords and remove a lost second factor. */
export function CompanyPeople({ company }: { company: OperatorCompany }) {
  const [issued, setIssued] = useState<OneTimePassword | null>(null);
  const mayReset = useMayCall(endpoint.permission);
  const { save: reset } = useSave({
    send: (uuid: string) => resetPassword(company.uuid, uuid),
    onSaved: setIssued,
  });
  const { save: resetFactor } = useSave({
    send: ({ uuid }: CompanyPerson) => resetSecondFactor(company.uuid, uuid),
    done: (_removed, { login }) => screenMessages.secondFactorReset(login),
  });
  const confirmFactorReset = (person: CompanyPerson) =>
    confirmDestroy({
      title: `Reset the second factor of ${person.login}?`,
      text: 'Make sure that the request comes from this person. All their sessions end, and the password alone is enough to log in until they set up a new second factor.',
      action: 'Reset second factor',
      onConfirm: () => resetFactor(person),
    });
  const confirmReset = ({ uuid, login }: CompanyPerson) =>
    confirmDestroy({
      title: `Reset the password of ${login}?`,
      text: 'The present password stops working and all sessions end. You get a one-time password to hand over.',
      action: 'Reset password',
      onConfirm: () => reset(uuid),
    });
  return (
    <Section title="People" flush>
      <RecordTable
        label="People"
        columns={[
          ...columns,
          ...(mayReset
            ? [
                {
                  header: 'Actions',
                  actions: true,
                  cell: (person: CompanyPerson) => (
                    <Group gap="xs" justify="flex-end">
                      <SmallButton
                        aria-label={`Reset second factor of ${person.login}`}
                        onClick={() => confirmFactorReset(person)}
                      >
                        Reset second factor
                      </SmallButton>
                      <SmallButton
                        aria-label={`Reset password of ${person.login}`}
                        onClick={() => confirmReset(person)}
                      >
                        Reset password
                      </SmallButton>
                    </Group>
                  ),
                },
              ]
            : []),
        ]}
        rows={company.people}
        rowId={({ uuid }) => uuid}
        minWidth={640}
        cards
      />
      <SecretDialog opened={issued !== null} onClose={() => setIssued(null)} title="One-time password">
        {issued && (
          <ShownOnce secret={issued.password} testId="one-time-password" onDone={() => setIssued(null)}>
            Hand this password over to <b>{issued.login}</b>. It is shown only now, works for one login until{' '}
            {formatMoment(issued.expires_at)}, and has to be replaced in the profile after it.
          </ShownOnce>
        )}
      </SecretDialog>
    </Section>
  );
}

const columns: readonly RecordColumn<CompanyPerson>[] = [
  { header: 'Login', cell: ({ login }) => login },
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Role', cell: ({ role }) => roleNames[role] },
  { header: 'Email', wrap: 'anywhere', cell: ({ email }) => shownAddress(email) },
  { header: 'Contact', wrap: 'anywhere', cell: ({ contact }) => contact },
];
