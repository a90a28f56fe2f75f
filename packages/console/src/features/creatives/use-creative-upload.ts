import type { CreativeType } from '@bidwell/contract/creative';
import { screenMessages } from '@bidwell/contract/screen-messages';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { creativesQuery } from '../../lib/queries/creatives.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { focusFirstError } from '../../ui/form-fields.tsx';
import type { DetailsForm } from './upload-details.ts';
import { detailsOf, detailsSchema, emptyDetails } from './upload-details.ts';
import type { UploadItem } from './upload-list.ts';
import { useUploads, withErrors } from './use-uploads.ts';

/**
 * State of adding creatives: the details that all files share, the files of each type, and their upload. `type` is
 * the type on the screen, `app` the uuid of the preselected app.
 */
export function useCreativeUpload(type: CreativeType, app: string | undefined) {
  const navigate = useNavigate();
  const { data: creatives = [] } = useQuery(creativesQuery);
  const uploads = useUploads();
  const [attempted, setAttempted] = useState(false);
  const [busy, setBusy] = useState(false);
  const form = useForm<DetailsForm>({
    initialValues: { ...emptyDetails, app_id: app ?? '' },
    validate: schemaResolver(detailsSchema, { sync: true }),
  });
  const existing = creatives.filter((creative) => creative.app.uuid === form.values.app_id);
  const listed = withErrors(uploads.items, type, existing);
  const ready = listed.filter(
    ({ item, error }) => error === null && (item.type !== 'Video' || item.endCard !== null),
  );

  const send = async (items: readonly UploadItem[]) => {
    setBusy(true);
    const details = detailsOf(form.getValues(), type);
    const { done, left } = await uploads.send(items, details);
    setBusy(false);
    setAttempted(done < items.length);
    toastResult(done, items.length - done);
    if (done === items.length && left === 0) {
      await navigate({ to: '/creatives', search: { type, app: details.app_id }, ignoreBlocker: true });
    }
  };
  const submit = form.onSubmit(
    () => {
      setAttempted(true);
      if (ready.length > 0) void send(ready.map(({ item }) => item));
    },
    (errors) => {
      setAttempted(true);
      focusFirstError(form)(errors);
    },
  );
  /** A video waits for its end card: uploads it once the card is added, if the other fields are valid. */
  const addEndCard = async (item: UploadItem, file: File) => {
    const complete = await uploads.addEndCard(item, file);
    if (!complete) return;
    const after = uploads.items.map((one) => (one.key === complete.key ? complete : one));
    const { error } = withErrors(after, type, existing).find(({ item: { key } }) => key === complete.key)!;
    if (error === null && detailsSchema.safeParse(form.getValues()).success) await send([complete]);
  };
  const setType = (next: CreativeType) => {
    setAttempted(false);
    void navigate({ to: '.', search: (before: object) => ({ ...before, type: next }), replace: true });
  };

  return {
    form,
    uploads,
    /** The creatives that the app has already. */
    existing,
    /** The selected files of the type with their errors. */
    listed,
    /** Number of files that can be uploaded now. */
    readyCount: ready.length,
    /** Whether missing files and end cards are shown as errors. */
    attempted,
    busy,
    submit,
    addEndCard,
    setType,
  };
}

/** What {@link useCreativeUpload} returns. */
export type CreativeUpload = ReturnType<typeof useCreativeUpload>;

function toastResult(done: number, failed: number): void {
  if (done > 0) toastSuccess(screenMessages.creativesUploaded(done));
  if (failed > 0) {
    const text = screenMessages.filesNotAccepted(failed);
    toastError(new Error(text));
  }
}
