import { resetPassword as endpoint } from '@bidwell/contract/operator/endpoints';
import type { CompanyPerson, OneTimePassword, OperatorCompany } from '@bidwell/contract/operator/schema';
import { Button, Modal, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoment } from '../../lib/format/format.ts';
import { resetPassword } from '../../entities/companies/queries.ts';
import { mayCall, operatorSessionQuery } from '../../entities/operator-accounts/session-queries.ts';
import { confirmDestroy } from '../../ui/form/confirm.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { CopyText } from '../../ui/layout/copy-text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { ScrollFrame } from '../../ui/table/scroll-frame.tsx';

/** The people of a company; an admin can give them one-time passwords. */
export function CompanyPeople({ company }: { company: OperatorCompany }) {
  const { data: operator } = useQuery(operatorSessionQuery);
  const [issued, setIssued] = useState<OneTimePassword | null>(null);
  const mayReset = mayCall(operator?.role, endpoint.permission);
  const { save: reset } = useSave({
    send: (uuid: string) => resetPassword(company.uuid, uuid),
    onSaved: setIssued,
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
      <ScrollFrame minWidth={560}>
        <Table verticalSpacing="xs" horizontalSpacing="md" aria-label="People">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Login</Table.Th>
              <Table.Th>Name</Table.Th>
              <Table.Th>Email</Table.Th>
              <Table.Th>Contact</Table.Th>
              {mayReset && <Table.Th aria-label="Actions" />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {company.people.map((person) => (
              <Table.Tr key={person.uuid}>
                <Table.Td>{person.login}</Table.Td>
                <Table.Td>{person.name}</Table.Td>
                <Table.Td>{person.email}</Table.Td>
                <Table.Td>{person.contact}</Table.Td>
                {mayReset && (
                  <Table.Td ta="right">
                    <Button
                      variant="default"
                      size="compact-sm"
                      aria-label={`Reset password of ${person.login}`}
                      onClick={() => confirmReset(person)}
                    >
                      Reset password
                    </Button>
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollFrame>
      <Modal opened={issued !== null} onClose={() => setIssued(null)} title="One-time password" centered>
        {issued && (
          <Stack gap="sm">
            <Text size="sm">
              Hand this password over to <b>{issued.login}</b>. It is shown only now, works for one login
              until {formatMoment(issued.expires_at)}, and has to be replaced in the profile after it.
            </Text>
            <CopyText value={issued.password} label="one-time password" full />
            <Button onClick={() => setIssued(null)}>Done</Button>
          </Stack>
        )}
      </Modal>
    </Section>
  );
}
