import type { PasskeyLogin, RequestOptions } from '@bidwell/contract/accounts/passkey';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import type { Context } from '../../../context.ts';
import { Conflict, Invalid } from '../../../platform/errors.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { type OpenedSession, startSession } from '../service.ts';
import type { LoginClient } from '../sign-in/login-client.ts';
import {
  type LoggedIn,
  companyOfLogin,
  endLoginStep,
  loginStepOver,
  personOfStep,
} from '../sign-in/login.ts';
import { notifyPerson } from '../sign-in/notify-person.ts';
import { findUserOfAnyCompany, lockUser } from '../store.ts';
import { discoverableOptions, requestOptions } from './passkeys.ts';
import { type ChallengeUse, verifyAnswer } from './verify.ts';
import { accountOfPasskey, passkeysOf } from './passkey-store.ts';

/**
 * The options with which a browser logs in by any passkey of this server that it has, and the secret that binds them to the browser.
 */
export function startPasskeyLogin(ctx: Context): { options: RequestOptions; secret: string } {
  return discoverableOptions(ctx, { of: 'person', purpose: 'log in' });
}

/**
 * Logs in the person whose passkey answered the options of the browser with this secret; neither a password nor another factor is required, since
 * only the holder of the device can unlock and use a passkey. Throws Invalid for an answer that is not accepted, which does not say why,
 * and like a login by password for a person without a company that lets them in.
 */
export async function logInByPasskey(
  ctx: Context,
  secret: string | undefined,
  login: PasskeyLogin,
  client?: LoginClient,
): Promise<OpenedSession> {
  const userId = await accountOfPasskey(ctx.db, login.credential.id);
  if (userId === undefined || secret === undefined) throw refused();
  const person = await transact(ctx.db, async (tx) => {
    await lockUser(tx.db, userId);
    if (!(await findUserOfAnyCompany(tx.db, userId))) throw refused();
    const loggedIn = { userId, companyId: await companyOfLogin(tx.db, userId) };
    return answered(ctx, tx, loggedIn, {
      use: { of: 'person', purpose: 'log in', holder: secret },
      login,
    });
  });
  return opened(ctx, person, client);
}

/** The options with which the begun login of a secret is completed by a passkey. Throws Invalid as its completion; Conflict without a passkey. */
export async function startPasskeyFactor(ctx: Context, step: string | undefined): Promise<RequestOptions> {
  if (step === undefined) throw loginStepOver();
  const { user } = await transact(ctx.db, async (tx) => personOfStep(ctx, tx, step));
  const passkeys = await passkeysOf(ctx.db, user.uuid);
  if (passkeys.length === 0) throw new Conflict(accountApiMessages.noPasskey);
  return requestOptions(ctx, { of: 'person', purpose: 'second factor', holder: step }, passkeys);
}

/** Completes the begun login of a secret by a passkey of the person. Throws Invalid for one that is not accepted, and for a login that is over. */
export async function passPasskeyFactor(
  ctx: Context,
  step: string | undefined,
  login: PasskeyLogin,
  client?: LoginClient,
): Promise<OpenedSession> {
  if (step === undefined) throw loginStepOver();
  const person = await transact(ctx.db, async (tx) => {
    const { loggedIn } = await personOfStep(ctx, tx, step);
    const use = { of: 'person', purpose: 'second factor', holder: step } as const;
    const passed = await answered(ctx, tx, loggedIn, { use, login });
    if (passed) await endLoginStep(tx.db, step);
    return passed;
  });
  return opened(ctx, person, client);
}

/** The person if their passkey is accepted, else null, so that the notification of it is committed. */
async function answered(
  ctx: Context,
  tx: Tx,
  person: LoggedIn,
  { use, login }: { use: ChallengeUse; login: PasskeyLogin },
): Promise<LoggedIn | null> {
  const answer = await verifyAnswer(ctx, tx.db, { ...use, accountUuid: person.userId }, login.credential);
  if (answer && !answer.isCopied) return person;
  if (answer)
    await notifyPerson(ctx, tx, person, (name) =>
      notificationMessages.passkeyCopied(name, answer.passkey.name),
    );
  return null;
}

async function opened(
  ctx: Context,
  person: LoggedIn | null,
  client: LoginClient | undefined,
): Promise<OpenedSession> {
  if (!person) throw refused();
  return startSession(ctx, person, client);
}

const refused = () => new Invalid([{ field: 'credential', message: accountApiMessages.passkeyRefused }]);
