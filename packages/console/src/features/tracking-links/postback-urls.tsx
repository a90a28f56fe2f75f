import type { Mmp } from '@bidwell/contract/apps/fields';
import type { PostbackOutcome, PostbackReason, Postbacks } from '@bidwell/contract/postbacks/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { brand } from '../../lib/brand.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { SourcePages } from '../../entities/measurement/source-pages.tsx';
import { rotatePostbackSecret } from '../../entities/postbacks/queries.ts';
import { confirmDestroy } from '../../ui/form/confirm.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { SmallButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { CopyableValue } from '../../ui/layout/copyable-value.tsx';
import { PARTNERS, partnerInText } from '@bidwell/contract/measurement/partners/partners';
import { PostbackChecks } from './postback-checks.tsx';
import { TestInstall } from './test-install.tsx';

const outcomeNames: Record<PostbackOutcome, string> = {
  stored: 'installs counted',
  duplicate: 'reported again',
  expired: 'too late to count',
  no_touchpoint: `without a click or view from ${brand.name}`,
  rejected: 'rejected by the partner',
  taken_back: 'installs revoked by the partner',
  retargeting: 'of users who already had the app',
  event: 'in-app events',
  unattributed: `of people who saw no ad of ${brand.name}`,
  unknown_click: 'with an unknown click ID',
  unverified: 'not verified to come from the partner',
  erased: 'of erased devices',
  pending: 'pending',
};

/** Reasons why an install is counted but not used for learning, and checks that a postback failed. */
const reasonNames: Record<Exclude<PostbackReason, ''>, string> = {
  too_fast: 'too soon after the click to learn from',
  too_late: 'too long after the click to learn from',
  rate: 'too many for their clicks to learn from',
  bot: 'invalid traffic: a click by a bot',
  datacenter: 'invalid traffic: a click from a data center',
  network: 'sent from an address outside the networks of the checks',
  credential: 'without the right token or signature',
  install_rejected: 'after an install that the partner rejected',
  before_click: 'dated before their click or view',
  after_window: 'too long after their click or view',
  in_future: 'dated in the future',
  reported_late: 'reported too late',
  no_activity: 'about something outside the app, such as an uninstall',
  time_unread: 'dated as they arrived: their time could not be read',
};

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

function confirmRotation(onConfirm: () => void): void {
  confirmDestroy({
    title: 'Rotate the postback secret?',
    text: 'Every postback URL gets a new secret. The current one stays valid for 24 hours: enter the new URLs at each partner by then, or installs are no longer counted.',
    action: 'Rotate secret',
    onConfirm,
  });
}

/** The postback URLs to enter at an app's measurement partner, and the received postbacks by outcome. */
export function PostbackUrls({ mmp, postbacks }: { mmp: Mmp; postbacks: Postbacks }) {
  const name = partnerInText(mmp);
  const counts = postbacks.counts.filter((one) => one.mmp === mmp);
  const unknown = postbacks.unknown.find((one) => one.mmp === mmp);
  const source = postbacks.sources.find((one) => one.mmp === mmp);
  const until = postbacks.previous_secret_until;
  const { save: rotate } = useSave({ send: rotatePostbackSecret, done: screenMessages.secretRotated });
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="postbacks">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h5" id="postbacks">
            Postbacks
          </Title>
          <Group gap="xs">
            <TestInstall mmp={mmp} />
            {source && <PostbackChecks source={source} />}
            <SmallButton onClick={() => confirmRotation(() => rotate())}>Rotate secret</SmallButton>
          </Group>
        </Group>
        <Caption>
          Enter these URLs at {name}, which reports installs to them. They contain your company’s secret,
          except for those that belong in a link.
        </Caption>
        {until && (
          <Text size="sm">
            The secret was rotated. URLs with the previous secret work until {time.format(new Date(until))}.
          </Text>
        )}
        {postbacks.templates
          .filter((template) => template.mmp === mmp)
          .map(({ purpose, value }) => (
            <CopyableValue key={purpose} label={purpose} value={value} copyLabel={`Copy: ${purpose}`} />
          ))}
        <PostbackNotes mmp={mmp} />
        <Text size="sm">
          {counts.length === 0
            ? `No postbacks came from ${name} in the last 30 days.`
            : `From ${name} in the last 30 days, for all apps and links of your company: ${counts.map(({ outcome, reason, count }) => `${formatNumber(count)} ${outcomeNames[outcome]}${reason && ` (${reasonNames[reason]})`}`).join(', ')}.`}
        </Text>
        {unknown && (
          <Caption style={{ overflowWrap: 'anywhere' }}>
            The last one {outcomeNames[unknown.outcome]}: {unknown.parameters}
          </Caption>
        )}
      </Stack>
    </Paper>
  );
}

/** How a partner sends postbacks, and what it does not document and has to be asked about. */
function PostbackNotes({ mmp }: { mmp: Mmp }) {
  const { name, postbacks, sources } = PARTNERS[mmp];
  const { method, retries, replace, undocumented, push } = postbacks;
  const open = [
    ...(method.documented ? [] : ['the method']),
    ...(retries.documented ? [] : ['repetitions']),
    ...undocumented,
  ];
  const facts = [
    'Postbacks are accepted by GET, and by POST as a form or JSON.',
    ...(method.documented ? [`${name} sends ${method.text}.`] : []),
    ...(retries.documented ? [`It repeats them ${retries.text}.`] : []),
  ];
  return (
    <>
      {replace && <Text size="sm">{replace}</Text>}
      {push && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {push.name}: {push.setup} What both it and postbacks report counts once.
        </Text>
      )}
      {mmp !== 'other' && open.length > 0 && (
        <Text size="sm">
          Not documented by {name}; check with them: {open.join(', ')}.
        </Text>
      )}
      <Caption style={{ overflowWrap: 'anywhere' }}>
        {facts.join(' ')} <SourcePages pages={sources.flatMap(({ pages }) => pages)} />
      </Caption>
    </>
  );
}
