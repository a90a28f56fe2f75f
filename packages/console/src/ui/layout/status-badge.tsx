import { messages } from '@bidwell/contract/text/messages';
import { LazyTooltip } from './lazy-tooltip.tsx';
import classes from './status-badge.module.css';

const styles = new Map(
  Object.entries({
    Approved: 'good',
    Active: 'good',
    success: 'good',
    delivered: 'good',
    sent: 'good',
    accepted: 'good',
    approved: 'good',
    disapproved: 'bad',
    not_sent: 'inactive',
    not_needed: 'inactive',
    lapsed: 'waiting',
    On: 'good',
    Off: 'inactive',
    refused: 'bad',
    passed: 'good',
    stored: 'good',
    failed: 'bad',
    waiting: 'inactive',
    Moderation: 'waiting',
    Rejected: 'bad',
    Suspended: 'bad',
    declined: 'bad',
    Paused: 'inactive',
    'Campaign paused': 'inactive',
    Archived: 'inactive',
    pending: 'inactive',
  }),
);

const labels = new Map(
  Object.entries({
    success: 'Success',
    pending: 'Pending',
    declined: 'Declined',
    delivered: 'Delivered',
    sent: 'Sent',
    accepted: 'Accepted',
    refused: 'Refused',
    stored: 'Stored',
    failed: 'Failed',
    passed: 'Passed',
    'not documented': 'Not documented',
    waiting: 'Waiting',
    approved: 'Approved',
    disapproved: 'Disapproved',
    not_sent: 'Not sent',
    not_needed: 'Not needed',
    lapsed: 'Lapsed',
  }),
);

/** A status as a dot and a word, so that colour is not the only sign. `reason` explains a rejection. */
export function StatusBadge({ status, reason }: { status: string; reason?: string | null }) {
  const explanation = status === 'Moderation' ? messages.moderation : reason;
  const badge = (
    <div
      className={`${classes['badge']} ${classes[styles.get(status) ?? ''] ?? ''}`}
      tabIndex={explanation ? 0 : undefined}
    >
      {labels.get(status) ?? status}
    </div>
  );
  if (!explanation) return badge;
  return (
    <LazyTooltip label={explanation} multiline maw={320}>
      {badge}
    </LazyTooltip>
  );
}
