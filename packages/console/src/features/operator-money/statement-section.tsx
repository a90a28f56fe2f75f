import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CompanySelect } from '../../entities/companies/company-select.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';

/** The way to the statements of a company. */
export function StatementSection() {
  const navigate = useNavigate();
  const [uuid, setUuid] = useState<string | null>(null);
  const [error, setError] = useState<string>();
  const open = () => {
    if (uuid === null) return setError('Choose a company');
    void navigate({
      to: '/operator/companies/$uuid/statement' as string,
      params: { uuid } as never,
    });
  };
  return (
    <Section title="Statements">
      <Muted mb="sm">The movements of one company’s balance in a month, to print or download.</Muted>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          open();
        }}
      >
        <Group align="flex-start">
          <CompanySelect value={uuid} onChange={setUuid} error={error} />
          <Button type="submit" mt={{ base: 0, xs: 25 }}>
            Open statement
          </Button>
        </Group>
      </form>
    </Section>
  );
}
