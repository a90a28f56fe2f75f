import { changeCompany as endpoint } from '@bidwell/contract/operator/endpoints';
import {
  CompanyTerms,
  type OperatorCompany,
  operatorCompanyVersion,
} from '@bidwell/contract/operator/schema';
import { Button, Group, NumberInput, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { readAgain } from '../../lib/api/query-client.ts';
import { useLoadable } from '../../lib/loadable.ts';
import { formatMoney, formatPercent } from '../../lib/format/format.ts';
import { changeCompany, companyQuery } from '../../entities/companies/queries.ts';
import { mayCall, operatorSessionQuery } from '../../entities/operator-accounts/session-queries.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { MoneyInput } from '../../ui/form/money-input.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { Section } from '../../ui/layout/section.tsx';

/** Credit limit, margin and notes: a form for operators who may change them, text for others. */
export function CompanyTermsForm({ company }: { company: OperatorCompany }) {
  const operator = useLoadable(operatorSessionQuery);
  return (
    <Section title="Credit, margin and notes">
      <FigureFrame figures={operator} what="The form" skeleton={<Skeleton height={160} />}>
        {(session) =>
          mayCall(session?.role, endpoint.permission) ? (
            <TermsForm company={company} />
          ) : (
            <Stack gap="xs">
              <Text size="sm">Credit limit: {formatMoney(company.credit_limit)}</Text>
              <Text size="sm">Margin: {formatPercent(company.margin_percent)}</Text>
              <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {company.notes || 'No notes'}
              </Text>
            </Stack>
          )
        }
      </FigureFrame>
    </Section>
  );
}

interface TermsValues extends Record<string, unknown> {
  /** Dollars. */
  credit_limit: number | null;
  margin_percent: number | null;
  notes: string;
}

const valuesOf = ({ credit_limit, margin_percent, notes }: OperatorCompany): TermsValues => ({
  credit_limit,
  margin_percent,
  notes,
});

function TermsForm({ company }: { company: OperatorCompany }) {
  const { form, busy, submit, changedElsewhere } = useSavedForm<TermsValues, unknown, OperatorCompany>({
    initialValues: valuesOf(company),
    entity: {
      saved: company,
      valuesOf,
      version: operatorCompanyVersion,
      reload: () => readAgain(companyQuery(company.uuid)),
    },
    schema: CompanyTerms,
    send: (terms, version) => changeCompany(company.uuid, CompanyTerms.parse(terms), version),
    done: 'Credit, margin and notes saved',
  });
  const { credit_limit: creditLimit, margin_percent: margin, notes } = form.values;
  const isDirty =
    creditLimit !== company.credit_limit ||
    margin !== company.margin_percent ||
    notes.trim() !== company.notes;
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        {changedElsewhere}
        <MoneyInput
          label="Credit limit"
          description="How far below zero the balance may go. At $0.00 campaigns stop when the balance is used up."
          {...form.getInputProps('credit_limit')}
          value={creditLimit}
        />
        <NumberInput
          label="Margin"
          description="Added to the media cost of new bids. The company pays both as spend and never sees the margin."
          suffix="%"
          decimalScale={2}
          {...form.getInputProps('margin_percent')}
          value={margin ?? ''}
          onChange={(input) =>
            form.setFieldValue(
              'margin_percent',
              typeof input === 'number' ? input : input === '' ? null : Number(input),
            )
          }
        />
        <Textarea
          label="Notes"
          description="Only operators see them."
          autosize
          minRows={3}
          maxRows={12}
          maxLength={5000}
          {...form.getInputProps('notes')}
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
