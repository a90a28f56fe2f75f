import type { AddedFields } from '@bidwell/contract/measurement/partners/postback-copies';

/** What this network knows of a postback. */
export interface KnownOfPostback {
  /** Null where the source identifier is no ad set's. */
  campaign: { uuid: string; name: string } | null;
  adset: { uuid: string; name: string } | null;
  receivedAt: Date;
}

const CLOSING_BRACE = 0x7d;
const OPENING_BRACE = 0x7b;
const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * The body of a copy: the bytes that the device sent, and behind its fields the ones that the partner takes of this network. Without any, and
 * for a body that names one of them itself, the bytes alone. Pure.
 */
export function copyBody(body: Buffer, added: AddedFields | null, known: KnownOfPostback): Buffer {
  const fields = added ? fieldsOf(added, known) : {};
  if (Object.keys(fields).length === 0 || Object.keys(fields).some((name) => body.includes(`"${name}"`)))
    return body;
  let end = body.length - 1;
  while (end > 0 && WHITE_SPACE.has(body[end]!)) end -= 1;
  if (body[end] !== CLOSING_BRACE) return body;
  let last = end - 1;
  while (last > 0 && WHITE_SPACE.has(body[last]!)) last -= 1;
  const comma = body[last] === OPENING_BRACE ? '' : ',';
  const text = JSON.stringify(fields).slice(1, -1);
  return Buffer.concat([body.subarray(0, end), Buffer.from(comma + text), body.subarray(end)]);
}

function fieldsOf(
  added: AddedFields,
  { campaign, adset, receivedAt }: KnownOfPostback,
): Record<string, string> {
  return {
    ...(campaign && { [added.campaignId]: campaign.uuid, [added.campaignName]: campaign.name }),
    ...(adset && { [added.adsetId]: adset.uuid, [added.adsetName]: adset.name }),
    ...(added.receivedAt !== null && {
      [added.receivedAt]: String(Math.floor(receivedAt.getTime() / 1000)),
    }),
  };
}
