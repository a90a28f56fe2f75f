import { campaignMessages } from '@bidwell/contract/campaigns/messages';
import { Group, List, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type Loadable, type Unknown, dataOrUnknown, mapped, useLoadable } from '../../../lib/loadable.ts';
import { currentOnly } from '../../../lib/current-only.ts';
import { appsQuery } from '../../../entities/apps/queries.ts';
import { creativeGroupsQuery } from '../../../entities/creative-groups/queries.ts';
import { creativesQuery } from '../../../entities/creatives/queries.ts';
import { balanceQuery } from '../../../entities/finance/queries.ts';
import { targetsQuery } from '../../../entities/targets/queries.ts';
import { trackingLinksQuery } from '../../../entities/tracking-links/queries.ts';
import { useReviewSentences } from '../../../entities/moderation/review-text.ts';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { NewCampaign } from '../new-campaign.tsx';
import { Caption, Muted } from '../../../ui/layout/text.tsx';

// In the order in which they can be done: creatives require the URLs of a tracking link, and an ad set a creative group.
const steps = {
  app: {
    link: { to: '/add-app' },
    name: 'Register your app',
    note: 'Its store link fills in most of the form.',
  },
  link: {
    link: { to: '/tracking-links' },
    name: 'Add a tracking link',
    note: 'The URLs with which your measurement partner counts clicks and installs.',
  },
  creatives: {
    link: { to: '/creatives/add-creative' },
    name: 'Upload creatives',
    note: 'Images, videos or playables that people see, with the URLs of the tracking link.',
  },
  group: {
    link: { to: '/creative-groups/edit' },
    name: 'Create a creative group',
    note: 'The creatives that an ad set shows.',
  },
  target: {
    link: { to: '/targets' },
    name: 'Create a target',
    note: 'Who to reach: countries, devices, languages.',
  },
  balance: { link: { to: '/finances' }, name: 'Top up the balance', note: 'Campaigns spend from it.' },
  campaign: {
    link: { to: '/campaigns/create' },
    name: 'Create the campaign',
    note: 'Its ad sets have the bid and the daily budget.',
  },
} as const;
type Step = keyof typeof steps;

/** The steps of a company to its first campaign, with marks at the finished ones. */
export function FirstCampaign() {
  const isDone = useDoneSteps();
  const { newCreatives } = useReviewSentences();
  return (
    <Stack component="section" aria-label="First campaign" maw={560} mx="auto" p="xl" gap="md">
      <Title order={2} size="h3">
        {campaignMessages.emptyCampaigns}
      </Title>
      <Text size="sm">
        A campaign buys installs for one app. These steps lead to the first one. The campaign form has all of
        them in one place, too.
      </Text>
      <List size="sm" spacing={12} pl={0} listStyleType="none">
        {(Object.keys(steps) as Step[]).map((step, index) => (
          <List.Item key={step} icon={<StepMark number={index + 1} isDone={isDone[step]} />}>
            <AnchorLink {...steps[step].link} size="sm">
              {steps[step].name}
            </AnchorLink>
            <Caption>{steps[step].note}</Caption>
          </List.Item>
        ))}
      </List>
      {newCreatives && (
        <Muted>{newCreatives} The campaign can start by itself when everything is approved.</Muted>
      )}
      <Group gap="sm">
        <NewCampaign />
      </Group>
    </Stack>
  );
}

/** Which steps are done, as far as that is known. */
function useDoneSteps(): Record<Step, boolean | Unknown> {
  const has = (list: Loadable<readonly { uuid: string; archived_at: string | null }[]>) =>
    dataOrUnknown(mapped(list, (known) => currentOnly(known).length > 0));
  const balance = useLoadable(balanceQuery);
  return {
    app: has(useLoadable(appsQuery)),
    link: has(useLoadable(trackingLinksQuery)),
    creatives: has(useLoadable(creativesQuery)),
    group: has(useLoadable(creativeGroupsQuery)),
    target: has(useLoadable(targetsQuery)),
    balance: dataOrUnknown(mapped(balance, (known) => known.balance + known.credit_limit > 0)),
    campaign: false,
  };
}

function StepMark({ number, isDone }: { number: number; isDone: boolean | Unknown }) {
  if (isDone === 'loading') return <Skeleton role="img" height={24} circle aria-label="Loading" />;
  if (isDone === 'failed')
    return <Skeleton role="img" height={24} circle animate={false} aria-label="Not known" />;
  return (
    <ThemeIcon
      size={24}
      radius="xl"
      variant={isDone ? 'filled' : 'light'}
      color={isDone ? 'teal.8' : 'accent'}
      {...(isDone && { role: 'img', 'aria-label': 'Done' })}
    >
      {isDone ? <IconCheck size={14} aria-hidden /> : <Text size="xs">{number}</Text>}
    </ThemeIcon>
  );
}
