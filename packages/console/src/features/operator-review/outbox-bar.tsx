import { Button, Group, Kbd, Text } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { LongText } from '../../ui/layout/text.tsx';
import type { PendingDecision } from './decision-outbox.ts';
import { outbox } from './outbox.ts';
import classes from './review.module.css';

/** The decisions that are not sent yet: with a countdown while they can be undone, or with the reason why they failed. */
export function OutboxBar({ onUndo }: { onUndo: () => void }) {
  const pending = useSyncExternalStore(outbox.subscribe, outbox.pending);
  const failed = pending.filter(({ state }) => state === 'failed');
  const waiting = pending.filter(({ state }) => state === 'waiting');
  const last = waiting.at(-1);
  return (
    <div className={classes['outbox']} role="status">
      {failed.length > 0 && <Failed decisions={failed} />}
      {last && (
        <Group justify="space-between" gap="sm" wrap="nowrap" className={classes['notice']}>
          <LongText>
            {last.verdict.status} {namesOf(last)}
            {waiting.length > 1 && `, and ${waiting.length - 1} more to undo`}
          </LongText>
          <Button size="xs" variant="white" color="dark" onClick={onUndo} style={{ flexShrink: 0 }}>
            Undo <Countdown key={last.id} dueMs={last.dueMs} /> <Kbd size="xs">U</Kbd>
          </Button>
        </Group>
      )}
    </div>
  );
}

function Failed({ decisions }: { decisions: readonly PendingDecision[] }) {
  const count = decisions.reduce((sum, { items }) => sum + items.length, 0);
  return (
    <Group
      justify="space-between"
      gap="sm"
      className={`${classes['notice']} ${classes['failed']}`}
      role="alert"
    >
      <Text size="sm">
        {count === 1 ? 'One decision was' : `${count} decisions were`} not sent: {decisions[0]!.error}
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="white" color="dark" onClick={() => void outbox.retry()}>
          Send again
        </Button>
        <Button size="xs" variant="white" color="dark" onClick={() => outbox.putBack()}>
          Put back into the queue
        </Button>
      </Group>
    </Group>
  );
}

function namesOf({ items }: PendingDecision): string {
  return items.length === 1 ? `“${items[0]!.name}”` : `${items.length} items`;
}

/** Seconds until the decision is sent. Not announced: it would interrupt the reader every second. */
function Countdown({ dueMs }: { dueMs: number }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  return (
    <span aria-hidden className={classes['countdown']}>
      {Math.max(0, Math.ceil((dueMs - nowMs) / 1000))} s
    </span>
  );
}
