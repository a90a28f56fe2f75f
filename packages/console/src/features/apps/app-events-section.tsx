import { Skeleton, Stack } from '@mantine/core';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { appEventsQuery } from '../../entities/apps/queries.ts';
import { useLoadable } from '../../lib/loadable.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { AnchorLink } from '../../ui/layout/links.tsx';
import { Muted } from '../../ui/layout/muted.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { AppEventSettingsForm } from './app-event-settings-form.tsx';
import { AppEventsTable } from './app-events-table.tsx';

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
