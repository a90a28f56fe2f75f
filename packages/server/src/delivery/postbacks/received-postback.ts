import type { Mmp } from '@bidwell/contract/apps/fields';
import type { Database } from '../../platform/postgres/client.ts';
import { type PostbackChecks, type PostbackSender, failedCheckOf } from './postback-authenticity.ts';
import type { BidRef } from '../model/event.ts';
import { type ReadPostback, inAppEventOf } from './postback-decision.ts';
import { type PostbackParameters, clickIdsOf } from './postback-reading.ts';
import type { NamedApp } from './named-apps.ts';
import type { Signer } from '../trackers/signer.ts';
import { findPostbackChecks } from '../trackers/destinations.ts';

/** A postback as received. */
export interface RawPostback extends PostbackSender {
  companyId: string;
  mmp: Mmp;
  parameters: PostbackParameters;
  /** The token in its URL; '' where the URL contains the company's secret. */
  installToken: string;
}

/** A postback as stored in the log. `v` is the version of the format. */
export interface LoggedPostback extends RawPostback {
  v: 1;
  id: string;
  atMs: number;
}

/** A postback that was read and verified. */
export type VerifiedPostback = ReadPostback & {
  id: string;
  logged: LoggedPostback;
  /** The check of its origin that it fails; null for none. */
  failedCheck: 'network' | 'credential' | null;
  clickId: string;
};

/** Reads the click of a postback or, without one, its app, and verifies it; `checks` come from {@link readChecks}. */
export function readPostback(
  logged: LoggedPostback,
  signer: Signer,
  checks: ReadonlyMap<string, PostbackChecks>,
  namedApp: NamedApp = () => '',
): VerifiedPostback {
  const { id, atMs, mmp, parameters, installToken } = logged;
  const { clickId, ref } = clickOf(logged, signer);
  const check = checks.get(checksKey(logged));
  return {
    id,
    atMs,
    mmp,
    parameters,
    ref,
    mayTakeBack: installToken === '',
    inApp: inAppEventOf(logged, ref),
    namedAppId: ref ? '' : namedApp(logged),
    logged,
    failedCheck: check ? failedCheckOf(check, mmp, logged, parameters, clickId) : null,
    clickId,
  };
}

/** The click that a postback names: by the token of its URL, or by the first click id that is one of the company's. */
export function clickOf(
  { companyId, parameters, installToken }: RawPostback,
  signer: Pick<Signer, 'read' | 'readInstallToken'>,
): { clickId: string; ref: BidRef | undefined } {
  const ours = (ref: BidRef | undefined) => (ref?.companyId === companyId ? ref : undefined);
  if (installToken !== '') return { clickId: installToken, ref: ours(signer.readInstallToken(installToken)) };
  const clickIds = clickIdsOf(parameters);
  for (const clickId of clickIds) {
    const ref = ours(signer.read('click-id', clickId));
    if (ref) return { clickId, ref };
  }
  return { clickId: clickIds[0] ?? '', ref: undefined };
}

/** The checks of the companies of some postbacks, by company and partner, where they have any. */
export async function readChecks(
  db: Database,
  postbacks: readonly Pick<RawPostback, 'companyId'>[],
): Promise<ReadonlyMap<string, PostbackChecks>> {
  const companyIds = [...new Set(postbacks.map(({ companyId }) => companyId))];
  const rows = await findPostbackChecks(db, companyIds);
  return new Map(rows.map(({ companyId, mmp, ...checks }) => [checksKey({ companyId, mmp }), checks]));
}

/** The key of a postback's checks in the result of {@link readChecks}. */
export function checksKey({ companyId, mmp }: Pick<RawPostback, 'companyId' | 'mmp'>): string {
  return `${companyId} ${mmp}`;
}
