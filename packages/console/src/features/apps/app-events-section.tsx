import type { AppEvents } from '@bidwell/contract/apps/event-settings';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Skeleton, Stack, TextInput } from '@mantine/core';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { IconPencil, IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { appEventsQuery } from '../../entities/apps/queries.ts';
import { EventName } from '../../entities/measurement/event-name.tsx';
import { formatMoment } from '../../lib/format/format.ts';
import { useLoadable } from '../../lib/loadable.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { IconButton } from '../../ui/layout/buttons.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { AppEventDialog } from './app-event-dialog.tsx';
import { AppEventSettingsForm } from './app-event-settings-form.tsx';
import { matchingEvents, payerTexts } from './app-event-text.ts';

interface AppEventsSectionProps {
  /** Of the app. */
  uuid: string;
  /** Told whether there are unsaved changes. */
  onDirtyChange: (dirty: boolean) => void;
}

/** The in-app events of an app by name, how they are shown, and how they count. */
export function AppEventsSection({ uuid, onDirtyChange }: AppEventsSectionProps) {
  const figures = useLoadable(appEventsQuery(uuid));
  return (
    <Section title="In-app events">
      <FigureFrame figures={figures} what="The in-app events" skeleton={<Skeleton height={220} />}>
        {(data) => (
          <Stack>
            {data.events.length === 0 ? <NoEvents /> : <AppEventsTable uuid={uuid} events={data.events} />}
            <AppEventSettingsForm uuid={uuid} saved={data} onDirtyChange={onDirtyChange} />
          </Stack>
        )}
      </FigureFrame>
    </Section>
  );
}

function NoEvents() {
  return (
    <Muted>
      {screenMessages.appEventsEmpty} The postback URLs to enter there are on the app’s{' '}
      <AnchorLink to="/assets" search={{ tab: 'tracking-links' }} underline="always">
        tracking link
      </AnchorLink>
      .
    </Muted>
  );
}

type AppEvent = AppEvents['events'][number];

/** From this many events on they can be searched. */
const SEARCHED_FROM = 20;

/** The events of an app by name, each with a dialog that changes how it is shown and counts. */
function AppEventsTable({ uuid, events }: { uuid: string; events: readonly AppEvent[] }) {
  const [search, setSearch] = useState('');
  const [edited, setEdited] = useState<AppEvent>();
  const columns = useMemo(() => columnsOf(setEdited), []);
  const rows = matchingEvents(events, search);
  return (
    <Stack gap="xs">
      {events.length >= SEARCHED_FROM && (
        <TextInput
          aria-label="Search the in-app events"
          placeholder="Search"
          leftSection={<IconSearch size={15} />}
          value={search}
          onChange={({ currentTarget: { value } }) => setSearch(value)}
          w={{ base: '100%', xs: 260 }}
        />
      )}
      {rows.length > 0 ? (
        <RecordTable label="In-app events" columns={columns} rows={rows} minWidth={680} maxHeight={360} />
      ) : (
        <Muted>{consoleMessages.nothingMatches(search)}</Muted>
      )}
      <Caption>{screenMessages.appEventsShown}</Caption>
      {edited && <AppEventDialog uuid={uuid} event={edited} onClose={() => setEdited(undefined)} />}
    </Stack>
  );
}

function columnsOf(onEdit: (event: AppEvent) => void): readonly RecordColumn<AppEvent>[] {
  return [
    {
      header: 'Event',
      wrap: 'anywhere',
      width: 180,
      cell: ({ name, label }) => <EventName name={name} label={label} />,
    },
    {
      // Next to the name, so that it is in sight on a phone, where the table scrolls sideways.
      header: 'Edit',
      cell: (event) => (
        <IconButton aria-label={`Edit ${event.name}`} onClick={() => onEdit(event)}>
          <IconPencil size={16} />
        </IconButton>
      ),
    },
    { header: 'In choices', cell: ({ offered }) => (offered ? 'Yes' : 'No') },
    { header: 'Makes a payer', cell: ({ payer }) => payerTexts[payer] },
    { header: 'First seen', wrap: 'never', cell: ({ first_seen_at: first }) => formatMoment(first) },
    {
      header: 'Last seen',
      wrap: 'never',
      cell: ({ last_seen_at: last }) => (last === null ? '–' : formatMoment(last)),
    },
  ];
}
