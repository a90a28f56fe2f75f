import type { PostbackTestReply } from '@bidwell/contract/postbacks/schema';
import type { Database } from '../../platform/postgres/client.ts';
import type { InstallRates } from '../learning/install-rates.ts';
import type { BidRef } from '../model/event.ts';
import { hasCredential, isFromNetworks } from './postback-authenticity.ts';
import { LONGEST_WINDOW } from './event-windows.ts';
import { decidePostback } from './postback-decision.ts';
import { type RawPostback, checksKey, clickOf, readChecks, readPostback } from './received-postback.ts';
import { sampleRef } from '../trackers/sample-ref.ts';
import type { Signer } from '../trackers/signer.ts';

/** Dependencies of {@link tryTestPostback}. */
export interface TestPostbackDeps {
  db: Database;
  signer: Signer;
  now: () => Date;
}

/** How long before the test install its click was, ms: long enough to be plausible. */
const CLICK_AGE_MS = 60_000;

/** A made-up bid of a company whose click tests postbacks. No bid of an exchange is without an exchange. */
export function testClick(companyId: string, nowMs: number): BidRef {
  const none = { exchange: '', bundle: '', os: '', country: '', language: '', bidCpmMicros: 0 } as const;
  return sampleRef({ companyId, ...none, test: true }, nowMs);
}

/**
 * Decides a postback of a {@link testClick} by the steps of a real one, as if the click were stored, and stores nothing.
 * The network is compared, but does not decide, since the test comes from a server of this installation. Null for any
 * other postback.
 */
export async function tryTestPostback(
  { db, signer, now }: TestPostbackDeps,
  raw: RawPostback,
): Promise<PostbackTestReply | null> {
  const { clickId, ref: named } = clickOf(raw, signer);
  if (!named?.test || named.exchange !== '') return null;
  const checks = await readChecks(db, [raw]);
  const atMs = now().getTime();
  const postback = readPostback({ ...raw, v: 1, id: named.bidId, atMs }, signer, checks);
  const { networks, secret } = checks.get(checksKey(raw)) ?? { networks: [], secret: null };
  const isCredible = hasCredential(secret, raw.mmp, raw, raw.parameters, clickId);
  const click = {
    bidId: named.bidId,
    kind: 'click',
    atMs: atMs - CLICK_AGE_MS,
    mark: '',
    untrained: '',
  } as const;
  const { outcome, reason } = isCredible
    ? await decidePostback(postback, [click], {
        record: async () => 'stored',
        rates: NO_RATES,
        countedEvent: async () => undefined,
        windowOf: () => LONGEST_WINDOW,
        admitName: async (_ref, name) => name,
        currencyRates: new Map(),
      })
    : ({ outcome: 'unverified', reason: 'credential' } as const);
  const state = (isChecked: boolean, isPassed: boolean) =>
    isChecked ? (isPassed ? 'passed' : 'failed') : 'none';
  return {
    v: 1,
    outcome,
    reason,
    from: raw.ip,
    network: state(networks.length > 0, isFromNetworks(networks, raw.ip)),
    credential: state(secret !== null, isCredible),
  };
}

/** Test installs are neither compared with rates nor counted in them. */
const NO_RATES: Pick<InstallRates, 'admitInstall' | 'removeInstall'> = {
  admitInstall: () => true,
  removeInstall: () => {},
};
