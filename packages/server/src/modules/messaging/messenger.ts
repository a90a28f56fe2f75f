import type { Context } from '../../context.ts';
import { coalesce } from '../../platform/concurrency/coalesce.ts';
import type { MessageLane } from '../../platform/postgres/message-table.ts';
import { type Tx, transact } from '../../platform/postgres/transaction.ts';
import { type Claimable, LANES, type LaneLimits, chooseNext } from './lanes.ts';
import {
  type MessageRow,
  busyMessages,
  claimMessages,
  delayClaimed,
  deleteClaimed,
  dueMessages,
  renewClaims,
} from './message-store.ts';
import { type MessageKind, type Outcome, nextTry, contentPlace } from './messages.ts';

/** Sends the messages of some kinds. */
export interface Messenger {
  /** Begins to send the due messages without waiting for them: a receiver that hangs delays no other. */
  tick(): Promise<void>;
  /** Resolves once nothing is under way. */
  idle(): Promise<void>;
  /**
   * Begins nothing more, and resolves once nothing is under way: sends that a receiver has not acknowledged within a second are aborted.
   * Another process, or the next start, sends it.
   */
  stop(): Promise<void>;
  /** The lanes of its kinds. */
  lanes: ReadonlySet<MessageLane>;
  /** Messages since the start, by kind and outcome. */
  counts(): ReadonlyMap<string, Readonly<MessageCounts>>;
}

/** Messages of a kind since the start. */
export interface MessageCounts {
  /** Acknowledged by their receivers. */
  sent: number;
  /** Tries that were not. */
  refused: number;
  /** Given up. */
  failed: number;
}

/** Options that differ between installations, and in tests. */
export interface MessengerOptions {
  /** Time for messages under way to be acknowledged when the process stops, in ms. */
  stopMs?: number;
  places?: Partial<Record<MessageLane, LaneLimits['places']>>;
}

/** Messages of one owner that a choice considers: enough to find some beyond the ones that busy hosts hold back. */
const CONSIDERED_EACH = 50;
/** Owners whose last turn is remembered. */
const TURNS_MAX = 10_000;

/** Creates a messenger for `kinds`. Several may share a database, in one process or in several: a message has one claim. */
export function createMessenger(
  ctx: Context,
  kinds: readonly MessageKind[],
  { stopMs = 1000, places = {} }: MessengerOptions = {},
): Messenger {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  const lanes = [...new Set(kinds.map(({ lane }) => lane))];
  const stopping = new AbortController();
  const cutOff = new AbortController();
  const underWay = new Map<string, Sent>();
  const counts = new Map(kinds.map(({ name }) => [name, { sent: 0, refused: 0, failed: 0 }]));
  const turns = new Map<string, number>();
  let turn = 0;
  const looks = new Set<Promise<void>>();

  const noteTurn = (owner: string): void => {
    turns.delete(owner);
    turns.set(owner, (turn += 1));
    if (turns.size > TURNS_MAX) turns.delete(turns.keys().next().value!);
  };

  const begin = (row: MessageRow, claimed: Claimable, until: Date): void => {
    const kind = byName.get(row.kind)!;
    const done = sendOne(ctx, { row, kind, signals: { stopping: stopping.signal, cutOff: cutOff.signal } })
      .then((result) => {
        if (result) counts.get(kind.name)![result] += 1;
      })
      .catch((err: unknown) => ctx.log.error({ err, ...named(row) }, 'a message was not sent'))
      .finally(() => {
        underWay.delete(row.uuid);
        lookAgain();
      });
    underWay.set(row.uuid, { lane: kind.lane, row, claimed, until, done });
  };

  /** Renews the claims of which a third is over. */
  const renew = async (lane: MessageLane): Promise<void> => {
    const { claimMs } = LANES[lane];
    const nowMs = ctx.now().getTime();
    const old = [...underWay.values()].filter(
      (sent) => sent.lane === lane && sent.until.getTime() - nowMs < (claimMs * 2) / 3,
    );
    if (old.length === 0) return;
    const until = new Date(nowMs + claimMs);
    await renewClaims(
      ctx.db,
      old.map(({ row }) => row),
      until,
    );
    for (const sent of old) sent.until = until;
  };

  const beginDue = async (lane: MessageLane): Promise<void> => {
    const limits = LANES[lane];
    const all = places[lane] ?? limits.places;
    const own = [...underWay.values()].filter((each) => each.lane === lane).map(({ claimed }) => claimed);
    const free = freePlaces(all, own);
    if (stopping.signal.aborted || (free.first <= 0 && free.again <= 0)) return;
    const now = ctx.now();
    const names = kinds.filter((kind) => kind.lane === lane).map(({ name }) => name);
    const due = await dueMessages(ctx.db, { lane, kinds: names, now, perOwner: CONSIDERED_EACH });
    if (due.length === 0) return;
    const ownIds = new Set(own.map(({ uuid }) => uuid));
    const others = (await busyMessages(ctx.db, lane, now)).filter(({ uuid }) => !ownIds.has(uuid));
    const chosen = chooseNext(
      // A claim may have expired while this process still sends its message.
      due.filter(({ uuid }) => !ownIds.has(uuid)),
      {
        limits: { ...limits, perCompanyAgain: Math.ceil(all.again / 2) },
        free,
        busy: [...own, ...others],
        servedAt: (owner) => turns.get(owner),
      },
    );
    if (chosen.length === 0 || stopping.signal.aborted) return;
    const until = new Date(now.getTime() + limits.claimMs);
    const rows = await claimMessages(ctx.db, { uuids: chosen.map(({ uuid }) => uuid), now, until });
    for (const claimed of chosen) {
      const row = rows.find(({ uuid }) => uuid === claimed.uuid);
      if (!row) continue;
      noteTurn(claimed.owner);
      begin(row, claimed, until);
    }
  };

  const tick = coalesce(async () => {
    for (const lane of lanes) await renew(lane);
    // A lane whose places are all taken reads nothing.
    for (const lane of lanes) await beginDue(lane);
  });
  /** A place is free. */
  const lookAgain = (): void => {
    const look = tick()
      .catch((err: unknown) => ctx.log.error({ err }, 'the next messages were not read'))
      .finally(() => looks.delete(look));
    looks.add(look);
  };
  const idle = async (): Promise<void> => {
    while (underWay.size > 0 || looks.size > 0)
      await Promise.all([...looks, ...[...underWay.values()].map(({ done }) => done)]);
  };
  return {
    lanes: new Set(lanes),
    tick,
    idle,
    async stop() {
      stopping.abort();
      const timer = setTimeout(() => cutOff.abort(), stopMs);
      // One that is claiming messages begins them.
      await tick().catch(() => {});
      await idle();
      clearTimeout(timer);
    },
    counts: () => counts,
  };
}

/** A message that is being sent. */
interface Sent {
  lane: MessageLane;
  row: MessageRow;
  claimed: Claimable;
  /** The end of its claim, unless it is renewed. */
  until: Date;
  done: Promise<void>;
}

const freePlaces = (all: LaneLimits['places'], own: readonly Claimable[]): LaneLimits['places'] => ({
  first: all.first - own.filter(({ isAgain }) => !isAgain).length,
  again: all.again - own.filter(({ isAgain }) => isAgain).length,
});

/** The fields by which logs name a message: neither its receiver nor its content, which may hold a secret. */
const named = ({ kind, about, attempts }: MessageRow) => ({ message: { kind, about }, attempts });

/** Tries a claimed message, and stores the outcome. Resolves to the outcome to count; null for a try that does not count. */
async function sendOne(
  ctx: Context,
  { row, kind, signals }: { row: MessageRow; kind: MessageKind; signals: Parameters<MessageKind['send']>[2] },
): Promise<keyof MessageCounts | null> {
  const isExpired = row.expires_at !== null && row.expires_at <= ctx.now();
  const outcome: Outcome = isExpired
    ? { result: 'failed', reason: 'it came too late', isFinal: true }
    : await tryOnce(ctx, row, { kind, signals });
  const now = ctx.now();
  // Not the receiver's fault.
  const isBrokenOff = outcome.result === 'failed' && !outcome.isFinal && signals.cutOff.aborted;
  if (outcome.result === 'postponed' || isBrokenOff) {
    const until = outcome.result === 'postponed' ? outcome.until : now;
    await store(ctx, row, {
      ...(!isBrokenOff && { settle: outcome.settle }),
      attempts: row.attempts - 1,
      nextAt: until,
    });
    return null;
  }
  const isFailed = outcome.result === 'failed';
  const nextAt = isFailed && !outcome.isFinal ? nextTry(kind.retries, { attempts: row.attempts, now }) : null;
  await store(ctx, row, { settle: outcome.settle, attempts: row.attempts, nextAt });
  if (!isFailed) return outcome.result === 'sent' ? 'sent' : null;
  const line = { ...named(row), reason: outcome.reason };
  if (nextAt) ctx.log.warn(line, 'a message was not sent, and is tried again');
  else ctx.log.error(line, 'a message was given up');
  return nextAt ? 'refused' : 'failed';
}

/** Tries a message. Rejects for an error of this server, after which the claim expires, as long as there are further tries. */
async function tryOnce(
  ctx: Context,
  row: MessageRow,
  { kind, signals }: { kind: MessageKind; signals: Parameters<MessageKind['send']>[2] },
): Promise<Outcome> {
  const message = messageOf(ctx, row);
  try {
    return await kind.send(ctx, message, signals);
  } catch (err) {
    if (nextTry(kind.retries, { attempts: row.attempts, now: ctx.now() })) throw err;
    ctx.log.error({ err, ...named(row) }, 'a message was not sent');
    const settle = async (tx: Tx) => kind.giveUp?.(ctx, tx, message);
    return { result: 'failed', reason: 'errors of this server', isFinal: true, settle };
  }
}

function messageOf(ctx: Context, row: MessageRow): Parameters<MessageKind['send']>[1] {
  const { uuid, about, company_uuid: companyId, user_uuid: userId, attempts } = row;
  const content = row.content === null ? null : ctx.encryption.decrypt(row.content, contentPlace(uuid));
  return { uuid, about, companyId, userId, attempts, content };
}

/** Ends a message, or stores its next try. Where another process has taken it over, nothing is stored. */
async function store(
  ctx: Context,
  row: MessageRow,
  { settle, attempts, nextAt }: { settle?: Outcome['settle']; attempts: number; nextAt: Date | null },
): Promise<void> {
  await transact(ctx.db, async (tx) => {
    const isOurs = nextAt
      ? await delayClaimed(tx.db, row, { attempts, dueAt: nextAt })
      : await deleteClaimed(tx.db, row);
    if (isOurs) await settle?.(tx, nextAt);
  });
}
