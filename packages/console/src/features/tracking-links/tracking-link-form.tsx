import { consoleMessages, messages } from '@bidwell/contract/messages';
import type { TrackingLink } from '@bidwell/contract/tracking-link';
import { TrackingLinkInput } from '@bidwell/contract/tracking-link';
import { Stack } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { appsQuery } from '../../lib/queries/apps.ts';
import { postbacksQuery } from '../../lib/queries/postbacks.ts';
import { createTrackingLink, updateTrackingLink } from '../../lib/queries/tracking-links.ts';
import { AppSelect } from '../../ui/app-select.tsx';
import { useEntityForm } from '../../ui/entity-form.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { FormSection } from '../../ui/form-section.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TitleFields } from '../../ui/title-fields.tsx';
import { LinkUrls } from './link-urls.tsx';
import { mmpRules } from './mmp-rules.ts';
import { PostbackUrls } from './postback-urls.tsx';
import { TrackingLinkValues, valuesOf } from './tracking-link-values.ts';

const validate = schemaResolver(TrackingLinkInput, { sync: true });

/** Form of a tracking link, new or existing. */
export function TrackingLinkForm({ link }: { link?: TrackingLink }) {
  const { data: apps = [] } = useQuery(appsQuery);
  const { data: postbacks } = useQuery(postbacksQuery);
  const { form, busy, notice, submit } = useEntityForm<TrackingLinkValues>({
    draftKey: `tracking-link.${link?.uuid ?? 'new'}`,
    draftSchema: TrackingLinkValues,
    initialValues: valuesOf(link),
    validate,
    save: async (values) => {
      const input = TrackingLinkInput.parse(values);
      await (link ? updateTrackingLink(link.uuid, input) : createTrackingLink(input));
      return consoleMessages.saved('Tracking link');
    },
    tab: 'tracking-links',
    failure: messages.tryAgainTrackingLink,
  });
  const appUuid = form.values.app_id;
  const app = apps.find(({ uuid }) => uuid === appUuid) ?? (link?.app_id === appUuid ? link.app : undefined);

  return (
    <>
      <PageHeader
        title={link ? link.name : 'New tracking link'}
        description="The URL that a click opens, and the URL that is loaded when the ad is viewed."
      />
      <form onSubmit={submit} noValidate>
        <Stack maw={860}>
          {notice}
          <FormSection>
            <AppSelect
              apps={apps}
              description={app && `Measured by ${mmpRules[app.mobile_measurement_partner].name}`}
              {...form.getInputProps('app_id')}
              value={appUuid}
              onChange={(uuid) => form.setFieldValue('app_id', uuid)}
            />
            <TitleFields title={form.getInputProps('name')} description={form.getInputProps('description')} />
          </FormSection>
          <LinkUrls form={form} app={app} secret={postbacks?.secret} />
          {app && postbacks && <PostbackUrls mmp={app.mobile_measurement_partner} postbacks={postbacks} />}
          <FormActions
            cancel={{ to: '/assets', search: { tab: 'tracking-links' } }}
            action="Save tracking link"
            busy={busy}
          />
        </Stack>
      </form>
    </>
  );
}
