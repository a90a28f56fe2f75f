import { MMPS, type Mmp } from '@bidwell/contract/apps/fields';
import { operatorMessages } from '@bidwell/contract/operator/messages';
import { trackingLinkMessages } from '@bidwell/contract/tracking-links/messages';
import {
  type PostbackSource,
  type PostbackSourceUpdate,
  type PostbackTest,
  type Postbacks,
  REDACTED_SECRET,
  containsSecret,
  postbackTemplates,
  redactSecrets,
  type PostbackOutcome,
  type PostbackReason,
} from '@bidwell/contract/postbacks/schema';
import { ending } from '@bidwell/contract/lib/truncate';
import type { Context } from '../../../context.ts';
import { newSecret } from '../../../platform/new-secret.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Invalid } from '../../../platform/errors.ts';
import { parseNetwork } from '../../../platform/networks.ts';
import { hasPermission, requirePermission } from '../../../platform/permissions.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { sendInstall, stepsOf, installRequest } from './test-postback.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import type { Selectable } from 'kysely';
import type { ClickHouse } from '../../../platform/clickhouse/client.ts';
import type { CompanyTable, PostbackSourceTable } from '../../../platform/postgres/schema.ts';

const COUNTED_DAYS = 30;
const UNKNOWN_MAX = 50;
/** Validity of a replaced secret: time to change it at the partners. */
const PREVIOUS_SECRET_MS = 24 * 3_600_000;

/** Postbacks of the last days from one partner: accepted ones, and ones that could not be verified. */
export async function recentOutcomes(
  ctx: Context,
  companyId: string,
): Promise<(partner: Mmp) => { received: number; rejected: number }> {
  const counts = await outcomeCounts(ctx.clickhouse, companyId, COUNTED_DAYS);
  const sum = (partner: Mmp, isRejected: boolean) =>
    counts
      .filter(({ mmp, outcome }) => mmp === partner && (outcome === 'unverified') === isRejected)
      .reduce((total, { count }) => total + count, 0);
  return (partner) => ({ received: sum(partner, false), rejected: sum(partner, true) });
}

/**
 * Postback addresses for the company's measurement partners, with their macros; recent outcomes; and settings.
 * `origin` is the server's address if `publicUrl` is not configured. Shows the secret to an actor with the permission for it.
 */
export async function readPostbacks(ctx: Context, actor: Actor, origin: string): Promise<Postbacks> {
  requirePermission(actor, 'postbacks.read');
  const { companyId } = actor;
  const secrets = await postbackSecretsOf(ctx.db, companyId);
  const [sources, counts, unknown] = await Promise.all([
    listPostbackSources(ctx.db, companyId),
    outcomeCounts(ctx.clickhouse, companyId, COUNTED_DAYS),
    unknownPostbacks(ctx.clickhouse, companyId, UNKNOWN_MAX),
  ]);
  const until = secrets.postback_secret_previous_until;
  const shownSecret = hasPermission(actor, 'postbacks.secret') ? secrets.postback_secret : REDACTED_SECRET;
  return {
    secret: shownSecret,
    previous_secret_until: until && until > ctx.now() ? until.toISOString() : null,
    templates: postbackTemplates(ctx.config.publicUrl ?? origin, shownSecret),
    sources: MMPS.map((mmp) => sourceOf(mmp, sources)),
    counts: [...counts],
    unknown: unknown.map(({ atMs, mmp, outcome, clickId, parameters }) => ({
      at: new Date(atMs).toISOString(),
      mmp,
      outcome,
      click_id: clickId,
      parameters,
    })),
  };
}

/** Replaces the secret in the company's postback addresses. The old one stays valid for a day. */
export async function rotatePostbackSecret(ctx: Context, actor: Actor): Promise<void> {
  requirePermission(actor, 'postbacks.write');
  const { companyId } = actor;
  const now = ctx.now();
  await transact(ctx.db, async (tx) => {
    const before = await lockPostbackSecrets(tx.db, companyId);
    await updatePostbackSecrets(tx.db, companyId, {
      postback_secret: newSecret(32),
      postback_secret_previous: before.postback_secret,
      postback_secret_previous_until: new Date(now.getTime() + PREVIOUS_SECRET_MS),
      postback_secret_rotated_at: now,
    });
    const rotatedAt = (at: Date | null) => ({ postback_secret_rotated_at: at?.toISOString() ?? null });
    await recordChange(ctx, tx, actor, {
      entity: 'company',
      uuid: companyId,
      name: before.name,
      before: rotatedAt(before.postback_secret_rotated_at),
      after: rotatedAt(now),
    });
  });
}

/** Sets how a partner's postbacks are verified. Throws Invalid for a malformed network. */
export async function updatePostbackSource(
  ctx: Context,
  actor: Actor,
  mmp: Mmp,
  { networks, secret }: PostbackSourceUpdate,
): Promise<PostbackSource> {
  requirePermission(actor, 'postbacks.write');
  const { companyId } = actor;
  const errors = (networks ?? []).flatMap((text, index) =>
    parseNetwork(text)
      ? []
      : [{ field: `networks.${index}`, message: operatorMessages.networkInvalid(text) }],
  );
  if (errors.length > 0) throw new Invalid(errors);
  return transact(ctx.db, async (tx) => {
    const { name } = await lockPostbackSecrets(tx.db, companyId);
    const rows = await listPostbackSources(tx.db, companyId);
    await requireExpected(() => sourceOf(mmp, rows));
    const row = rows.find((each) => each.mmp === mmp) ?? { mmp, networks: [], secret: null };
    const changed = {
      mmp,
      networks: networks === undefined ? row.networks : [...new Set(networks)],
      secret: secret === undefined ? row.secret : secret,
    };
    await savePostbackSource(tx.db, companyId, changed);
    await recordChange(ctx, tx, actor, {
      entity: 'company',
      uuid: companyId,
      name,
      before: logged(row),
      after: logged(changed),
    });
    return sourceOf(mmp, [changed]);
  });
}

/**
 * Sends the install of a made-up click to the company's address for a partner, through the network as the partner does,
 * with its token or signature. Nothing is stored or counted. `clickIdOf` creates the id of a test click of a company.
 */
export async function testPostback(
  ctx: Context,
  actor: Actor,
  mmp: Mmp,
  { origin, clickIdOf }: { origin: string; clickIdOf: (companyId: string) => string },
): Promise<PostbackTest> {
  requirePermission(actor, 'postbacks.write');
  const { companyId } = actor;
  const [{ postback_secret: secret }, sources] = await Promise.all([
    postbackSecretsOf(ctx.db, companyId),
    listPostbackSources(ctx.db, companyId),
  ]);
  const source = sources.find((each) => each.mmp === mmp);
  const request = installRequest(mmp, `${origin}/postback/${mmp}/${secret}`, {
    clickId: clickIdOf(companyId),
    secret: source?.secret ?? null,
    atMs: ctx.now().getTime(),
  });
  const reply = await sendInstall(request);
  const { name: product } = (await ctx.brand.current()).settings;
  const networks = source?.networks ?? [];
  const sent = { product, mmp, origin, networks, credential: request.credential };
  for (const name of ['signature', 'token']) request.url.searchParams.delete(name);
  return { address: redactSecrets(request.url.href, [secret]), steps: stepsOf(sent, reply) };
}

/** Throws Invalid if one of the addresses, which devices see, contains the company's postback secret. */
export async function requireNoSecret(
  db: Db,
  companyId: string,
  urls: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { postback_secret, postback_secret_previous } = await postbackSecretsOf(db, companyId);
  const secrets = [postback_secret, postback_secret_previous ?? ''];
  const errors = Object.entries(urls)
    .filter(([, url]) => url !== undefined && containsSecret(url, secrets))
    .map(([field]) => ({ field, message: trackingLinkMessages.linkContainsSecret }));
  if (errors.length > 0) throw new Invalid(errors);
}

function sourceOf(mmp: Mmp, rows: readonly PostbackSourceRow[]): PostbackSource {
  const row = rows.find((each) => each.mmp === mmp);
  return { mmp, networks: row?.networks ?? [], secret_ending: endingOf(row?.secret ?? null) };
}

const ENDING_CHARS = 4;

function endingOf(secret: string | null): string | null {
  return secret === null ? null : ending(secret, ENDING_CHARS);
}

function logged({ mmp, networks, secret }: PostbackSourceRow): Record<string, unknown> {
  return { [`postback_networks_${mmp}`]: networks, [`postback_secret_ending_${mmp}`]: endingOf(secret) };
}

type PostbackSecrets = Pick<
  Selectable<CompanyTable>,
  | 'name'
  | 'postback_secret'
  | 'postback_secret_previous'
  | 'postback_secret_previous_until'
  | 'postback_secret_rotated_at'
>;
type PostbackSourceRow = Pick<Selectable<PostbackSourceTable>, 'mmp' | 'networks' | 'secret'>;

function selectSecrets(db: Db, companyId: string) {
  return db
    .selectFrom('companies')
    .select([
      'name',
      'postback_secret',
      'postback_secret_previous',
      'postback_secret_previous_until',
      'postback_secret_rotated_at',
    ])
    .where('uuid', '=', companyId);
}

/** Postback secrets of a company. */
async function postbackSecretsOf(db: Db, companyId: string): Promise<PostbackSecrets> {
  return selectSecrets(db, companyId).executeTakeFirstOrThrow();
}

/** Like {@link postbackSecretsOf}, locked until the transaction ends. */
async function lockPostbackSecrets(db: Db, companyId: string): Promise<PostbackSecrets> {
  return selectSecrets(db, companyId).forUpdate().executeTakeFirstOrThrow();
}

async function updatePostbackSecrets(
  db: Db,
  companyId: string,
  secrets: Omit<PostbackSecrets, 'name'>,
): Promise<void> {
  await db.updateTable('companies').set(secrets).where('uuid', '=', companyId).execute();
}

/** The company's verification settings by partner; partners without settings are absent. */
async function listPostbackSources(db: Db, companyId: string): Promise<PostbackSourceRow[]> {
  return db
    .selectFrom('postback_sources')
    .select(['mmp', 'networks', 'secret'])
    .where('company_uuid', '=', companyId)
    .execute();
}

async function savePostbackSource(
  db: Db,
  companyId: string,
  { mmp, networks, secret }: PostbackSourceRow,
): Promise<void> {
  await db
    .insertInto('postback_sources')
    .values({ company_uuid: companyId, mmp, networks, secret })
    .onConflict((conflict) => conflict.columns(['company_uuid', 'mmp']).doUpdateSet({ networks, secret }))
    .execute();
}

/** Counts the postbacks of the last `days` by partner, outcome and reason. */
async function outcomeCounts(
  clickhouse: ClickHouse,
  companyId: string,
  days: number,
): Promise<readonly { mmp: Mmp; outcome: PostbackOutcome; reason: PostbackReason; count: number }[]> {
  return clickhouse.query(
    `select mmp, outcome, reason, count() as count from postbacks
     where company_id = {companyId:UUID} and time >= now() - toIntervalDay({days:UInt32})
     group by mmp, outcome, reason order by mmp, outcome, reason`,
    { companyId, days },
  );
}

/** Outcomes listed as unknown: the postback refers to no click or impression of ours, or could not be verified. */
const UNKNOWN_OUTCOMES: readonly PostbackOutcome[] = ['unknown_click', 'no_touchpoint', 'unverified'];

/** The company's newest postbacks with one of {@link UNKNOWN_OUTCOMES}. */
async function unknownPostbacks(
  clickhouse: ClickHouse,
  companyId: string,
  limit: number,
): Promise<
  readonly { atMs: number; mmp: Mmp; outcome: PostbackOutcome; clickId: string; parameters: string }[]
> {
  return clickhouse.query(
    `select toUnixTimestamp64Milli(time) as atMs, mmp, outcome, click_id as clickId, parameters from postbacks
     where company_id = {companyId:UUID} and outcome in {outcomes:Array(String)}
     order by time desc limit {limit:UInt32}`,
    { companyId, limit, outcomes: UNKNOWN_OUTCOMES },
  );
}
