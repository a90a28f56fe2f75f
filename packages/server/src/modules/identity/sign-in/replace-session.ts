import type { SessionTokens } from '@bidwell/contract/accounts/schema';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { type OpenedSession, logout } from '../service.ts';
import { clearLoginStep, loginStepOf, refreshTokenOf, sendSession } from '../sessions/session-cookies.ts';
import { type LoginClient, loginClientOf } from './client.ts';

/** Gives a session to a browser and ends its previous one, since a browser has one at a time. Returns the body of the response. */
export async function replaceSession(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  session: OpenedSession,
): Promise<{ data: SessionTokens }> {
  await logout(ctx, refreshTokenOf(ctx.config, request));
  return sendSession(ctx, request, reply, session);
}

/** Completes the login that the browser has begun with its second factor, which `pass` checks. Throws what `pass` does. */
export async function completeLogin(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  pass: (step: string | undefined, client: LoginClient) => Promise<OpenedSession>,
): Promise<{ data: SessionTokens }> {
  const { config } = ctx;
  const session = await pass(loginStepOf(config, request), loginClientOf(config, request, reply));
  clearLoginStep(config, reply);
  return replaceSession(ctx, request, reply, session);
}
