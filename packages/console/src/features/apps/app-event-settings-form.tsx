import {
  AppEventSettings,
  EVENT_WINDOW_DAYS_MAX,
  INSTALL_LATENESS_DAYS,
  REVENUE_SOURCES,
  type RevenueSource,
  appEventSettingsVersion,
} from '@bidwell/contract/apps/event-settings';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Checkbox, Group, NumberInput, SimpleGrid, Stack } from '@mantine/core';
import { readAgain } from '../../lib/api/query-client.ts';
import { appEventsQuery, updateAppEvents } from '../../entities/apps/queries.ts';
import { LeaveGuard } from '../../ui/form/leave-guard.tsx';
import { SubmitButton } from '../../ui/form/form-buttons.tsx';
import { useSavedSection } from '../../ui/form/saved-form.ts';
import { Caption } from '../../ui/layout/text.tsx';

const sourceTexts: Readonly<Record<RevenueSource, string>> = {
  purchases: 'Purchases',
  ad_revenue: 'Ad revenue',
};

interface AppEventSettingsFormProps {
  /** Of the app. */
  uuid: string;
  saved: AppEventSettings;
  /** Told whether there are unsaved changes. */
  onDirtyChange: (dirty: boolean) => void;
}

/** How the events of an app count: for how many days, and which are revenue. Saved on its own. */
export function AppEventSettingsForm({ uuid, saved, onDirtyChange }: AppEventSettingsFormProps) {
  const { form, busy, submit, isUnsaved, changedElsewhere } = useSavedSection<
    AppEventSettings,
    unknown,
    AppEventSettings
  >({
    entity: {
      saved: settingsOf(saved),
      valuesOf: settingsOf,
      version: appEventSettingsVersion,
      reload: async () => settingsOf(await readAgain(appEventsQuery(uuid))),
    },
    schema: AppEventSettings,
    send: (values, version) => updateAppEvents(uuid, values, version),
    done: consoleMessages.saved('Event settings'),
    onDirtyChange,
  });
  const days = (name: keyof AppEventSettings & `${string}_days`, max = EVENT_WINDOW_DAYS_MAX) => ({
    min: 1,
    max,
    clampBehavior: 'none' as const,
    allowDecimal: false,
    ...form.getInputProps(name),
  });
  return (
    <form onSubmit={submit} noValidate>
      <LeaveGuard when={isUnsaved} />
      <Stack gap="sm">
        {changedElsewhere}
        <Checkbox.Group
          label="Counts as revenue"
          description={screenMessages.appRevenueSources}
          {...form.getInputProps('revenue_sources')}
          onChange={(chosen) =>
            form.setFieldValue(
              'revenue_sources',
              REVENUE_SOURCES.filter((source) => chosen.includes(source)),
            )
          }
        >
          <Group mt="xs">
            {REVENUE_SOURCES.map((source) => (
              <Checkbox key={source} value={source} label={sourceTexts[source]} />
            ))}
          </Group>
        </Checkbox.Group>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput label="Count events after a click, days" {...days('click_window_days')} />
          <NumberInput label="Count events after a view, days" {...days('view_window_days')} />
        </SimpleGrid>
        <Caption>{screenMessages.appEventWindows}</Caption>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput
            label="Count returns after a click, days"
            {...days('re_engagement_click_window_days', INSTALL_LATENESS_DAYS)}
          />
          <NumberInput
            label="Count returns after a view, days"
            {...days('re_engagement_view_window_days', INSTALL_LATENESS_DAYS)}
          />
        </SimpleGrid>
        <Caption>{screenMessages.appReturnWindows}</Caption>
        <SubmitButton busy={busy} variant="default">
          Save event settings
        </SubmitButton>
      </Stack>
    </form>
  );
}

/** Without the events of the response. */
const settingsOf = (settings: AppEventSettings): AppEventSettings => ({
  click_window_days: settings.click_window_days,
  view_window_days: settings.view_window_days,
  re_engagement_click_window_days: settings.re_engagement_click_window_days,
  re_engagement_view_window_days: settings.re_engagement_view_window_days,
  revenue_sources: settings.revenue_sources,
});
