import type { CreativeType } from '@bidwell/contract/creative';
import { limits } from '@bidwell/contract/limits';
import { HttpUrlOrEmpty, Uuid, description } from '@bidwell/contract/wire';
import { z } from 'zod';
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

/** Validation of the details of an upload. */
export const detailsSchema = z.object({
  app_id: Uuid,
  description,
  click_url: HttpUrlOrEmpty,
  view_url: HttpUrlOrEmpty,
  native_title: atMost(limits.nativeTitleMax),
  native_description: atMost(limits.nativeDescriptionMax),
  native_sponsor: atMost(limits.nativeSponsorMax),
});

/** Form values shared by all files of an upload. */
export type DetailsForm = z.infer<typeof detailsSchema>;

/** The details to send for a type of creative. */
export function detailsOf(form: DetailsForm, type: CreativeType): UploadDetails {
  const { app_id, click_url, view_url } = detailsSchema.parse(form);
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
