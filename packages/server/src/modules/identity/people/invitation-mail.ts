import { INVITATION_DAYS } from '@bidwell/contract/accounts/people';
import type { Config } from '../../../config/config.ts';
import { consoleUrlOf } from '../../../platform/brand/page-brand.ts';
import { escapedHtml } from '../../../platform/mail/escaped-html.ts';
import type { Mail } from '../../../platform/mail/mailer.ts';
import { readSignedIds, signedIds } from '../../../platform/mail/signed-ids.ts';
import { unlinked } from '../../../platform/mail/unlinked.ts';
import { mailKind } from '../../messaging/public.ts';
import { hashToken } from '../sessions/access-tokens.ts';
import { findOpenInvitation } from './invitation-store.ts';

/** What a mail says of an invitation; the names are what people have chosen. */
interface Invited {
  /** Name of the product. */
  product: string;
  companyName: string;
  invitedBy: string;
  link: string;
  days: number;
}

/** Mails of invitations that are open. */
export const invitationMails = mailKind<{
  token: string;
  uuid: string;
  companyName: string;
  invitedBy: string;
}>({
  name: 'invitation',
  lane: 'awaited',
  async compose({ db, config, brand, now }, { token, uuid, companyName, invitedBy }) {
    if (!(await findOpenInvitation(db, hashToken(token), now()))) return null;
    const current = await brand.current();
    const link = `${consoleUrlOf(current, config)}/invitation#${mailedToken(config, token, { uuid })}`;
    const product = current.settings.name;
    return invitationMail({ product, companyName, invitedBy, link, days: INVITATION_DAYS });
  },
});

/** The mail of an invitation. The link holds only URL-safe characters. */
function invitationMail({ product, companyName, invitedBy, link, days }: Invited): Omit<Mail, 'to'> {
  const first = `${unlinked(invitedBy)} invites you to the company “${unlinked(companyName)}” in ${product}.`;
  const second = `Open this link within ${days} days to join:`;
  const last = 'If you do not know them, ignore this mail.';
  return {
    // Without names: anybody may call a company anything.
    subject: `You are invited to a company in ${product}`,
    text: `${first}\n${second}\n\n${link}\n\n${last}\n`,
    html: `<p>${escapedHtml(first)}<br>${second}</p>\n<p><a href="${link}">${link}</a></p>\n<p>${last}</p>\n`,
  };
}

/** The token of the link that is mailed: that of the link which the person who invites gets, and a signature that only the address gets. Pure. */
const mailedToken = (
  { signingSecret }: Pick<Config, 'signingSecret'>,
  token: string,
  { uuid }: { uuid: string },
): string => `${token}.${signedIds(signingSecret, 'invitation', [uuid])}`;

/** The token of an invitation without its signature, and the id of the invitation with whose mail it came; undefined for another. Pure. */
export function readInvitationToken(
  { signingSecret, previousSigningSecret }: Pick<Config, 'signingSecret' | 'previousSigningSecret'>,
  given: string,
): { token: string; mailedTo: string | undefined } {
  const [token = '', signature = ''] = given.split('.', 2);
  const secrets = [signingSecret, ...(previousSigningSecret === null ? [] : [previousSigningSecret])];
  return { token, mailedTo: readSignedIds(secrets, 'invitation', signature)?.[0] };
}
