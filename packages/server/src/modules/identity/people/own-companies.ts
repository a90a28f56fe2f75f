import type { OwnCompany } from '@bidwell/contract/accounts/people';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { Forbidden, NotFound, Unauthenticated } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { type Standing, requirePermission } from '../../../platform/permissions.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { type OpenedSession, openSession } from '../service.ts';
import { findLiveSession, revokeSession } from '../sessions/session-store.ts';
import { moveSessionDetails } from '../sign-in/session-details.ts';
import { companiesRequiringSso } from '../sso/provider-store.ts';
import { requireOwnLogin } from '../sso/settings.ts';
import { lockUser } from '../store.ts';
import { type OwnCompanyRow, companiesOfUser } from './membership-store.ts';

/**
 * The companies of the actor, by name. To an operator who views one, to an API key, and in a session by single sign-on, that one
 * only.
 */
export async function listOwnCompanies(ctx: Context, actor: Session): Promise<OwnCompany[]> {
  requirePermission(actor, 'membership.read');
  return (await ownRows(ctx, actor)).map((row) => presentOwnCompany(row, actor.companyId));
}

/** A company of a person, and their permissions if they acted for it. */
export interface CompanyStanding {
  company: OwnCompany;
  /** IANA name. */
  timeZone: string;
  standing: Standing;
  /** The step that they have to take first; until then the standing has no permission to read anything. */
  requires: 'single_sign_on' | 'second_factor' | null;
}

/** As {@link listOwnCompanies}, with the actor's permissions in each: as if they had switched to it, but their present permissions in the present one. */
export async function listStandings(ctx: Context, actor: Session): Promise<CompanyStanding[]> {
  requirePermission(actor, 'membership.read');
  const rows = await ownRows(ctx, actor);
  const bySsoOnly = rows.length > 1 ? await companiesRequiringSso(ctx.db, actor.userId) : [];
  return rows.map((row) => ({
    company: presentOwnCompany(row, actor.companyId),
    timeZone: row.time_zone,
    ...(row.uuid === actor.companyId
      ? { standing: actor, requires: actor.unenrolled ? 'second_factor' : null }
      : standingIn(row, bySsoOnly.includes(row.uuid))),
  }));
}

/** The permissions in another of their companies of a person who logged in with a password. */
function standingIn(row: OwnCompanyRow, needsSso: boolean): Pick<CompanyStanding, 'standing' | 'requires'> {
  if (needsSso) return { standing: { role: 'person' }, requires: 'single_sign_on' };
  const unenrolled = row.second_factor_required && !row.has_factor;
  return {
    standing: {
      role: 'person',
      companyRole: row.role,
      suspended: row.suspended_at !== null,
      unenrolled,
    },
    requires: unenrolled ? 'second_factor' : null,
  };
}

async function ownRows(
  { db }: Context,
  { userId, companyId, role, bySso = false }: Session,
): Promise<OwnCompanyRow[]> {
  const rows = await companiesOfUser(db, userId);
  return rows.filter(({ uuid }) => (role === 'person' && !bySso) || uuid === companyId);
}

const presentOwnCompany = (
  { uuid, name, role, suspended_at }: OwnCompanyRow,
  currentId: string,
): OwnCompany => ({
  uuid,
  name,
  role,
  is_current: uuid === currentId,
  is_suspended: suspended_at !== null,
});

/**
 * Ends the actor's session and starts one of the same login for another of their companies. Throws NotFound for a company to which
 * they do not belong; Forbidden in a session by single sign-on, and for a company that requires it; Unauthenticated if the session has
 * ended meanwhile.
 */
export async function switchCompany(
  ctx: Context,
  actor: Session,
  { companyId }: { companyId: string },
): Promise<OpenedSession> {
  requirePermission(actor, 'membership.write');
  requireOwnLogin(actor);
  const { userId, sessionId } = actor;
  return transact(ctx.db, async (tx) => {
    // Against a session that is renewed or a membership that ends meanwhile.
    await lockUser(tx.db, userId);
    const live = await findLiveSession(tx.db, actor);
    if (!live) throw new Unauthenticated();
    const companies = await companiesOfUser(tx.db, userId);
    if (!companies.some(({ uuid }) => uuid === companyId)) throw new NotFound('Company');
    if ((await companiesRequiringSso(tx.db, userId)).includes(companyId))
      throw new Forbidden(accountMessages.ssoRequired);
    await revokeSession(tx.db, userId, sessionId, ctx.now());
    tx.afterCommit(() => ctx.onSessionsEnded([sessionId]));
    const { loggedInAt } = live;
    const next = { userId, companyId, sessionId: uuidv7(), loggedInAt, bySso: false };
    await moveSessionDetails(tx.db, sessionId, next.sessionId);
    return openSession(ctx, tx.db, next);
  });
}
