import { z } from 'zod';
import { conflict, endpoint, limited } from '../lib/endpoint.ts';
import { UuidParams, envelope } from '../lib/wire.ts';
import { Comment, CommentInput, CommentUpdate } from './schema.ts';

const listed = { 200: envelope(z.object({ comments: z.array(Comment) })) };
const added = { 201: envelope(Comment), ...conflict, ...limited };

export const listCampaignComments = endpoint({
  method: 'GET',
  path: '/campaign/:uuid/comment',
  companyPermission: 'campaign.read',
  summary: 'List the comments on a campaign, the oldest first',
  params: UuidParams,
  response: listed,
});

export const commentOnCampaign = endpoint({
  method: 'POST',
  path: '/campaign/:uuid/comment',
  companyPermission: 'comment.write',
  summary: 'Comment on a campaign; people whom it mentions, or who took part, are notified',
  params: UuidParams,
  body: CommentInput,
  response: added,
});

export const listDraftComments = endpoint({
  method: 'GET',
  path: '/campaign_draft/:uuid/comment',
  companyPermission: 'campaign.read',
  summary: 'List the comments on the draft of a campaign, the oldest first',
  params: UuidParams,
  response: listed,
});

/** The campaign that is created from the draft takes its comments over. */
export const commentOnDraft = endpoint({
  method: 'POST',
  path: '/campaign_draft/:uuid/comment',
  companyPermission: 'comment.write',
  summary: 'Comment on the draft of a campaign; people whom it mentions, or who took part, are notified',
  params: UuidParams,
  body: CommentInput,
  response: added,
});

export const changeComment = endpoint({
  method: 'PUT',
  path: '/comment/:uuid',
  companyPermission: 'comment.write',
  summary: 'Change the text of one’s own comment, within 15 minutes',
  params: UuidParams,
  body: CommentUpdate,
  response: { 200: envelope(Comment), ...conflict },
});

export const deleteComment = endpoint({
  method: 'DELETE',
  path: '/comment/:uuid',
  companyPermission: 'comment.write',
  summary: 'Delete one’s own comment, within 15 minutes',
  params: UuidParams,
  response: { 200: envelope(z.object({ deleted: z.literal(true) })), ...conflict },
});
