import type { Counter } from 'prom-client';
import type { BidRef, EventKind, VideoEvent } from './event.ts';
import { VIDEO_EVENTS } from './event.ts';
import type { Ingest, Outcome } from './ingest.ts';
import { spendOf } from './price.ts';
import type { Purpose } from './purpose.ts';
import type { Signer } from './signing.ts';
import type { EventMark } from './suspicion.ts';

/** What becomes of events that come over HTTP. */
export interface AcceptDeps {
  ingest: Ingest;
  signer: Signer;
  now: () => Date;
  /** Labels kind and outcome (stored, duplicate, expired, invalid). */
  counter: Counter<'kind' | 'outcome'>;
}

export type TrackedKind = Exclude<EventKind, 'install' | 'install_rejected'>;

/** A tracker's address that was asked for. */
export interface Tracked {
  kind: TrackedKind;
  token: string;
  /** True for a HEAD: a link checker's question, not an event. */
  isQuestion: boolean;
  /** A parameter of the address. */
  value: (name: string) => string | undefined;
  /** What makes the event doubtful; '' for nothing. */
  mark: EventMark;
}

/** Stores the event that an address stands for, or says why not. Throws Unavailable. */
export type Accept = (tracked: Tracked) => Promise<[Outcome | 'invalid', BidRef?]>;

export function acceptor({ ingest, signer, now, counter }: AcceptDeps): Accept {
  const record = (ref: BidRef, { kind, value, mark }: Tracked): Promise<Outcome> =>
    ingest.record({
      kind,
      atMs: now().getTime(),
      ref,
      spendMicros: spendOf(kind, ref, value('price')),
      lossReason: codeOf(kind, value),
      mark,
    });
  return async (tracked) => {
    const { kind, token, isQuestion } = tracked;
    const ref = signer.read(purposeOf(kind), token);
    const outcome = !ref ? 'invalid' : isQuestion ? 'duplicate' : await record(ref, tracked);
    counter.inc({ kind, outcome });
    return [outcome, ref];
  };
}

/** The exchange's reason of a loss, the player's code of an error. */
function codeOf(kind: TrackedKind, value: Tracked['value']): number {
  if (kind !== 'loss' && kind !== 'error') return 0;
  const code = Number(value(kind === 'loss' ? 'reason' : 'code'));
  return Number.isInteger(code) && code > 0 && code < 65_536 ? code : 0;
}

const videoEvents: ReadonlySet<string> = new Set(VIDEO_EVENTS);

function purposeOf(kind: TrackedKind): Purpose {
  return videoEvents.has(kind) ? 'video' : (kind as Exclude<TrackedKind, VideoEvent>);
}
