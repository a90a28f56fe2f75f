import { type Creative, creativeVersion } from '@bidwell/contract/creatives/schema';
import { versionOf } from '@bidwell/contract/lib/version';
import { limits } from '@bidwell/contract/lib/limits';
import { ClickUrl, ViewUrl } from '@bidwell/contract/tracking-links/url';
import { description, title } from '@bidwell/contract/lib/wire';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Modal, Stack, TagsInput } from '@mantine/core';
import { z } from 'zod';
import { isKnown, mapped, useLoadable } from '../../lib/loadable.ts';
import { readAgain } from '../../lib/api/query-client.ts';
import { compareNames } from '../../lib/format/compare-names.ts';
import { creativesQuery, updateCreative, updateInternalCreative } from '../../entities/creatives/queries.ts';
import { useReviewSentences } from '../../entities/moderation/review-text.ts';
import { UnknownSuggestions } from '../../ui/form/picker/picker-options.tsx';
import { useDialogBeneathDrawer } from '../../ui/form/drawer-requests.ts';
import { CountedInput, CountedTextarea } from '../../ui/form/form-fields.tsx';
import { NativeTexts } from '../../entities/creatives/native-texts.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import { useFocusReturn } from '../../ui/layout/use-focus-return.ts';
import { ownUrls } from './own-urls.ts';
import { UrlFields } from './url-fields.tsx';
import { useFilledUrls } from './use-filled-urls.ts';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';

const atMost = (max: number) => z.string().trim().max(max, `At most ${max} characters`);
const base = z.object({
  name: title(),
  description,
  click_url: ClickUrl,
  view_url: ViewUrl,
  title: atMost(limits.nativeTitleMax),
  sponsor: atMost(limits.nativeSponsorMax),
  labels: z.array(atMost(limits.labelCharsMax)).max(limits.labelsMax),
});
type EditValues = z.infer<typeof base>;
const native = base.extend({ description: atMost(limits.nativeDescriptionMax) });

const valuesOf = (creative: Creative): EditValues => {
  const { name, description: text, title: headline, sponsor } = creative.internal_creative;
  const { click_url, view_url, labels } = creative;
  return {
    name,
    description: text,
    click_url: click_url ?? '',
    view_url: view_url ?? '',
    title: headline,
    sponsor,
    labels,
  };
};

/** Dialog that edits a creative's title, texts, URLs and labels. */
export function CreativeEditDialog({ creative, onClose }: { creative: Creative; onClose: () => void }) {
  useFocusReturn();
  const beneathDrawer = useDialogBeneathDrawer();
  const review = useReviewSentences();
  const labels = mapped(useLoadable(creativesQuery), (creatives) =>
    [...new Set(creatives.flatMap((each) => each.labels))].sort(compareNames),
  );
  const { internal_creative: asset } = creative;
  const isNative = asset.type === 'Native';
  const schema = isNative ? native : base;
  const { form, busy, submit, changedElsewhere } = useSavedForm<EditValues, void, Creative>({
    initialValues: valuesOf(creative),
    entity: {
      saved: creative,
      valuesOf,
      version: creativeVersion,
      labelOf: (field) => (field === 'name' ? 'Title' : undefined),
      reload: async () =>
        (await readAgain(creativesQuery)).find(({ uuid }) => uuid === creative.uuid) ?? creative,
    },
    schema,
    send: async (values, version) => {
      const { title: headline, sponsor, ...rest } = schema.parse(values);
      const renamed =
        isNative && (await updateInternalCreative(asset.uuid, { title: headline, sponsor }, version));
      const isUnchanged =
        rest.click_url === (creative.click_url ?? '') && rest.view_url === (creative.view_url ?? '');
      const input = { ...rest, ...(isUnchanged ? {} : ownUrls(rest, filled)) };
      await updateCreative(creative.uuid, input, renamed ? versionOf(creativeVersion, renamed) : version);
    },
    done: consoleMessages.saved('Creative'),
    onSaved: onClose,
  });
  const filled = useFilledUrls(form, creative.app.uuid);
  return (
    <Modal opened onClose={onClose} title={`Edit ${asset.name}`} size="lg" {...beneathDrawer}>
      <form onSubmit={submit} noValidate>
        {changedElsewhere}
        <Stack>
          <Muted>
            App: {creative.app.name}. {isNative ? review.changedNative : review.changedCreative}
          </Muted>
          <CountedInput
            label="Title"
            withAsterisk
            data-autofocus
            maxLength={limits.titleMax}
            {...form.getInputProps('name')}
          />
          {isNative && (
            <NativeTexts title={form.getInputProps('title')} sponsor={form.getInputProps('sponsor')} />
          )}
          <CountedTextarea
            label="Description"
            maxLength={isNative ? limits.nativeDescriptionMax : limits.descriptionMax}
            {...form.getInputProps('description')}
          />
          <UrlFields
            appUuid={creative.app.uuid}
            clickProps={form.getInputProps('click_url')}
            viewProps={form.getInputProps('view_url')}
            onFill={(urls) => form.setValues(urls)}
          />
          <TagsInput
            label="Labels"
            description={
              <>
                Only your company sees them. Search for a label to list its creatives.{' '}
                <UnknownSuggestions of={labels} />
              </>
            }
            maxTags={limits.labelsMax}
            {...(isKnown(labels) && { data: labels.data })}
            {...form.getInputProps('labels')}
          />
          <FormButtons action="Save creative" onCancel={onClose} busy={busy} />
        </Stack>
      </form>
    </Modal>
  );
}
