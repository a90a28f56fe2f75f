import { approvalLimitsVersion } from '@bidwell/contract/approvals/endpoints';
import { ApprovalLimits } from '@bidwell/contract/approvals/schema';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Paper, Stack, Text } from '@mantine/core';
import { readAgain } from '../../lib/api/query-client.ts';
import { useLoadable } from '../../lib/loadable.ts';
import { approvalLimitsQuery, saveApprovalLimits } from '../../entities/campaigns/approval-queries.ts';
import { FigureFrame, ListSkeleton } from '../../ui/chart/figure-frame.tsx';
import { OptionalMoneyInput } from '../../ui/form/optional-money-input.tsx';
import { SubmitButton } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { Muted } from '../../ui/layout/text.tsx';

/** Above which budgets of a campaign a second person has to approve. */
export function ApprovalLimitsSection() {
  const limits = useLoadable(approvalLimitsQuery);
  return (
    <Paper withBorder p="md" mt="md" maw={560} component="section" aria-label="Approval of budgets">
      <Text component="h2" size="md" fw={600}>
        Approval of budgets
      </Text>
      <Muted mb="sm">
        A second person has to approve campaign budgets above these amounts. The company needs two people who
        are owner or editor.
      </Muted>
      <FigureFrame figures={limits} what="The limits" skeleton={<ListSkeleton height={56} />}>
        {(known) => <LimitsForm limits={known} />}
      </FigureFrame>
    </Paper>
  );
}

const valuesOf = ({ daily_budget_above, total_budget_above }: ApprovalLimits) => ({
  daily_budget_above,
  total_budget_above,
});

function LimitsForm({ limits }: { limits: ApprovalLimits }) {
  const { form, busy, submit, changedElsewhere } = useSavedForm({
    initialValues: valuesOf(limits),
    entity: {
      saved: limits,
      valuesOf,
      version: approvalLimitsVersion,
      reload: (): Promise<ApprovalLimits> => readAgain(approvalLimitsQuery),
    },
    schema: ApprovalLimits,
    send: saveApprovalLimits,
    done: consoleMessages.saved('Rule'),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {changedElsewhere}
        <OptionalMoneyInput
          label="Daily budget above"
          choice="No approval"
          {...form.getInputProps('daily_budget_above')}
          value={form.values.daily_budget_above}
        />
        <OptionalMoneyInput
          label="Total budget above"
          choice="No approval"
          {...form.getInputProps('total_budget_above')}
          value={form.values.total_budget_above}
        />
        <SubmitButton busy={busy}>Save rule</SubmitButton>
      </Stack>
    </form>
  );
}
