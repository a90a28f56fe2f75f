import type { Mmp } from '@bidwell/contract/apps/fields';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { trackingLinkMessages } from '@bidwell/contract/tracking-links/messages';
import type { App } from '@bidwell/contract/apps/schema';
import {
  type TrackingLink,
  TrackingLinkInput,
  trackingLinkVersion,
} from '@bidwell/contract/tracking-links/schema';
import { Skeleton, Stack, Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { notCounted } from '../../entities/measurement/measurement-text.ts';
import { MeasurementTiles } from '../../entities/measurement/measurement-tiles.tsx';
import { NotCountedList } from '../../entities/measurement/not-counted-list.tsx';
import { measurementQuery } from '../../entities/measurement/queries.ts';
import { presetRange } from '../../lib/format/date-presets.ts';
import { type Loadable, isKnown, knownData, unknownOf, useLoadable } from '../../lib/loadable.ts';
import { appsQuery } from '../../entities/apps/queries.ts';
import { postbacksQuery } from '../../entities/postbacks/queries.ts';
import {
  createTrackingLink,
  trackingLinkQuery,
  updateTrackingLink,
} from '../../entities/tracking-links/queries.ts';
import { readAgain } from '../../lib/api/query-client.ts';
import { AppSelect } from '../../entities/apps/app-select.tsx';
import { useToday } from '../../lib/today.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { EditScreen } from '../../ui/layout/edit-screen.tsx';
import { useEntityForm } from '../../ui/form/entity-form.ts';
import { FormActions } from '../../ui/form/form-actions.tsx';
import { FormHeader, type FormInDrawer, newDraftKey } from '../../ui/form/form-in-drawer.tsx';
import { FormSection } from '../../ui/form/form-section.tsx';
import { TitleFields } from '../../ui/form/title-fields.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { LinkUrls } from './link-urls.tsx';
import { mmpNames } from '@bidwell/contract/measurement/partners/partners';
import { PartnerCostsSection } from './partner-costs.tsx';
import { PartnerSetup } from './partner-setup.tsx';
import { PostbackUrls } from './postback-urls.tsx';
import { TrackingLinkValues, newValues, valuesOf } from './tracking-link-values.ts';

const validate = schemaResolver(TrackingLinkInput, { sync: true });

interface TrackingLinkFormProps {
  link?: TrackingLink;
  drawer?: FormInDrawer<TrackingLink>;
}

/** Form of a tracking link, new or existing. */
export function TrackingLinkForm(props: TrackingLinkFormProps) {
  const { link, drawer } = props;
  const apps = useLoadable(appsQuery);
  // A new link of an app begins with the template of the app's partner.
  if (!link && drawer?.appUuid && !isKnown(apps)) return <EditScreen entity={apps}>{() => null}</EditScreen>;
  return <Fields {...props} apps={apps} />;
}

function Fields({ link, drawer, apps }: TrackingLinkFormProps & { apps: Loadable<readonly App[]> }) {
  const postbacks = useLoadable(postbacksQuery);
  const { form, busy, notice, submit } = useEntityForm<TrackingLinkValues, TrackingLink>({
    draftKey: link ? `tracking-link.${link.uuid}` : newDraftKey('tracking-link', drawer),
    draftSchema: TrackingLinkValues,
    initialValues: link
      ? valuesOf(link)
      : newValues(
          drawer?.appUuid,
          knownData(apps)?.find(({ uuid }) => uuid === drawer?.appUuid),
        ),
    entity: link && {
      saved: link,
      valuesOf,
      version: trackingLinkVersion,
      reload: () => readAgain(trackingLinkQuery(link.uuid)),
      nameOf: (_field, id) => knownData(apps)?.find(({ uuid }) => uuid === id)?.name,
    },
    validate,
    save: async (values, version) => {
      const input = TrackingLinkInput.parse(values);
      const saved = await (link ? updateTrackingLink(link.uuid, input, version) : createTrackingLink(input));
      return { saved, message: consoleMessages.saved('Tracking link') };
    },
    tab: 'tracking-links',
    drawer,
    failure: trackingLinkMessages.tryAgainTrackingLink,
  });
  const appUuid = form.values.app_id;
  const listed = knownData(apps)?.find(({ uuid }) => uuid === appUuid);
  const app = listed ?? (link?.app_id === appUuid ? link.app : undefined);

  return (
    <>
      <FormHeader
        inDrawer={drawer !== undefined}
        title={link ? link.name : 'New tracking link'}
        description="The URL that a click opens, and the URL that is loaded when the ad is viewed."
      />
      <form onSubmit={submit} noValidate>
        <Stack maw={860}>
          {notice}
          <FormSection>
            {!drawer?.appUuid && (
              <AppSelect
                apps={apps}
                description={app && `Measured by ${mmpNames[app.mobile_measurement_partner]}`}
                {...form.getInputProps('app_id')}
                value={appUuid}
              />
            )}
            <TitleFields title={form.getInputProps('name')} description={form.getInputProps('description')} />
          </FormSection>
          <LinkUrls form={form} app={app} secret={knownData(postbacks)?.secret} />
          {link && app && <LinkMeasurement uuid={link.uuid} mmp={app.mobile_measurement_partner} />}
          {app && <PartnerSetup mmp={app.mobile_measurement_partner} />}
          {app && (
            <FigureFrame figures={postbacks} what="The postback URLs" skeleton={<Skeleton height={160} />}>
              {(known) => <PostbackUrls mmp={app.mobile_measurement_partner} postbacks={known} />}
            </FigureFrame>
          )}
          {link && app && <PartnerCostsSection mmp={app.mobile_measurement_partner} />}
          <FormActions
            cancel={drawer?.onCancel ?? { to: '/assets', search: { tab: 'tracking-links' } }}
            action="Save tracking link"
            busy={busy}
            permission="tracking_link.write"
          />
        </Stack>
      </form>
    </>
  );
}

/** The outcomes of a tracking link's clicks and postbacks in the last 30 days. */
function LinkMeasurement({ uuid, mmp }: { uuid: string; mmp: Mmp }) {
  const range = presetRange('Last 30 Days', useToday());
  const figures = useLoadable(measurementQuery({ tracking_link_id: uuid }, range));
  const report = knownData(figures);
  const reasons = report ? notCounted(report.total, mmpNames[mmp]) : [];
  return (
    <Section title="Last 30 days">
      <Stack>
        <FigureFrame figures={figures} keepsChildren>
          <MeasurementTiles counts={report?.total ?? unknownOf(figures)} />
        </FigureFrame>
        {report && report.total.clicks > 0 && report.total.postbacks === 0 && (
          <Text size="sm">
            No postback has come for this link’s clicks. Check the postback URLs at {mmpNames[mmp]}, and send
            a test install.
          </Text>
        )}
        {reasons.length > 0 && <NotCountedList reasons={reasons} />}
      </Stack>
    </Section>
  );
}
