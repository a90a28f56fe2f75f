import { APP_EVENT_NAMES_MAX } from '@bidwell/contract/apps/event-settings';
import { assumedInstallPrice } from '@bidwell/contract/adsets/assumed-install-price';
import { dateAt, dayText } from '@bidwell/contract/lib/calendar';
import { partnerInText } from '@bidwell/contract/measurement/partners/partners';
import { goalNotices } from '@bidwell/contract/text/goal-messages';
import { Alert, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useKnown } from '../../../lib/loadable.ts';
import { appEventsQuery, appsQuery } from '../../../entities/apps/queries.ts';
import { trackingLinksQuery } from '../../../entities/tracking-links/queries.ts';
import { formatMoney } from '../../../lib/format/format.ts';
import { useTimeZone } from '../../../lib/today.ts';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import type { AdsetValues } from './adset-values.ts';

/** While someone types the name of an event. */
const DEBOUNCE_MS = 500;

/**
 * Says that the app of an ad set has never had an event of its goal, what the ad set bids by meanwhile and what to check; nothing
 * where it has had one, where no event is chosen, and while that is not known.
 */
export function GoalNotice({ values }: { values: AdsetValues }) {
  const timeZone = useTimeZone();
  const [settled] = useDebouncedValue(values.goal_event, DEBOUNCE_MS);
  const links = useKnown(trackingLinksQuery);
  const apps = useKnown(appsQuery);
  const link = links?.find(({ uuid }) => uuid === values.tracking_link_id);
  const app = link && apps?.find(({ uuid }) => uuid === link.app_id);
  const data = useKnown({ ...appEventsQuery(app?.uuid ?? ''), enabled: app !== undefined });
  const event = values.algo === 'Target CPA' ? (settled ?? '').trim() : null;
  if (!app || !data || !values.algo || event === '') return null;
  const hasArrived = event === null ? data.events.length > 0 : data.events.some(({ name }) => name === event);
  if (hasArrived) return null;
  const since = dayText(dateAt(Date.parse(app.created_at), timeZone));
  const { algo, bet_cpm: cpm, bet_cpi: cpi, cpa } = values;
  const isFull = event !== null && data.events.length >= APP_EVENT_NAMES_MAX;
  const assumed = assumedInstallPrice({ algo, bet_cpm: cpm ?? 0, bet_cpi: cpi, cpa });
  return (
    <Alert color="orange" variant="light" p="xs" role="status">
      <Stack gap={4} align="flex-start">
        <Text size="sm">
          {isFull
            ? goalNotices.notCounted(event, `“${app.name}”`)
            : goalNotices.neverArrived({ event, app: `“${app.name}”`, since })}{' '}
          {assumed ? `${goalNotices.meanwhile('the ad set', formatMoney(assumed))} ` : ''}
          {!isFull && goalNotices.check(event, partnerInText(app.mobile_measurement_partner))}
        </Text>
        <AnchorLink
          size="sm"
          c="inherit"
          td="underline"
          to="/tracking-links/edit"
          search={{ uuid: values.tracking_link_id }}
        >
          Measurement of the tracking link
        </AnchorLink>
      </Stack>
    </Alert>
  );
}
