import type { Adset } from '@bidwell/contract/adsets/schema';
import { type Campaign, campaignVersion } from '@bidwell/contract/campaigns/schema';
import { versionOf } from '@bidwell/contract/lib/version';
import { z } from 'zod';
import { unknownBase } from '../../../ui/form/edited/changed-elsewhere.tsx';
import { type AdsetValues, adsetValues } from '../adset-form/adset-values.ts';
import { type AdsetFormItem, type CampaignFormValues, campaignFormValues } from './campaign-form-values.ts';

/** The campaign that a form edits, with its ad sets. */
export interface EditedCampaign {
  campaign: Campaign;
  adsets: readonly Adset[];
}

/**
 * A campaign's form field by field, to be compared with what someone else saved: `adset:<uuid>` is whether the campaign has an ad
 * set, `adset:<uuid>:<field>` a field of it.
 */
export const CampaignFields = z.record(z.string(), z.unknown());
export type CampaignFields = z.infer<typeof CampaignFields>;

/** Ad sets: as they are saved, with changes, or not in the campaign. */
type Membership = 'saved' | 'changed' | 'left';

const ADSET_FIELD = /^adset:([^:]+)(?::(.+))?$/;

/** The uuid of the ad set that a field is about, and its field; null for a field of the campaign. Pure. */
export function adsetFieldOf(field: string): { uuid: string; field: string | undefined } | null {
  const [, uuid, of] = ADSET_FIELD.exec(field) ?? [];
  return uuid === undefined ? null : { uuid, field: of };
}

function fieldsOfAdset(uuid: string, membership: Membership, values: AdsetValues): CampaignFields {
  const fields = Object.entries(values).map(([field, value]) => [`adset:${uuid}:${field}`, value]);
  return { [`adset:${uuid}`]: membership, ...Object.fromEntries(fields) };
}

/** The fields of a campaign as it is saved; of `form` are the ad sets that it may have lost. Pure. */
export function savedFields({ campaign, adsets }: EditedCampaign, form: CampaignFormValues): CampaignFields {
  const { adsets: _adsets, ...own } = campaignFormValues(campaign, []);
  const left = form.adsets.flatMap(({ uuid }) => (uuid === null ? [] : [[`adset:${uuid}`, 'left']]));
  return Object.assign(
    { ...own, ...Object.fromEntries(left) },
    ...adsets.map((adset) => fieldsOfAdset(adset.uuid, 'saved', adsetValues(adset))),
  ) as CampaignFields;
}

/** The fields of a form. Fields of an ad set that it does not have are as in `saved`. Pure. */
export function formFields(
  { adsets, ...own }: CampaignFormValues,
  saved: CampaignFormValues,
): CampaignFields {
  const here = adsets.flatMap(({ uuid, values, saved: before }) => {
    if (uuid === null) return [];
    const isChanged = JSON.stringify(values) !== JSON.stringify(before);
    return [fieldsOfAdset(uuid, isChanged ? 'changed' : 'saved', values)];
  });
  const gone = saved.adsets.map(({ key, values }) => fieldsOfAdset(key, 'left', values));
  return Object.assign({ ...own }, ...gone, ...here) as CampaignFields;
}

/**
 * The base of a form's draft: its stored base, and the other ad sets of the form. Without a base each field counts as
 * changed by someone else, but the changes of the form to an ad set that the campaign still has are its own. Pure.
 */
export function draftBase(
  stored: CampaignFields | null,
  saved: CampaignFields,
  form: CampaignFields,
): CampaignFields {
  if (stored === null) {
    const own = Object.keys(saved).filter((field) => saved[field] === 'saved' && form[field] === 'changed');
    return { ...unknownBase(saved), ...Object.fromEntries(own.map((field) => [field, 'saved'])) };
  }
  const added = Object.keys(form).filter((field) => adsetFieldOf(field) && !Object.hasOwn(stored, field));
  const left = added.flatMap((field) => (adsetFieldOf(field)?.field === undefined ? [[field, 'left']] : []));
  return { ...stored, ...Object.fromEntries(left) };
}

/** The campaign of {@link savedFields}, with its ad sets in the order in which the form has them. Pure. */
export function savedForm(fields: CampaignFields, form: CampaignFormValues): CampaignFormValues {
  const own = Object.entries(fields).filter(([field]) => adsetFieldOf(field) === null);
  const here = form.adsets.flatMap(({ uuid }) => uuid ?? []);
  const all = Object.keys(fields).flatMap((field) => adsetFieldOf(field)?.uuid ?? []);
  const items = [...new Set([...here, ...all])].flatMap((uuid) => savedItem(fields, uuid) ?? []);
  return { ...(Object.fromEntries(own) as Omit<CampaignFormValues, 'adsets'>), adsets: items };
}

function savedItem(fields: CampaignFields, uuid: string): AdsetFormItem | null {
  if (fields[`adset:${uuid}`] !== 'saved') return null;
  const prefix = `adset:${uuid}:`;
  const own = Object.entries(fields).filter(([field]) => field.startsWith(prefix));
  const values = Object.fromEntries(own.map(([field, value]) => [field.slice(prefix.length), value]));
  return { key: uuid, uuid, values: values as AdsetValues, saved: values as AdsetValues };
}

/** The form after someone saved its ad sets: a change is what differs from the saved values. Pure. */
export function rebased(form: CampaignFormValues, saved: CampaignFormValues): CampaignFormValues {
  const present = new Map(saved.adsets.map(({ key, values }) => [key, values]));
  const adsets = form.adsets.map((item) => {
    const values = item.uuid === null ? undefined : present.get(item.uuid);
    return values ? { ...item, saved: values } : item;
  });
  return { ...form, adsets };
}

/** The form with another value of one of its {@link CampaignFields}; an ad set that someone added is as in `saved`. Pure. */
export function withField(
  form: CampaignFormValues,
  saved: CampaignFormValues,
  name: string,
  value: unknown,
): CampaignFormValues {
  const of = adsetFieldOf(name);
  if (of === null) return { ...form, [name]: value };
  const { uuid, field } = of;
  if (field !== undefined)
    return {
      ...form,
      adsets: form.adsets.map((item) =>
        item.uuid === uuid ? { ...item, values: { ...item.values, [field]: value } } : item,
      ),
    };
  const others = form.adsets.filter((item) => item.uuid !== uuid);
  if (value === 'left') return { ...form, adsets: others };
  const added = saved.adsets.find((item) => item.uuid === uuid);
  return added && others.length === form.adsets.length ? { ...form, adsets: [...others, added] } : form;
}

/**
 * The version of a campaign with these ad sets; the form has saved `changed` of them since. If the campaign was read before or
 * after its ad sets, and has others, it is a version that the server does not have. Pure.
 */
export function versionWith(
  { campaign, adsets }: EditedCampaign,
  changed: ReadonlyMap<string, Campaign['adsets'][number]>,
): string {
  const known = new Map(adsets.map(({ uuid, name, status }) => [uuid, { uuid, name, status }]));
  const listed = campaign.adsets.flatMap(({ uuid }) => changed.get(uuid) ?? known.get(uuid) ?? []);
  const unlisted = [...known.values()].filter(({ uuid }) => listed.every((one) => one.uuid !== uuid));
  return versionOf(campaignVersion, { ...campaign, adsets: [...listed, ...unlisted] });
}
