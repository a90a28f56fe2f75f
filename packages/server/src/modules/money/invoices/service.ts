import type { InvoiceList } from '@bidwell/contract/invoices/schema';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { NotFound } from '../../../platform/errors.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type InvoiceFile, invoiceFile } from './invoice-mail.ts';
import {
  companyOfInvoice,
  findCompanyName,
  invoicedSoFar,
  listInvoiceRows,
  presentInvoice,
} from './invoice-store.ts';
import { PDF } from '@bidwell/contract/invoices/endpoints';
import type { FastifyReply } from 'fastify';

/** One page of the invoices and credit notes of the actor's company, newest first. */
export async function listInvoices(
  ctx: Context,
  actor: Actor,
  page: { page: number; limit: number },
): Promise<InvoiceList> {
  requirePermission(actor, 'money.read');
  return listOf(ctx, actor.companyId, page);
}

/** {@link listInvoices} of a company, for an operator. Throws NotFound. */
export async function listCompanyInvoices(
  ctx: Context,
  operator: Operator,
  { uuid: companyId, ...page }: { uuid: string; page: number; limit: number },
): Promise<InvoiceList> {
  requireOperatorPermission(operator, 'company.read');
  if ((await findCompanyName(ctx.db, companyId)) === undefined) throw new NotFound('Company');
  return listOf(ctx, companyId, page);
}

async function listOf(
  { db }: Context,
  companyId: string,
  page: { page: number; limit: number },
): Promise<InvoiceList> {
  const [{ rows, total }, { lastMonth }] = await Promise.all([
    listInvoiceRows(db, companyId, page),
    invoicedSoFar(db, companyId),
  ]);
  return { invoices: rows.map(presentInvoice), total, last_month: lastMonth };
}

/**
 * An invoice or a credit note of the actor's company as PDF, drawn from its snapshot: the same bytes each time. Throws NotFound, and
 * RateLimited and Unavailable where many are being drawn.
 */
export async function downloadInvoice(
  ctx: Context,
  actor: Actor,
  { uuid, signal }: { uuid: string; signal: AbortSignal },
): Promise<InvoiceFile> {
  requirePermission(actor, 'money.read');
  return invoiceFile(ctx, actor.companyId, { uuid, signal });
}

/** {@link downloadInvoice} of any company, for an operator. */
export async function downloadCompanyInvoice(
  ctx: Context,
  operator: Operator,
  { uuid, signal }: { uuid: string; signal: AbortSignal },
): Promise<InvoiceFile> {
  requireOperatorPermission(operator, 'company.read');
  const companyId = await companyOfInvoice(ctx.db, uuid);
  if (companyId === undefined) throw new NotFound('Invoice');
  return invoiceFile(ctx, companyId, { uuid, signal });
}

/** Sends an invoice as a file to be saved. */
export function sendInvoice(reply: FastifyReply, { name, content }: InvoiceFile): FastifyReply {
  return reply
    .headers({
      'content-type': PDF,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    })
    .send(content);
}
