import { ADSET_AMOUNTS, type AdsetAmount } from '@bidwell/contract/adsets/fields';
import { campaignMessages } from '@bidwell/contract/campaigns/messages';
import { type CampaignKind, isAlgorithmOf } from '@bidwell/contract/campaigns/kind';
import { ALGORITHMS, type Algorithm, isOfValue } from '@bidwell/contract/adsets/goals';
import { Box, Radio, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { knownAs, knownData } from '../../../lib/loadable.ts';
import { BundleList } from '../../../entities/campaigns/bundle-list-dialog.tsx';
import { LearningNote } from '../../../entities/insight/learning-note.tsx';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { MoneyInput } from '../../../ui/form/money-input.tsx';
import { OptionalMoneyInput } from '../../../ui/form/optional-money-input.tsx';
import type { AdsetFieldsProps } from './adset-fields-props.ts';
import type { AdsetOptions } from './adset-options.ts';
import { AdsetReferenceFields } from './adset-reference-fields.tsx';
import { UNLIMITED } from './adset-values.ts';
import { ValueGoalFields } from './value-goal-fields.tsx';
import { AppStoreFields, useAppOfAppStore } from './app-store-fields.tsx';
import { DeepLinkField } from './deep-link-field.tsx';
import { AudienceFields } from './audience-fields.tsx';
import { CountryFields } from './bids/country-fields.tsx';
import { MultiplierFields } from './bids/multiplier-fields.tsx';
import { HoursField } from './hours/hours-field.tsx';
import { BundleBids } from './bundle-bids.tsx';
import { CapsFields } from './caps-fields.tsx';
import { Field } from '../form/field.tsx';
import { SuggestedAmounts } from '../forecast/suggested-amounts.tsx';
import { PriceNote } from '../forecast/price-note.tsx';
import { EntityTitleFields } from '../form/entity-title-fields.tsx';

interface AllAdsetFieldsProps extends AdsetFieldsProps {
  options: AdsetOptions;
  /** Limits targets, links and creative groups to this app; without it, to the app of the target. */
  appUuid?: string | undefined;
  /** The saved ad set; null for a new one. */
  uuid: string | null;
  /** Whether the campaign has frequency caps, where the form has it. */
  isCampaignCapped?: boolean | undefined;
  /** The kind of the campaign, where the form has it. */
  campaignKind?: CampaignKind | undefined;
}

/** The fields of one ad set. */
export function AdsetFields({
  options,
  appUuid,
  uuid,
  isCampaignCapped,
  campaignKind,
  ...fields
}: AllAdsetFieldsProps) {
  const target = knownData(options.targets)?.find((one) => one.uuid === fields.values.target_id);
  const link = knownData(options.links)?.find((one) => one.uuid === fields.values.tracking_link_id);
  const { product_page_id: page, overlay } = fields.values;
  // What an ad set cannot have stays in sight, so that it can be removed.
  const ofAppStore = useAppOfAppStore(appUuid || target?.app.uuid);
  const appStore = page !== null || overlay !== null ? knownAs(true) : ofAppStore;
  return (
    <Stack gap="lg">
      <Section title="Targeting and creatives">
        <EntityTitleFields {...fields} />
        <AdsetReferenceFields {...fields} options={options} appUuid={appUuid} />
        <DeepLinkField {...fields} link={link} campaignKind={campaignKind} />
        <AudienceFields {...fields} isReEngagement={campaignKind === 're_engagement'} target={target} />
      </Section>
      <Section title="Bids and budgets">
        <BidFields {...fields} uuid={uuid} campaignKind={campaignKind} />
        <CountryFields {...fields} campaignKind={campaignKind} target={target} />
        <MultiplierFields {...fields} uuid={uuid} campaignKind={campaignKind} />
        <CapsFields {...fields} isCampaignCapped={isCampaignCapped} />
      </Section>
      <Section title="Hours">
        <HoursField {...fields} />
      </Section>
      {knownData(appStore) !== false && (
        <FigureFrame figures={appStore} what="The app" skeleton={<Skeleton height={160} />}>
          <Section title="App Store">
            <AppStoreFields {...fields} />
          </Section>
        </FigureFrame>
      )}
      <Section title="Publishers">
        <PublisherFields {...fields} />
      </Section>
    </Stack>
  );
}

/** Algorithm, bids and budgets. */
function BidFields({
  values,
  onChange,
  errors,
  prefix = '',
  uuid,
  campaignKind = 'acquisition',
}: AdsetFieldsProps & Pick<AllAdsetFieldsProps, 'uuid' | 'campaignKind'>) {
  const money = (name: AdsetAmount) => ({
    value: values[name],
    onChange: (dollars: number | null) => onChange({ [name]: dollars }),
    error: errors[name],
  });
  // What an ad set cannot have stays in sight, so that it can be removed.
  const hasInstallPrice = campaignKind === 'acquisition' || values.bet_cpi !== null;
  return (
    <>
      <Field path={`${prefix}algo`}>
        <AlgorithmChoice
          value={values.algo}
          onChange={(algo) => onChange({ algo })}
          error={errors['algo']}
          campaignKind={campaignKind}
        />
      </Field>
      {isOfValue(values.algo) && (
        <ValueGoalFields values={values} onChange={onChange} errors={errors} prefix={prefix} />
      )}
      {uuid !== null && isOfValue(values.algo) && <LearningNote adset={uuid} />}
      <PriceNote adset={uuid} />
      {uuid === null && (
        <SuggestedAmounts values={values} campaignKind={campaignKind ?? 'acquisition'} onUse={onChange} />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Field path={`${prefix}bet_cpm`}>
          <MoneyInput
            label={ADSET_AMOUNTS.bet_cpm.label}
            description="At most, per 1000 impressions"
            required
            {...money('bet_cpm')}
          />
        </Field>
        {hasInstallPrice ? (
          <Field path={`${prefix}bet_cpi`}>
            <MoneyInput
              label={ADSET_AMOUNTS.bet_cpi.label}
              description={
                values.algo === 'Target CPI'
                  ? 'Cost per install, required before the campaign starts'
                  : isOfValue(values.algo)
                    ? 'What an install may cost until the goal is known'
                    : 'Cost per install, used by the Target CPI strategy'
              }
              {...money('bet_cpi')}
            />
          </Field>
        ) : (
          // The budgets stay next to each other.
          <Box visibleFrom="xs" />
        )}
        <Field path={`${prefix}daily_budget_const`}>
          <OptionalMoneyInput
            label={ADSET_AMOUNTS.daily_budget_const.label}
            choice={UNLIMITED}
            {...money('daily_budget_const')}
          />
        </Field>
        <Field path={`${prefix}all_budget_const`}>
          <OptionalMoneyInput
            label={ADSET_AMOUNTS.all_budget_const.label}
            choice={UNLIMITED}
            {...money('all_budget_const')}
          />
        </Field>
      </SimpleGrid>
    </>
  );
}

const bundleLists = [
  { name: 'white_list_bundles', label: 'Allowlist', description: 'Every publisher' },
  { name: 'black_list_bundles', label: 'Blocklist', description: 'None is blocked' },
] as const;

/** Which publishers are bought, and bids for single ones. */
function PublisherFields({ values, onChange, prefix = '' }: AdsetFieldsProps) {
  return (
    <>
      {bundleLists.map(({ name, label, description }) => (
        <Field key={name} path={prefix + name}>
          <BundleList
            label={label}
            description={description}
            value={values[name]}
            onChange={(bundles) => onChange({ [name]: bundles })}
          />
        </Field>
      ))}
      <Field path={`${prefix}bundle_bids`}>
        <BundleBids value={values.bundle_bids} onChange={(bids) => onChange({ bundle_bids: bids })} />
      </Field>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="sm" role="group" aria-label={title}>
      <Text fw={600} size="sm">
        {title}
      </Text>
      {children}
    </Stack>
  );
}

/** One sentence about each algorithm. */
const explanations: Record<Algorithm, string> = {
  'Manual CPM': 'Bids your CPM on every matching impression.',
  'Target CPI':
    'Bids the predicted value of an impression at your target cost per install, never above the CPM bid.',
  'Max installs':
    'Spends the daily budget evenly over the day, and pays less than the CPM bid where possible.',
  'Target CPA':
    'Bids for people who do the goal event in the app, at your target cost per person, never above the CPM bid. Works well from about 50 of them in 7 days.',
  'Target ROAS':
    'Bids for people whose revenue in the app reaches your target in percent of the spend, never above the CPM bid. Works well from about 50 payers in 7 days.',
};

interface AlgorithmChoiceProps {
  value: Algorithm | null;
  onChange: (algorithm: Algorithm) => void;
  error: ReactNode;
  campaignKind: CampaignKind;
}

/** Selects the bidding algorithm of an ad set. */
function AlgorithmChoice({ value, onChange, error, campaignKind }: AlgorithmChoiceProps) {
  return (
    <Radio.Group
      label="Bid strategy"
      description={campaignKind === 're_engagement' && `${campaignMessages.reEngagementAlgorithm}.`}
      withAsterisk
      value={value}
      onChange={(algorithm) => onChange(algorithm as Algorithm)}
      error={error}
    >
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm" my={6}>
        {ALGORITHMS.filter((algorithm) => isAlgorithmOf(campaignKind, algorithm)).map((algorithm) => (
          <Radio key={algorithm} value={algorithm} label={algorithm} description={explanations[algorithm]} />
        ))}
      </SimpleGrid>
    </Radio.Group>
  );
}
