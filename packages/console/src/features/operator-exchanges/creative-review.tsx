import { REVIEW_STATES, type ReviewState } from '@bidwell/contract/creatives/exchange-reviews';
import {
  REVIEWED_CREATIVES_MAX,
  type ReviewAccount,
  ReviewAccountInput,
  type ReviewedCreative,
} from '@bidwell/contract/operator/exchange-review';
import { rulesOf } from '@bidwell/contract/operator/exchange-profiles';
import type { Ssp } from '@bidwell/contract/operator/schema';
import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  PasswordInput,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Textarea,
} from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useState } from 'react';
import { CompanyLink } from '../../entities/companies/company-link.tsx';
import {
  reviewAccountQuery,
  reviewedCreativesQuery,
  saveReviewAccount,
} from '../../entities/exchanges/queries.ts';
import { formatMoment, formatNumber } from '../../lib/format/format.ts';
import { useLoadable } from '../../lib/loadable.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { Section } from '../../ui/layout/section.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';

/** How creatives are submitted to an exchange that reviews them, and what it says. Renders nothing for other exchanges. */
export function CreativeReview({ exchange, mayChange }: { exchange: Ssp; mayChange: boolean }) {
  const account = useLoadable(reviewAccountQuery(exchange.slug));
  const review = rulesOf(exchange.profile).creative_review;
  if (!review) return null;
  return (
    <FigureFrame figures={account} what="The review" skeleton={<Skeleton height={240} />}>
      {(known) => (
        <Stack>
          <Section
            title="Review of creatives"
            description="This server submits all creatives that may run, and sends them again before their approval lapses. Once it is on, only creatives that the exchange approved are bid there."
          >
            <Stack gap="sm" maw={560}>
              <Progress account={known} />
              {mayChange && <AccountForm key={exchange.slug} account={known} review={review} />}
            </Stack>
          </Section>
          {known.is_enabled && <Creatives slug={exchange.slug} account={known} />}
        </Stack>
      )}
    </FigureFrame>
  );
}

function Progress({ account }: { account: ReviewAccount }) {
  const { is_enabled: isEnabled, accepted_at: acceptedAt, error, paused_until: pausedUntil } = account;
  const accepted = acceptedAt === null ? 'Not accepted yet.' : `Last accepted ${formatMoment(acceptedAt)}.`;
  return (
    <>
      <Text size="sm">
        {isEnabled ? 'Creatives are submitted.' : 'Creatives are not submitted.'} {accepted}
        {pausedUntil !== null && ` The next call is not made before ${formatMoment(pausedUntil)}.`}
      </Text>
      {error !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          The last call failed: {error}
        </Text>
      )}
    </>
  );
}

interface AccountValues extends Record<string, unknown> {
  is_enabled: boolean;
  account: string;
  login: string;
  /** The new one; empty for the present one. */
  secret: string;
}

const inputOf = ({ secret, ...values }: AccountValues) => ({
  ...values,
  ...(secret.trim() !== '' && { secret }),
});

function AccountForm({ account, review }: { account: ReviewAccount; review: 'google' | 'xandr' }) {
  const { slug, is_enabled, account: id, login, has_secret: hasSecret } = account;
  const { form, busy, submit } = useSavedForm<AccountValues, ReviewAccount>({
    initialValues: { is_enabled, account: id, login, secret: '' },
    validate: (values) => schemaResolver(ReviewAccountInput, { sync: true })(inputOf(values)),
    send: async (values) => saveReviewAccount(slug, ReviewAccountInput.parse(inputOf(values))),
    done: 'The review is saved',
    onSaved: (_saved, values) => {
      form.setFieldValue('secret', '');
      form.resetDirty({ ...values, secret: '' });
    },
  });
  const isGoogle = review === 'google';
  const secretField = {
    autoComplete: 'off',
    placeholder: hasSecret ? 'Set' : 'None',
    ...form.getInputProps('secret'),
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Checkbox label="Submit creatives" {...form.getInputProps('is_enabled', { type: 'checkbox' })} />
        <TextInput
          label={isGoogle ? 'Buyer id' : 'Member id'}
          withAsterisk
          inputMode="numeric"
          autoComplete="off"
          {...form.getInputProps('account')}
        />
        {isGoogle ? (
          <Textarea
            label="JSON key of the service account"
            description="It needs access to the Real-time Bidding API. It is stored encrypted and not shown again."
            autosize
            minRows={2}
            maxRows={6}
            {...secretField}
          />
        ) : (
          <>
            <TextInput label="User name" autoComplete="off" {...form.getInputProps('login')} />
            <PasswordInput
              label="Password"
              description="It is stored encrypted and not shown again."
              {...secretField}
            />
          </>
        )}
        <Group>
          <Button type="submit" loading={busy} disabled={!form.isDirty()}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const STATE_NAMES: Record<ReviewState, string> = {
  not_needed: 'Not needed',
  not_sent: 'Not sent',
  pending: 'Pending',
  approved: 'Approved',
  disapproved: 'Disapproved',
  lapsed: 'Lapsed',
};

/** The creatives of all companies, in a state or in any. */
function Creatives({ slug, account }: { slug: string; account: ReviewAccount }) {
  const [state, setState] = useState<ReviewState>();
  const creatives = useLoadable(reviewedCreativesQuery(slug, state));
  const states = REVIEW_STATES.filter((one) => account.creatives[one] !== undefined);
  return (
    <Section
      title="Creatives of all companies"
      description={`The ${REVIEWED_CREATIVES_MAX} that changed last, the newest first.`}
    >
      <NativeSelect
        aria-label="State"
        w={220}
        mb="sm"
        value={state ?? ''}
        onChange={(event) => setState(states.find((one) => one === event.currentTarget.value))}
        data={[
          { value: '', label: 'All states' },
          ...states.map((one) => ({
            value: one,
            label: `${STATE_NAMES[one]} (${formatNumber(account.creatives[one]!)})`,
          })),
        ]}
      />
      <RecordTable
        label="Creatives at this exchange"
        what="The creatives"
        empty={<Muted>No creative has been submitted yet.</Muted>}
        columns={columns}
        rows={creatives}
        rowId={({ creative_uuid: uuid }) => uuid}
        minWidth={520}
        cards
      />
    </Section>
  );
}

const columns: readonly RecordColumn<ReviewedCreative>[] = [
  {
    header: 'Creative',
    wrap: 'anywhere',
    cell: ({ creative_name: name, company_uuid: uuid, company_name: company }) => (
      <>
        <Text size="sm">{name}</Text>
        <CompanyLink uuid={uuid}>{company}</CompanyLink>
      </>
    ),
  },
  { header: 'State', cell: ({ state }) => <StatusBadge status={state} /> },
  {
    header: 'Reason',
    wrap: 'anywhere',
    cell: ({ reasons, error }) => (
      <Caption>{[...reasons, ...(error === null ? [] : [error])].join('; ') || '-'}</Caption>
    ),
  },
  {
    header: 'Last sent',
    wrap: 'never',
    cell: ({ sent_at: at }) => <Caption>{at === null ? 'Never' : formatMoment(at)}</Caption>,
  },
];
