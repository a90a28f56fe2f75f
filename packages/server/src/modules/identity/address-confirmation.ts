import { accountMessages } from '@bidwell/contract/accounts/messages';
import { v5 as uuidv5 } from 'uuid';
import type { Config } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import { Invalid, NotFound, RateLimited } from '../../platform/errors.ts';
import { consoleUrlOf } from '../../platform/brand/page-brand.ts';
import type { Session } from '../../platform/http/auth/auth.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { normalAddress } from '../../platform/mail/normal-address.ts';
import { readSignedIds, signedIds } from '../../platform/mail/signed-ids.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { countMail, mailKind } from '../messaging/public.ts';
import { type Db, type Tx, transact } from '../../platform/postgres/transaction.ts';
import {
  confirmBillingAddress,
  confirmPersonAddress,
  findBillingAddress,
  findUser,
  findUserOfAnyCompany,
} from './store.ts';

/** Whose address it is: of a person, or of the billing details of a company. */
type Owner = { kind: 'person_address' | 'billing_address'; uuid: string };
const OWNERS = ['person_address', 'billing_address'] as const;

const DAY_SECONDS = 86_400;
/** A confirmation that did not leave within this time has to be requested again. */
const LEAVES_WITHIN_MS = DAY_SECONDS * 1000;

/** The id of an address of an owner, so that a link is of no use once there is another address. */
const addressId = (email: string, ownerId: string): string => uuidv5(normalAddress(email), ownerId);

/** A token that confirms an address of an owner as long as it is theirs, and does nothing else. It does not expire. Pure. */
export const confirmationToken = (
  { signingSecret }: Pick<Config, 'signingSecret'>,
  { kind, uuid }: Owner,
  email: string,
): string => signedIds(signingSecret, kind, [uuid, addressId(email, uuid)]);

/**
 * Sends the link by which the holder of an address confirms it, where the server sends mail: until then the server sends nothing else there. False
 * if it is not sent, as beyond the mails of a day to an address. Does not reject.
 */
export async function sendConfirmation(ctx: Context, owner: Owner, email: string): Promise<boolean> {
  try {
    return await transact(ctx.db, async (tx) => queueConfirmation(ctx, tx, owner, email));
  } catch (error) {
    ctx.log.error({ err: error }, 'the mail to confirm an address was not queued');
    return false;
  }
}

/** {@link sendConfirmation} in a transaction. Rejects where that does. */
export async function queueConfirmation(
  ctx: Context,
  tx: Tx,
  { kind, uuid }: Owner,
  email: string,
): Promise<boolean> {
  if (!ctx.mailer) return false;
  const now = ctx.now();
  if (!(await countMail(tx.db, { to: email, kind: 'confirmation', at: now }))) return false;
  await confirmationMails.queue(ctx, tx, {
    about: uuid,
    ...(kind === 'person_address' ? { userId: uuid } : { companyId: uuid }),
    to: email,
    content: { kind, uuid, email },
    expiresAt: new Date(now.getTime() + LEAVES_WITHIN_MS),
  });
  return true;
}

/** Mails with the link by which the holder of an address confirms it. */
export const confirmationMails = mailKind<Owner & { email: string }>({
  name: 'confirmation',
  lane: 'awaited',
  async compose(ctx, { email, ...owner }) {
    if ((await addressOf(ctx.db, owner)) !== email) return null;
    const brand = await ctx.brand.current();
    const token = confirmationToken(ctx.config, owner, email);
    return confirmationMail(
      `${consoleUrlOf(brand, ctx.config)}/confirm-address#${token}`,
      brand.settings.name,
    );
  },
});

/** The address that an owner has now. */
async function addressOf(db: Db, { kind, uuid }: Owner): Promise<string | undefined> {
  return kind === 'person_address'
    ? (await findUserOfAnyCompany(db, uuid))?.email
    : findBillingAddress(db, uuid);
}

/**
 * Sends the actor the link by which they confirm their address. False if the address is confirmed or absent. Throws RateLimited beyond the mails
 * of a day to an address.
 */
export async function requestConfirmation(ctx: Context, actor: Session): Promise<boolean> {
  requirePermission(actor, 'user.write');
  const user = await findUser(ctx.db, actor.companyId, actor.userId);
  if (!user) throw new NotFound('User');
  if (!ctx.mailer || user.email_confirmed_at) return false;
  const owner = { kind: 'person_address', uuid: user.uuid } as const;
  if (!(await sendConfirmation(ctx, owner, user.email)))
    throw new RateLimited(accountMessages.confirmationsOfDay, DAY_SECONDS);
  return true;
}

/** Confirms the address of a link; it can be repeated. Throws Invalid for a link that was not made here, and of a former address. */
export async function confirmAddress(ctx: Context, { token }: { token: string }): Promise<{ email: string }> {
  const { signingSecret, previousSigningSecret } = ctx.config;
  const secrets = [signingSecret, ...(previousSigningSecret === null ? [] : [previousSigningSecret])];
  for (const kind of OWNERS) {
    const [uuid, address] = readSignedIds(secrets, kind, token) ?? [];
    if (uuid === undefined) continue;
    const email = await addressOf(ctx.db, { kind, uuid });
    if (email === undefined || addressId(email, uuid) !== address) break;
    const confirm = kind === 'person_address' ? confirmPersonAddress : confirmBillingAddress;
    await confirm(ctx.db, uuid, { email, at: ctx.now() });
    return { email };
  }
  throw new Invalid(
    [{ field: 'token', message: accountMessages.confirmationLink }],
    accountMessages.confirmationLink,
  );
}

/** The mail with the link, which holds only URL-safe characters. Without names: it goes to an address that anyone may have entered. */
function confirmationMail(link: string, product: string): Omit<Mail, 'to'> {
  const first = `Someone entered this mail address in ${product}. If it was you, confirm it by this link:`;
  const last = 'If it was not you, ignore this mail: nothing else is sent to you.';
  return {
    subject: `Confirm your mail address for ${product}`,
    text: `${first}\n\n${link}\n\n${last}\n`,
    html: `<p>${first}</p>\n<p><a href="${link}">${link}</a></p>\n<p>${last}</p>\n`,
  };
}
