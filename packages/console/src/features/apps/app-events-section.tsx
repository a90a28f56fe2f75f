import {
  type AppEvents,
  AppEventWindows,
  EVENT_WINDOW_DAYS_MAX,
} from '@bidwell/contract/apps/event-settings';
import { consoleMessages } from '@bidwell/contract/text/messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Button, Group, NumberInput, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useEffect } from 'react';
import { appEventsQuery, updateAppEvents } from '../../entities/apps/queries.ts';
import { useFigures } from '../../lib/figures.ts';
import { formatMoment } from '../../lib/format/format.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { LeaveGuard } from '../../ui/form/leave-guard.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';

type AppEvent = AppEvents['events'][number];

const columns: readonly RecordColumn<AppEvent>[] = [
  { header: 'Event', cell: ({ name }) => name, wrap: 'anywhere' },
  { header: 'First seen', cell: ({ first_seen_at: first }) => formatMoment(first) },
  { header: 'Last seen', cell: ({ last_seen_at: last }) => (last === null ? '–' : formatMoment(last)) },
];

const names = ['click_window_days', 'view_window_days'] as const;
const validate = schemaResolver(AppEventWindows, { sync: true });

interface AppEventsSectionProps {
  /** Of the app. */
  uuid: string;
  /** Told whether there are unsaved changes. */
  onDirtyChange: (dirty: boolean) => void;
}

/** The in-app events of an app by name, and how long after a click or a view they count. */
export function AppEventsSection({ uuid, onDirtyChange }: AppEventsSectionProps) {
  const figures = useFigures(appEventsQuery(uuid));
  const { data } = figures;
  return (
    <Section title="In-app events">
      <FigureFrame figures={figures} what="The in-app events" skeleton={<Skeleton height={220} />}>
        {data && (
          <Stack>
            <EventNames events={data.events} />
            <EventWindows uuid={uuid} saved={data} onDirtyChange={onDirtyChange} />
          </Stack>
        )}
      </FigureFrame>
    </Section>
  );
}

function EventNames({ events }: { events: readonly AppEvent[] }) {
  if (events.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {screenMessages.appEventsEmpty} The postback URLs to enter there are on the app’s{' '}
        <AnchorLink to="/assets" search={{ tab: 'tracking-links' }} underline="always">
          tracking link
        </AnchorLink>
        .
      </Text>
    );
  return <RecordTable label="In-app events" columns={columns} rows={events} maxHeight={320} />;
}

/** How many days after a bid the events of an app count, saved on their own. */
function EventWindows({ uuid, saved, onDirtyChange }: AppEventsSectionProps & { saved: AppEventWindows }) {
  const { form, busy, submit } = useSavedForm<AppEventWindows>({
    initialValues: { click_window_days: saved.click_window_days, view_window_days: saved.view_window_days },
    validate,
    // Only what was changed, so that a change that someone else made meanwhile stays.
    send: (values) =>
      updateAppEvents(
        uuid,
        Object.fromEntries(
          names.flatMap((name) => (values[name] === saved[name] ? [] : [[name, values[name]]])),
        ),
      ),
    done: consoleMessages.saved('Event windows'),
    onSaved: (_saved, values): void => form.resetDirty(values),
  });
  const dirty = form.isDirty();
  useEffect(() => {
    onDirtyChange(dirty);
    return () => onDirtyChange(false);
  }, [dirty, onDirtyChange]);
  const field = (name: keyof AppEventWindows) => ({
    min: 1,
    max: EVENT_WINDOW_DAYS_MAX,
    clampBehavior: 'none' as const,
    allowDecimal: false,
    ...form.getInputProps(name),
  });
  return (
    <form onSubmit={submit} noValidate>
      <LeaveGuard when={dirty && !busy} />
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput label="Count events after a click, days" {...field('click_window_days')} />
          <NumberInput label="Count events after a view, days" {...field('view_window_days')} />
        </SimpleGrid>
        <Text size="xs" c="dimmed">
          {screenMessages.appEventWindows}
        </Text>
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={busy}>
            Save windows
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
