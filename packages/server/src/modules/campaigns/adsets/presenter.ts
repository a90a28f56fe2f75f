import { settingFields } from '@bidwell/contract/adsets/fields';
import { BidMultiplier } from '@bidwell/contract/adsets/multipliers';
import { CountrySettings } from '@bidwell/contract/adsets/country-settings';
import { Hours } from '@bidwell/contract/adsets/hours';
import type { SkOverlay } from '@bidwell/contract/adsets/app-store';
import type { Adset, AdsetInput, AdsetSummary } from '@bidwell/contract/adsets/schema';
import type { AppSummary } from '@bidwell/contract/apps/schema';
import { toDollars, toMicros } from '@bidwell/contract/lib/money';
import { json } from '../../../platform/postgres/client.ts';
import type { LoggedFields } from '../../changes/public.ts';
import { columnsOfFields, presentColumns } from './field-columns.ts';
import { presentTimes } from '../../../platform/postgres/stores/owned-store.ts';
import { type BundleFields, bundleBytesOf } from './bundle-bytes.ts';
import type { AdsetFieldsRow, AdsetGroupRow, AdsetRow, AdsetSummaryRow } from './store.ts';

/** Converts a row and its related rows into the response body. Micros become dollars. */
export function presentAdset(row: AdsetRow, app: AppSummary, groups: readonly AdsetGroupRow[]): Adset {
  return {
    ...presentFields(row, app, groups),
    black_list_bundles: row.black_list_bundles,
    white_list_bundles: row.white_list_bundles,
    bundle_bids: Object.fromEntries(
      Object.entries(row.bundle_bids).map(([bundle, micros]) => [bundle, toDollars(micros)]),
    ),
  };
}

/** {@link presentAdset} without the lists of bundles. */
export function presentSummary(
  row: AdsetSummaryRow,
  app: AppSummary,
  groups: readonly AdsetGroupRow[],
): AdsetSummary {
  return { ...presentFields(row, app, groups), bundle_counts: row.bundle_counts };
}

function presentFields(row: AdsetFieldsRow, app: AppSummary, groups: readonly AdsetGroupRow[]) {
  return {
    uuid: row.uuid,
    name: row.name,
    description: row.description,
    status: row.status,
    campaign: row.campaign_uuid === null ? null : { uuid: row.campaign_uuid, name: row.campaign_name ?? '' },
    target: { uuid: row.target_uuid, name: row.target_name, app },
    tracking_link: { uuid: row.tracking_link_uuid, name: row.tracking_link_name },
    creative_groups: groups.map(({ uuid, name }) => ({ uuid, name })),
    ...presentColumns(settingFields, row),
    // In the order of the schemas, which jsonb does not keep.
    overlay: row.overlay && presentOverlay(row.overlay),
    hours: row.hours && Hours.parse(row.hours),
    bid_multipliers: row.bid_multipliers.map((one) => BidMultiplier.parse(one)),
    countries: row.countries.map((one) => CountrySettings.parse(one)),
    ...presentTimes(row),
  };
}

function presentOverlay({
  delay,
  end_card_delay: endCardDelay,
  dismissible,
  position,
}: SkOverlay): SkOverlay {
  return { delay, end_card_delay: endCardDelay, dismissible, position };
}

/** Columns of an input, the status excepted. Dollars become micros. */
export function columnsOf(input: AdsetInput) {
  return { ...fieldColumnsOf(input), ...bundleColumnsOf(input) };
}

/** {@link columnsOf} without the columns of the bundles. */
export function fieldColumnsOf(input: Omit<AdsetInput, keyof BundleFields>) {
  return {
    name: input.name,
    description: input.description,
    target_uuid: input.target_id,
    tracking_link_uuid: input.tracking_link_id,
    ...columnsOfFields(settingFields, input),
  };
}

function bundleColumnsOf(input: BundleFields) {
  return {
    black_list_bundles: json(input.black_list_bundles),
    white_list_bundles: json(input.white_list_bundles),
    bundle_bids: json(
      Object.fromEntries(
        Object.entries(input.bundle_bids).map(([bundle, dollars]) => [bundle, toMicros(dollars)]),
      ),
    ),
    bundle_bytes: bundleBytesOf(input),
    bundle_counts: json({
      black_list: input.black_list_bundles.length,
      white_list: input.white_list_bundles.length,
      bids: Object.keys(input.bundle_bids).length,
    }),
  };
}

/** The ad set as an input, over which an update is merged. */
export function inputOf(adset: Adset): AdsetInput {
  return {
    ...adset,
    target_id: adset.target.uuid,
    tracking_link_id: adset.tracking_link.uuid,
    creative_group_ids: adset.creative_groups.map((group) => group.uuid),
  };
}

/** Fields of an ad set that the change log compares. */
export function logged({ target, ...adset }: Omit<Adset, keyof BundleFields>): LoggedFields {
  return { ...adset, target: { uuid: target.uuid, name: target.name } };
}

/**
 * {@link logged} for a copy, without the bundles: one call could otherwise log the bundles of a hundred ad sets again.
 */
export function loggedOfCopy(adset: Adset): LoggedFields {
  const { black_list_bundles: _black, white_list_bundles: _white, bundle_bids: _bids, ...fields } = adset;
  return logged(fields);
}
