import { decideOnMany } from '@bidwell/contract/operator/endpoints';
import type { ModerationItem, ModerationQueue } from '@bidwell/contract/moderation/schema';
import { Kbd, Paper, Skeleton } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import {
  type ReviewFilter,
  refetchReviewQueue,
  reviewQueueQuery,
} from '../../entities/moderation/queries.ts';
import { useMayCall } from '../../entities/operator-accounts/session-queries.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import type { Verdict } from './decision-outbox.ts';
import { ageText, kindOf } from './kinds.ts';
import { OutboxBar } from './outbox-bar.tsx';
import { outbox } from './outbox.ts';
import { QueueList } from './queue-list.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { ReviewFilters } from './review-filters.tsx';
import { DecisionBar, ReviewItem } from './review-item.tsx';
import classes from './review.module.css';
import { useNow } from './use-now.ts';
import { useReviewKeys } from './use-review-keys.ts';

/** Pictures loaded before they are opened. */
const PRELOADED = 6;
/** With fewer open items than this the next ones are read, if there are more. */
const REFILL_BELOW = 30;

interface Search {
  kind?: string | undefined;
  company?: string | undefined;
  item?: string | undefined;
}

/** /operator/review: the queue, with the facts for a decision. */
export function ReviewScreen() {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const filter: ReviewFilter = { kind: kindOf(search.kind), company: search.company };
  const figures = useLoadable(reviewQueueQuery(filter));
  const queue = knownData(figures);
  const pending = useSyncExternalStore(outbox.subscribe, outbox.pending);
  const nowMs = useNow();
  const items = queue ? queue.items.filter((item) => outbox.isOpen(item)) : [];
  useRefill(queue, items.length, pending.length);
  useEffect(() => () => void outbox.flush(), []);

  const show = (next: Search) =>
    void navigate({ to: '/operator/review' as string, search: next, replace: true });
  const onFilter = ({ kind, company }: ReviewFilter) => show({ kind, company });
  const onOpen = useCallback(
    (uuid: string) =>
      void navigate({
        to: '/operator/review' as string,
        search: (before: Search) => ({ ...before, item: uuid }),
        replace: true,
      }),
    [navigate],
  );
  return (
    <>
      <PageHeader
        title="Review"
        description={summaryOf(queue, filter, items.length, nowMs)}
        actions={<KeyHints />}
      />
      <ReviewFilters filter={filter} queue={figures} onChange={onFilter} />
      <FigureFrame figures={figures} what="The queue’s items" skeleton={<Skeleton height={420} />}>
        {queue && items.length === 0 && <NothingLeft filter={filter} onClear={() => show({})} />}
        {queue && items.length > 0 && (
          <Desk
            queue={queue}
            items={items}
            opened={search.item}
            filter={filter}
            onOpen={onOpen}
            onCompany={(company) => onFilter({ ...filter, company })}
          />
        )}
      </FigureFrame>
      <UndoBar onOpen={onOpen} />
    </>
  );
}

/** How many items are waiting, without the ones that were just decided, and how many match the filters. */
function summaryOf(
  queue: ModerationQueue | undefined,
  filter: ReviewFilter,
  open: number,
  nowMs: number,
): string {
  if (!queue) return 'Ads, apps and links of all companies that wait for a decision.';
  const waiting = queue.waiting - (queue.items.length - open);
  if (waiting <= 0 || queue.oldest_since === null) return 'Nothing is waiting for a decision.';
  const matching = matchingOf(queue, filter, open);
  const filtered =
    matching < waiting ? ` ${matching} of them ${matching === 1 ? 'matches' : 'match'} the filters.` : '';
  return `${waiting} ${waiting === 1 ? 'waits' : 'wait'} in all, the oldest for ${ageText(queue.oldest_since, nowMs)}.${filtered}`;
}

/** Reads the next items of the queue before the loaded ones are decided. */
function useRefill(queue: ModerationQueue | undefined, open: number, deciding: number): void {
  const more = queue !== undefined && queue.waiting > queue.items.length;
  const isLow = more && deciding === 0 ? open < REFILL_BELOW : more && open === 0;
  useEffect(() => {
    if (isLow) void refetchReviewQueue();
  }, [isLow]);
}

function UndoBar({ onOpen }: { onOpen: (uuid: string) => void }) {
  const undo = () => {
    const [first] = outbox.undo();
    if (first) onOpen(first.uuid);
  };
  useReviewKeys({ u: undo });
  return <OutboxBar onUndo={undo} />;
}

function KeyHints() {
  return (
    <Caption visibleFrom="md">
      <Kbd size="xs">J</Kbd> <Kbd size="xs">K</Kbd> next, previous · <Kbd size="xs">A</Kbd> approve ·{' '}
      <Kbd size="xs">R</Kbd> reject · <Kbd size="xs">X</Kbd> select · <Kbd size="xs">U</Kbd> undo
    </Caption>
  );
}

function NothingLeft({ filter, onClear }: { filter: ReviewFilter; onClear: () => void }) {
  const isFiltered = filter.kind !== undefined || filter.company !== undefined;
  return (
    <Paper withBorder>
      {isFiltered ? (
        <EmptyState
          title="Nothing matches the filters"
          text="Items of other kinds or companies may be waiting."
          action={<SecondaryButton onClick={onClear}>Clear the filters</SecondaryButton>}
        />
      ) : (
        <EmptyState
          title="Nothing is waiting for a decision"
          text="New apps, creatives, texts and tracking links appear here, and changes to approved ones."
        />
      )}
    </Paper>
  );
}

interface DeskProps {
  queue: ModerationQueue;
  items: readonly ModerationItem[];
  /** The item of the address; the first one is shown if it is not there. */
  opened: string | undefined;
  filter: ReviewFilter;
  onOpen: (uuid: string) => void;
  onCompany: (uuid: string) => void;
}

/** The queue and its current item. */
function Desk({ queue, items, opened, filter, onOpen, onCompany }: DeskProps) {
  const mayDecide = useMayCall(decideOnMany.permission);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [rejecting, setRejecting] = useState<readonly ModerationItem[]>([]);
  const place = Math.max(
    0,
    items.findIndex(({ uuid }) => uuid === opened),
  );
  const current = items[place]!;
  usePreloaded(items, place);

  const chosen = items.filter(({ uuid }) => selected.has(uuid));
  const targets = chosen.length > 0 ? chosen : [current];
  const move = (by: 1 | -1) => {
    const next = items[place + by];
    if (next) onOpen(next.uuid);
  };
  const decide = (verdict: Verdict, on: readonly ModerationItem[]) => {
    const next = nextAfter(items, place, on);
    outbox.add(verdict, on);
    setSelected(new Set());
    setRejecting([]);
    if (next) onOpen(next.uuid);
  };
  const toggle = useCallback((uuid: string) => setSelected((before) => toggled(before, uuid)), []);
  const approve = () => decide({ status: 'Approved' }, targets);
  useReviewKeys({
    j: () => move(1),
    k: () => move(-1),
    arrowdown: () => move(1),
    arrowup: () => move(-1),
    ...(mayDecide && {
      a: approve,
      r: () => setRejecting(targets),
      x: () => toggle(current.uuid),
      escape: () => setSelected(new Set()),
    }),
  });
  return (
    <div className={classes['columns']}>
      <QueueList
        items={items}
        matching={matchingOf(queue, filter, items.length)}
        current={current.uuid}
        selected={selected}
        maySelect={mayDecide}
        onOpen={onOpen}
        onToggle={toggle}
        onToggleAll={() =>
          setSelected(chosen.length === items.length ? new Set() : new Set(items.map(({ uuid }) => uuid)))
        }
      />
      <Paper withBorder component="article" aria-label={current.name} className={classes['article']}>
        <ReviewItem
          item={current}
          company={queue.companies.find(({ uuid }) => uuid === current.company_uuid)}
          onCompany={onCompany}
        />
        <DecisionBar
          place={place + 1}
          count={items.length}
          selected={chosen.length}
          mayDecide={mayDecide}
          onApprove={approve}
          onReject={() => setRejecting(targets)}
          onMove={move}
        />
      </Paper>
      <RejectDialog
        items={rejecting}
        onClose={() => setRejecting([])}
        onReject={(verdict) => decide(verdict, rejecting)}
      />
    </div>
  );
}

/** The item that follows the current one once the decided ones are gone, else the one before it. */
function nextAfter(
  items: readonly ModerationItem[],
  place: number,
  decided: readonly ModerationItem[],
): ModerationItem | undefined {
  const stays = (item: ModerationItem) => !decided.includes(item);
  return items.slice(place).find(stays) ?? items.slice(0, place).findLast(stays);
}

function toggled(set: ReadonlySet<string>, value: string): Set<string> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

/** How many items match the filter and are not decided on. */
function matchingOf({ kinds, items }: ModerationQueue, { kind }: ReviewFilter, open: number): number {
  const all = kind ? kinds[kind] : Object.values(kinds).reduce((sum, count) => sum + count, 0);
  return all - (items.length - open);
}

/** Loads the pictures of the next items, so that they are there when they are opened. */
function usePreloaded(items: readonly ModerationItem[], place: number): void {
  const urls = items
    .slice(place + 1, place + 1 + PRELOADED)
    .flatMap(({ files }) => files.filter(({ content_type: type }) => type.startsWith('image/')))
    .map(({ url }) => url)
    .join(' ');
  useEffect(() => {
    for (const url of urls.split(' ')) if (url) new Image().src = url;
  }, [urls]);
}
