import { randomUUID } from 'node:crypto';
import type { OperatorRole } from '@bidwell/contract/operator-accounts/schema';
import type { Context } from '@bidwell/server/context';
import { startOperatorSession } from '@bidwell/server/modules/identity/operators/login';
import { insertOperator } from '@bidwell/server/modules/identity/operators/store';
import { newTotpSecret, sealedSecret, totpCode } from '@bidwell/server/modules/identity/sign-in/totp';

const PASSWORD = 'a long passphrase';
/** Its hash with the least work: a login takes as long as the hash that it compares with. */
const PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$/p9T3SFL5njizre/RnogNg$LsBzacHbEt8uwbuEQuogM+pt+3M0rLYvMAkNVH6eOws';

/** An operator with an authenticator app, who is logged in. */
export interface TestOperator {
  uuid: string;
  login: string;
  password: string;
  /** The code that the app shows. */
  code(): string;
  /** The headers of the session's calls. */
  headers: Record<string, string>;
}

/** Adds an operator to the database, without an entry in the audit log. */
export async function freshOperator(ctx: Context, role: OperatorRole): Promise<TestOperator> {
  const uuid = randomUUID();
  const login = `operator.${uuid.replaceAll(/[^a-f]/g, '')}`;
  const secret = newTotpSecret();
  const now = ctx.now();
  await insertOperator(ctx.db, {
    uuid,
    login,
    name: 'Test Operator',
    role,
    password_hash: PASSWORD_HASH,
    totp_secret: sealedSecret(ctx, 'operators', { uuid }, secret),
    totp_enrolled: true,
    last_login_at: now,
    created_at: now,
  });
  const { token } = await startOperatorSession(ctx.db, uuid, now);
  const code = () => totpCode(secret, ctx.now().getTime());
  return { uuid, login, password: PASSWORD, code, headers: { cookie: `bidwell_operator=${token}` } };
}
