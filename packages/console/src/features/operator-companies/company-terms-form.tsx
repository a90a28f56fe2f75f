import { changeCompany as endpoint } from '@bidwell/contract/operator/endpoints';
import type { OperatorCompany } from '@bidwell/contract/operator/schema';
import { CompanyTerms } from '@bidwell/contract/operator/schema';
import { Button, Group, NumberInput, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { formatMoney, formatPercent } from '../../lib/format/format.ts';
import { changeCompany } from '../../entities/companies/queries.ts';
import { mayCall, operatorSessionQuery } from '../../entities/operator-accounts/session-queries.ts';
import { MoneyInput } from '../../ui/form/money-input.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { Section } from '../../ui/layout/section.tsx';

/** Credit limit, margin and notes: a form for those who may change them, text for others. */
export function CompanyTermsForm({ company }: { company: OperatorCompany }) {
  const { data: operator } = useQuery(operatorSessionQuery);
  return (
    <Section title="Credit, margin and notes">
      {mayCall(operator?.role, endpoint.roles) ? (
        <TermsForm company={company} />
      ) : (
        <Stack gap="xs">
          <Text size="sm">Credit limit: {formatMoney(company.credit_limit)}</Text>
          <Text size="sm">Margin: {formatPercent(company.margin_percent)}</Text>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {company.notes || 'No notes'}
          </Text>
        </Stack>
      )}
    </Section>
  );
}

function TermsForm({ company }: { company: OperatorCompany }) {
  const [creditLimit, setCreditLimit] = useState<number | null>(company.credit_limit);
  const [margin, setMargin] = useState<number | null>(company.margin_percent);
  const [notes, setNotes] = useState(company.notes);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const isDirty =
    creditLimit !== company.credit_limit ||
    margin !== company.margin_percent ||
    notes.trim() !== company.notes;
  const { save, busy } = useSave({
    send: (terms: CompanyTerms) => changeCompany(company.uuid, terms),
    done: 'Credit, margin and notes saved',
    onFailure: (error) => error instanceof ApiError && setErrors(error.fields),
  });
  const submit = () => {
    const parsed = CompanyTerms.safeParse({ credit_limit: creditLimit, margin_percent: margin, notes });
    if (!parsed.success)
      return setErrors(
        Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message])),
      );
    setErrors({});
    save(parsed.data);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <MoneyInput
          label="Credit limit"
          description="How far below zero the balance may go. At $0.00 campaigns stop with the balance."
          value={creditLimit}
          onChange={setCreditLimit}
          error={errors['credit_limit']}
        />
        <NumberInput
          label="Margin"
          description="Added to the media cost of new bids. The company pays both as spend and never sees the margin."
          suffix=" %"
          decimalScale={2}
          hideControls
          value={margin ?? ''}
          onChange={(input) =>
            setMargin(typeof input === 'number' ? input : input === '' ? null : Number(input))
          }
          error={errors['margin_percent']}
        />
        <Textarea
          label="Notes"
          description="Only operators see them."
          autosize
          minRows={3}
          maxRows={12}
          maxLength={5000}
          value={notes}
          error={errors['notes']}
          onChange={(event) => setNotes(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={busy} disabled={!isDirty}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
