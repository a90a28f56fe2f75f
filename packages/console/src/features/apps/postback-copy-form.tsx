import { COPY_FACTS } from '@bidwell/contract/measurement/partners/postback-copies';
import { mmpNames } from '@bidwell/contract/measurement/partners/partners';
import {
  PostbackCopyInput,
  type PostbackCopyTarget,
  postbackCopyTargetVersion,
} from '@bidwell/contract/measurement/postback-copies';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Checkbox, TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { postbackCopiesQuery, updatePostbackCopies } from '../../entities/measurement/partner-queries.ts';
import { readAgain } from '../../lib/api/query-client.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { Muted } from '../../ui/layout/text.tsx';

interface CopyValues extends Record<string, unknown> {
  is_enabled: boolean;
  /** Empty for none. */
  url: string;
  adattributionkit_url: string;
}

const valuesOf = ({ is_enabled, url, adattributionkit_url: ofKit }: PostbackCopyTarget): CopyValues => ({
  is_enabled,
  url: url ?? '',
  adattributionkit_url: ofKit ?? '',
});
const inputOf = ({ is_enabled, url, adattributionkit_url: ofKit }: CopyValues) => ({
  is_enabled,
  url: url.trim() || null,
  adattributionkit_url: ofKit.trim() || null,
});

const LABELS: Readonly<Record<keyof CopyValues & string, string>> = {
  is_enabled: 'Send copies',
  url: 'Address for SKAdNetwork',
  adattributionkit_url: 'Address for AdAttributionKit',
};

interface PostbackCopyFormProps {
  appUuid: string;
  target: PostbackCopyTarget;
  onDone: () => void;
}

/** Form of whether copies of an app's postbacks go to a partner, and where. */
export function PostbackCopyForm({ appUuid, target, onDone }: PostbackCopyFormProps) {
  const { mmp } = target;
  const { url, agree, notDocumented } = COPY_FACTS[mmp];
  const { form, busy, submit, changedElsewhere } = useSavedForm<CopyValues, void, PostbackCopyTarget>({
    initialValues: valuesOf(target),
    validate: (values) => schemaResolver(PostbackCopyInput, { sync: true })(inputOf(values)),
    entity: {
      saved: target,
      valuesOf,
      version: postbackCopyTargetVersion,
      reload: async () => {
        const { targets } = await readAgain(postbackCopiesQuery(appUuid));
        return targets.find((each) => each.mmp === mmp) ?? target;
      },
      labelOf: (field) => LABELS[field] ?? field,
    },
    send: async (values, version) => updatePostbackCopies({ uuid: appUuid, mmp }, inputOf(values), version),
    done: consoleMessages.saved('Copies of postbacks'),
    onSaved: onDone,
  });
  return (
    <DialogForm onSubmit={submit}>
      {changedElsewhere}
      <Muted>
        {agree} Not documented publicly: {notDocumented}
      </Muted>
      <Checkbox
        label={`Send copies to ${mmpNames[mmp]}`}
        {...form.getInputProps('is_enabled', { type: 'checkbox' })}
      />
      <TextInput
        label={LABELS.url}
        description={url === null ? 'The address that the partner gives you' : `Empty for ${url}`}
        withAsterisk={url === null}
        autoComplete="off"
        {...form.getInputProps('url')}
      />
      <TextInput
        label={LABELS.adattributionkit_url}
        description="The address that the partner gives you; empty: these postbacks are not copied"
        autoComplete="off"
        {...form.getInputProps('adattributionkit_url')}
      />
      <FormButtons action="Save" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
