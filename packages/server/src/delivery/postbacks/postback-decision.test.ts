import type { Mmp } from '@bidwell/contract/apps/schema';
import type { PostbackOutcome, PostbackReason } from '@bidwell/contract/postbacks/schema';
import { expect, test } from 'vitest';
import { caseFiles } from '@bidwell/testing/case-files';
import type { Outcome } from '../event-log/ingest.ts';
import type { StoredEvent } from '../event-store/event-store.ts';
import type { DeliveryEvent } from '../model/event.ts';
import { sampleRef } from '../trackers/sample-ref.ts';
import { decidePostback } from './postback-decision.ts';
import type { PostbackParameters } from './postback-reading.ts';

type CaseEvent = Partial<StoredEvent> & Pick<StoredEvent, 'kind'> & { secondsAgo: number };

/** One file of ./cases: a postback at 2026-05-04 12:00 UTC, what is stored of its bid, and the decision. */
interface Case {
  mmp: Mmp;
  parameters: PostbackParameters;
  /** The bid that it refers to, by default of a few days ago; null for none. */
  bid?: { daysAgo?: number; test?: boolean } | null;
  /** Default: a click two minutes ago. */
  stored?: CaseEvent[];
  mayTakeBack?: boolean;
  /** Whether one more install is plausible; default true. */
  isPlausibleRate?: boolean;
  /** What recording the event comes to; default `stored`. */
  record?: Outcome;
  expect: {
    outcome: PostbackOutcome;
    reason?: PostbackReason;
    /** The event that is recorded; none by default. */
    event?: CaseEvent;
    /** Installs that are subtracted from the plausible rate. */
    removed?: number;
  };
}

const nowMs = Date.parse('2026-05-04T12:00:00Z');
const DAY_MS = 86_400_000;
const eventOf = ({ secondsAgo, ...event }: CaseEvent) => ({
  mark: '' as const,
  untrained: '' as const,
  ...event,
  atMs: nowMs - secondsAgo * 1000,
});

test.each(caseFiles<Case>(import.meta.url))('%s', async (_name, one) => {
  const {
    mmp,
    parameters,
    bid = {},
    stored = [{ kind: 'click', secondsAgo: 120 }],
    mayTakeBack = true,
  } = one;
  const ref = bid ? sampleRef({ test: bid.test ?? false }, nowMs - (bid.daysAgo ?? 9) * DAY_MS) : undefined;
  const recorded: DeliveryEvent[] = [];
  let removed = 0;
  const decision = await decidePostback(
    { mmp, atMs: nowMs, ref, parameters, mayTakeBack },
    stored.map((event) => eventOf(event) as StoredEvent),
    {
      record: async (event) => {
        recorded.push(event);
        return one.record ?? 'stored';
      },
      rates: { admitInstall: () => one.isPlausibleRate ?? true, removeInstall: () => void (removed += 1) },
    },
  );
  const { event, outcome, reason = '' } = one.expect;
  expect(decision).toEqual({ outcome, reason });
  expect(recorded.map(({ untrained = '', ...rest }) => ({ ...rest, untrained }))).toEqual(
    event ? [{ ...eventOf(event), ref, spendMicros: 0, lossReason: 0 }] : [],
  );
  expect(removed).toBe(one.expect.removed ?? 0);
});
