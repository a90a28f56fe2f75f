import type { Approval, ApprovalState } from '@bidwell/contract/approvals/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Badge, Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useKnown, useLoadable } from '../../../lib/loadable.ts';
import {
  approvalsQuery,
  approve,
  rejectApproval,
  withdrawApproval,
} from '../../../entities/campaigns/approval-queries.ts';
import { accountQuery } from '../../../lib/api/account.ts';
import { useMay } from '../../../lib/api/use-may.ts';
import { viewing } from '../../../lib/api/viewing.ts';
import { formatMoment, formatMoney } from '../../../lib/format/format.ts';
import { FigureFrame, ListSkeleton } from '../../../ui/chart/figure-frame.tsx';
import { useTyped } from '../../../ui/form/unsaved-input.ts';
import { useSave } from '../../../ui/form/use-save.ts';
import { SecondaryButton, SmallButton } from '../../../ui/layout/buttons.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { Caption, LongText, Muted } from '../../../ui/layout/text.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';

const stateNames: Record<ApprovalState, string> = {
  open: 'Open',
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  outdated: 'Outdated',
};

/** /campaigns/approvals: budgets that wait for the approval of a second person, and earlier requests. */
export function ApprovalsScreen() {
  const approvals = useLoadable(approvalsQuery);
  return (
    <>
      <PageHeader
        title="Approvals"
        description="Budgets above your company’s limit, which a second person has to approve."
      />
      <FigureFrame
        figures={approvals}
        what="The requests"
        skeleton={<ListSkeleton height={120} width={720} />}
        empty={
          <EmptyState
            title="No requests yet"
            text="Requests for budgets above the limit in the company’s profile appear here."
          />
        }
      >
        {(known) => (
          <Stack maw={720}>
            {known.map((approval) => (
              <ApprovalCard key={approval.uuid} approval={approval} />
            ))}
          </Stack>
        )}
      </FigureFrame>
    </>
  );
}

function ApprovalCard({ approval }: { approval: Approval }) {
  const { campaign, state, start, before, after, adsets, note, reason } = approval;
  const { requested_by: requester, decided_by: decider, created_at, expires_at } = approval;
  return (
    <Paper withBorder p="md" component="section" aria-label={`Request for ${campaign.name}`}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <AnchorLink to="/campaigns/edit" search={{ uuid: campaign.uuid }} fw={600}>
          {campaign.name}
        </AnchorLink>
        <Badge variant="light" color={state === 'open' ? 'accent' : 'gray'} flex="none">
          {stateNames[state]}
        </Badge>
      </Group>
      <Text size="sm" mt={4}>
        {start ? 'Start with' : 'Change to'} {amounts(after)}
        {!start && ` (now ${amounts(before)})`}
      </Text>
      <Stack gap={2} mt="xs" component="ul" pl="md" my={0}>
        {adsets.map((adset) => (
          <Text component="li" size="sm" key={adset.uuid} fw={adset.is_changed ? 600 : 400}>
            {adset.name}:{' '}
            {amounts({ daily_budget: adset.daily_budget_const, total_budget: adset.all_budget_const })}
          </Text>
        ))}
      </Stack>
      {note && <LongText mt="xs">“{note}”</LongText>}
      <Caption mt="xs">
        Requested by {requester.name}, {formatMoment(created_at)}
        {state === 'open' && `. Expires ${formatMoment(expires_at)}`}
        {decider && `. ${stateNames[state]} by ${decider.name}`}
        {reason && `: ${reason}`}
      </Caption>
      {state === 'open' && <Decision approval={approval} />}
    </Paper>
  );
}

const amounts = ({ daily_budget: daily, total_budget: total }: Approval['after']) =>
  `${daily === null ? 'an unlimited daily budget' : `${formatMoney(daily)} a day`}, ${
    total === null ? 'no limit in total' : `${formatMoney(total)} in total`
  }`;

/** What the person may do with an open request: withdraw their own, approve or reject one of someone else. */
function Decision({ approval }: { approval: Approval }) {
  const user = useKnown(accountQuery);
  const mayDecide = useMay('campaign.write') && viewing === null;
  const { name } = approval.campaign;
  const { save: give, busy: isGiving } = useSave({
    send: () => approve(approval),
    done: screenMessages.approvalGiven(name),
  });
  const { save: withdraw, busy: isWithdrawing } = useSave({
    send: () => withdrawApproval(approval.uuid),
    done: screenMessages.approvalWithdrawn,
  });
  if (!user || !mayDecide) return null;
  if (approval.requested_by.uuid === user.uuid)
    return (
      <Group mt="sm" gap="xs">
        <Muted>Someone else has to decide on it.</Muted>
        <SmallButton loading={isWithdrawing} onClick={() => withdraw()}>
          Withdraw
        </SmallButton>
      </Group>
    );
  return (
    <Group mt="sm" gap="xs">
      <Button size="compact-sm" loading={isGiving} onClick={() => give()}>
        Approve
      </Button>
      <SmallButton onClick={() => openReject(approval)}>Reject</SmallButton>
    </Group>
  );
}

const MODAL = 'reject-approval';

/** Opens the dialog that rejects a request with a reason. */
function openReject(approval: Approval): void {
  modals.open({
    modalId: MODAL,
    title: `Reject the budgets of ${approval.campaign.name}?`,
    children: <RejectForm uuid={approval.uuid} />,
  });
}

function RejectForm({ uuid }: { uuid: string }) {
  const [reason, setReason] = useTyped(`Reason ${uuid}`, '');
  const close = () => modals.close(MODAL);
  const { save, busy } = useSave({
    send: () => rejectApproval(uuid, reason),
    done: screenMessages.approvalRejected,
    onSaved: close,
  });
  return (
    <Stack>
      <Textarea
        label="Reason"
        withAsterisk
        maxLength={limits.descriptionMax}
        autosize
        minRows={2}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        data-autofocus
      />
      <Group justify="flex-end" gap="xs">
        <SecondaryButton onClick={close}>Cancel</SecondaryButton>
        <Button color="red.8" loading={busy} disabled={reason.trim() === ''} onClick={() => save()}>
          Reject
        </Button>
      </Group>
    </Stack>
  );
}
