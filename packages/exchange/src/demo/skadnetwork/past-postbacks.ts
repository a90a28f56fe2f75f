import { type KeyObject, generateKeyPairSync } from 'node:crypto';
import { ConversionValues } from '@bidwell/contract/skadnetwork/conversion-values';
import type { Context } from '@bidwell/server/context';
import { allocateSourceIdentifier, storeLastBids } from '@bidwell/server/delivery/public';
import { logout, startSession } from '@bidwell/server/modules/identity/service';
import { transact } from '@bidwell/server/platform/postgres/transaction';
import { WORLD_SEED } from '../exchanges.ts';
import { seededRandom, uuidFrom } from '../../random.ts';
import { type ScheduledPostback, postbacksOf } from '../../skadnetwork/scheduled-postbacks.ts';
import { PostbackOutbox } from '../../skadnetwork/simulated-device.ts';
import { consoleApi } from '../api.ts';
import { daysBefore } from '../history/clock.ts';
import type { HistoryAdset } from '../history/adsets.ts';
import type { Staff } from '../operators.ts';
import type { Progress } from '../progress.ts';
import { GAME_RULES } from './conversion-values.ts';
import { NETWORK_ID, itemIdOf, registerNetwork, signBidsFor } from './network.ts';
import { type AdvertisedApp, peopleSince } from './people.ts';
import { postPostback } from './post-postback.ts';

const HOUR_MS = 3_600_000;
/** Days before the first start on which bids were signed for the first time. */
const SIGNED_DAYS_AGO = 45;

/** A key of simulated devices, which replaces Apple's on the server that has its public half. */
export interface DeviceKey {
  privateKey: KeyObject;
  /** SPKI in base64. */
  publicSpki: string;
}

/** Makes a key for devices. */
export function newDeviceKey(): DeviceKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return { privateKey, publicSpki: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') };
}

/** The dependencies of {@link sendPastPostbacks}. */
export interface PastPostbackDeps {
  /** The server while it is prepared. */
  app: { ctx: Context };
  /** Its address. */
  base: string;
  staff: Pick<Staff, 'api' | 'logIn'>;
  /** Of all companies, the demo's main one first. */
  adsets: readonly Pick<HistoryAdset, 'companyId' | 'appId' | 'adsetId' | 'os' | 'isRunning'>[];
  deviceKey: DeviceKey;
  /** The server's clock, which is moved. */
  clock: { now: Date };
  /** End of the history, Unix ms. */
  nowMs: number;
  progress: Pick<Progress, 'phase' | 'done'>;
}

/**
 * Lets the operator register an ad network on a day of the past, and the developer of the main company's iOS app say what its
 * conversion values mean; then the devices whose installs are in the history send their postbacks at their times, until now.
 * Resolves to the accepted ones. Throws ApiError.
 */
export async function sendPastPostbacks(deps: PastPostbackDeps): Promise<readonly ScheduledPostback[]> {
  const {
    app: { ctx },
    base,
    staff,
    deviceKey,
    clock,
    nowMs,
    progress,
  } = deps;
  progress.phase('Sending postbacks of SKAdNetwork');
  const signedMs = daysBefore(nowMs, SIGNED_DAYS_AGO);
  clock.now = new Date(signedMs);
  staff.logIn();
  const app = await startSigning(deps, signedMs);
  await enterConversionValues(deps, app);
  const random = seededRandom(WORLD_SEED);
  const chance = { random, newId: () => uuidFrom(random) };
  const outbox = new PostbackOutbox(deviceKey.privateKey);
  for (const { shown, install } of await peopleSince(ctx, app, signedMs)) {
    // Postbacks of other networks go to them.
    const own = postbacksOf(shown, install, chance).filter(({ ad }) => ad.networkId === NETWORK_ID);
    outbox.add(own.filter(({ atMs }) => atMs <= nowMs));
  }
  for (let next = outbox.nextMs(); next !== null && next <= nowMs; next = outbox.nextMs()) {
    clock.now = new Date(next);
    await outbox.sendDue(next, async (body) => postPostback(base, body));
    progress.done((next - signedMs) / (nowMs - signedMs));
  }
  clock.now = new Date(nowMs);
  staff.logIn();
  return outbox.delivered;
}

/** Registers the network, and gives each ad set of the app its source identifier at the time from which it ran. */
async function startSigning(
  { app: { ctx }, staff, adsets, nowMs }: PastPostbackDeps,
  signedMs: number,
): Promise<AdvertisedApp> {
  await registerNetwork(staff.api);
  const [first] = adsets.filter(({ os }) => os === 'ios');
  const { companyId, appId } = first!;
  const itemId = await itemIdOf(staff.api, appId);
  const identifiers = new Map<string, string>();
  for (const adset of adsets.filter((one) => one.appId === appId)) {
    const at = new Date(startOf(adset, signedMs, nowMs));
    const number = await transact(ctx.db, async (tx) =>
      allocateSourceIdentifier(tx, companyId, adset.adsetId, itemId, at),
    );
    if (number === null) continue;
    identifiers.set(adset.adsetId, String(number));
    // The signed bids of the postbacks were made while the ad set ran.
    await storeLastBids(
      ctx.db,
      [{ adsetId: adset.adsetId, itemId }],
      new Date(lastOf(adset, at.getTime(), nowMs)),
    );
  }
  await signBidsFor(staff.api, appId);
  return { companyId, appId, itemId, identifiers };
}

/** The first hour since `fromMs` in which an ad set ran. */
function startOf({ isRunning }: Pick<HistoryAdset, 'isRunning'>, fromMs: number, nowMs: number): number {
  for (let atMs = fromMs; atMs < nowMs; atMs += HOUR_MS) if (isRunning(atMs)) return atMs;
  return nowMs;
}

/** The last hour before `nowMs` in which an ad set ran; `fromMs` if none since then. */
function lastOf({ isRunning }: Pick<HistoryAdset, 'isRunning'>, fromMs: number, nowMs: number): number {
  for (let atMs = nowMs - HOUR_MS; atMs > fromMs; atMs -= HOUR_MS) if (isRunning(atMs)) return atMs;
  return fromMs;
}

async function enterConversionValues(
  { app: { ctx }, base }: Pick<PastPostbackDeps, 'app' | 'base'>,
  { companyId, appId }: Pick<AdvertisedApp, 'companyId' | 'appId'>,
): Promise<void> {
  const { uuid: userId } = await ctx.db
    .selectFrom('users')
    .select('uuid')
    .where('company_uuid', '=', companyId)
    .orderBy('uuid')
    .executeTakeFirstOrThrow();
  const { tokens, refreshToken } = await startSession(ctx, { userId, companyId });
  const api = consoleApi(base, () => tokens.access_token);
  await api.send('PUT', `/app/${appId}/conversion-values`, { rules: GAME_RULES }, ConversionValues);
  await logout(ctx, refreshToken);
}
