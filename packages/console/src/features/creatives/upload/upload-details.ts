import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { ClickUrl, ViewUrl } from '@bidwell/contract/tracking-links/url';
import { Uuid, description } from '@bidwell/contract/lib/wire';
import { z } from 'zod';
import { type CreativeUrls, ownUrls } from '../own-urls.ts';
import type { UploadDetails } from './upload-list.ts';

export const emptyDetails: DetailsForm = {
  app_id: '',
  description: '',
  click_url: '',
  view_url: '',
  native_title: '',
  native_description: '',
  native_sponsor: '',
};

const atMost = (max: number) => z.string().trim().max(max, `At most ${max} characters`);

/** Validation of the details of an upload that has fields for the URLs. */
export const detailsSchema = z.object({
  app_id: Uuid,
  description,
  click_url: ClickUrl,
  view_url: ViewUrl,
  native_title: atMost(limits.nativeTitleMax),
  native_description: atMost(limits.nativeDescriptionMax),
  native_sponsor: atMost(limits.nativeSponsorMax),
});

/** Validation of the details of an upload without these fields: its ads use the tracking link of their ad set. */
export const detailsWithoutUrls = detailsSchema.extend({ click_url: z.literal(''), view_url: z.literal('') });

/** Form values shared by all files of an upload. */
export type DetailsForm = z.infer<typeof detailsSchema>;

/** The details to send for a type of creative; `filled` are the URLs with which the form was filled. */
export function detailsOf(form: DetailsForm, type: CreativeType, filled: CreativeUrls | null): UploadDetails {
  const { app_id } = form;
  const { click_url, view_url } = ownUrls(
    { click_url: form.click_url.trim(), view_url: form.view_url.trim() },
    filled,
  );
  const native = type === 'Native';
  return {
    app_id,
    click_url,
    view_url,
    description: (native ? form.native_description : form.description).trim(),
    title: native ? form.native_title.trim() : '',
    sponsor: native ? form.native_sponsor.trim() : '',
  };
}
