import { z } from 'zod';
import { conflict, endpoint, limited } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import { Comment, CommentInput, CommentUpdate } from './schema.ts';

const listed = { 200: envelope(z.object({ comments: z.array(Comment) })) };
const added = { 201: envelope(Comment), ...conflict, ...limited };

export const listCampaignComments = endpoint('GET /campaign/:uuid/comment', {
  companyPermission: 'campaign.read',
  summary: 'List the comments on a campaign, the oldest first',
  response: listed,
});

export const commentOnCampaign = endpoint('POST /campaign/:uuid/comment', {
  companyPermission: 'comment.write',
  summary: 'Comment on a campaign; people whom it mentions, or who took part, are notified',
  body: CommentInput,
  response: added,
});

export const listDraftComments = endpoint('GET /campaign_draft/:uuid/comment', {
  companyPermission: 'campaign.read',
  summary: 'List the comments on the draft of a campaign, the oldest first',
  response: listed,
});

/** The campaign that is created from the draft takes its comments over. */
export const commentOnDraft = endpoint('POST /campaign_draft/:uuid/comment', {
  companyPermission: 'comment.write',
  summary: 'Comment on the draft of a campaign; people whom it mentions, or who took part, are notified',
  body: CommentInput,
  response: added,
});

export const changeComment = endpoint('PUT /comment/:uuid', {
  companyPermission: 'comment.write',
  summary: 'Change the text of one’s own comment, within 15 minutes',
  body: CommentUpdate,
  response: { 200: envelope(Comment), ...conflict },
});

export const deleteComment = endpoint('DELETE /comment/:uuid', {
  companyPermission: 'comment.write',
  summary: 'Delete one’s own comment, within 15 minutes',
  response: { 200: envelope(z.object({ deleted: z.literal(true) })), ...conflict },
});
