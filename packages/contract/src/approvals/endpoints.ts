import { z } from 'zod';
import { conflict, endpoint, missing } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import { Approval, ApprovalInput, ApprovalLimits, ApproveInput, RejectInput } from './schema.ts';
import { entityVersion } from '../lib/version.ts';

const Limits = ApprovalLimits.extend({
  /** People of the company who may ask and approve. */
  people: z.number().int(),
});
export const approvalLimitsVersion = entityVersion(Limits, ['people']);

export const readApprovalLimits = endpoint('GET /approval/limits', {
  companyPermission: 'campaign.read',
  summary: 'Read above which budgets of a campaign a second person has to approve',
  version: approvalLimitsVersion,
  response: { 200: envelope(Limits) },
});

/** Takes two people who may approve. */
export const setApprovalLimits = endpoint('PUT /approval/limits', {
  companyPermission: 'approval.rule',
  summary: 'Set above which budgets of a campaign a second person has to approve',
  body: ApprovalLimits,
  version: approvalLimitsVersion,
  response: { 200: envelope(Limits), ...conflict },
});

export const listApprovals = endpoint('GET /approval', {
  companyPermission: 'campaign.read',
  summary: 'List open requests for approval, and the latest that are not open any more',
  response: { 200: envelope(z.object({ approvals: z.array(Approval) })) },
});

export const requestApproval = endpoint('POST /approval', {
  companyPermission: 'approval.write',
  summary: 'Ask a second person to start a campaign or to change budgets of one that runs',
  body: ApprovalInput,
  response: { 201: envelope(Approval), ...missing },
});

export const approve = endpoint('POST /approval/:uuid/approve', {
  companyPermission: 'approval.write',
  summary: 'Approve a request of someone else, which makes the change',
  body: ApproveInput,
  response: { 200: envelope(Approval), ...conflict },
});

export const reject = endpoint('POST /approval/:uuid/reject', {
  companyPermission: 'approval.write',
  summary: 'Reject a request of someone else',
  body: RejectInput,
  response: { 200: envelope(Approval), ...conflict },
});

export const withdraw = endpoint('POST /approval/:uuid/withdraw', {
  companyPermission: 'approval.write',
  summary: 'Withdraw a request of one’s own',
  response: { 200: envelope(Approval), ...conflict },
});
