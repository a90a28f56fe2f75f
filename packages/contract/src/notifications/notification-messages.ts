import type { NotificationMessage } from './severity.ts';

const HOST_FAULTS = {
  not_found: 'its name is not found',
  private: 'its address is not in the public internet',
  refused: 'it accepts no connections',
  timeout: 'it does not answer in time',
  certificate_expired: 'its certificate has expired',
  certificate: 'its certificate is not valid',
} as const;
/** Why devices cannot connect to a host. */
export type HostFault = keyof typeof HOST_FAULTS;

/** The texts of notifications, and their severities. */
export const notificationMessages = {
  approvalLimits: (isOn: boolean) => ({
    severity: 'info',
    title: 'Rule for approvals changed',
    text: isOn
      ? 'The limits above which a second person approves budgets were changed.'
      : 'A second person does not have to approve budgets any more.',
  }),
  commented: (author: string, on: string, isMentioned: boolean) => ({
    severity: 'info',
    title: isMentioned ? 'You are mentioned' : 'New comment',
    text: `${author} ${isMentioned ? 'mentions you in a comment' : 'commented'} on ${on === '' ? 'a draft without a name' : `“${on}”`}.`,
  }),
  approvalRequested: (requester: string, campaign: string) => ({
    severity: 'warning',
    title: 'Approval requested',
    text: `${requester} asks someone else to approve the budgets of “${campaign}”.`,
  }),
  approvalGiven: (approver: string, campaign: string) => ({
    severity: 'info',
    title: 'Budget approved',
    text: `${approver} approved the budgets of “${campaign}”.`,
  }),
  approvalRejected: (approver: string, campaign: string, reason: string) => ({
    severity: 'warning',
    title: 'Budget rejected',
    text: `${approver} rejected the budgets of “${campaign}”: ${reason}`,
  }),
  balanceExhausted: {
    severity: 'critical',
    title: 'Balance used up',
    text: 'Your balance is used up. Your campaigns do not bid until you add funds.',
  },
  creditExhausted: {
    severity: 'critical',
    title: 'Credit limit reached',
    text: 'Your balance and your credit are used up. Your campaigns do not bid until you add funds.',
  },
  invoiceIssued: (number: string, total: string) => ({
    severity: 'info',
    title: 'New invoice',
    text: `Invoice ${number} over ${total} is in your finances.`,
  }),
  creditNoteIssued: (number: string, total: string) => ({
    severity: 'info',
    title: 'New credit note',
    text: `Credit note ${number} over ${total} is in your finances.`,
  }),
  alertRule: (of: {
    rule: string;
    figure: string;
    scope: string | null;
    from: string;
    to: string;
    isToday: boolean;
  }) => ({
    severity: 'warning',
    title: of.rule,
    text: `${of.figure}${of.scope === null ? '' : ` of “${of.scope}”`}${
      of.isToday
        ? ` today, ${of.from}, so far.`
        : of.from === of.to
          ? ` on ${of.from}.`
          : ` from ${of.from} to ${of.to}.`
    } A rule of your company watches it: ${of.rule}.`,
  }),
  balanceLow: (amount: string) => ({
    severity: 'warning',
    title: 'Balance low',
    text: `Your balance has fallen to ${amount} or less. Your campaigns stop bidding when it is used up.`,
  }),
  ssoRecordGone: (domain: string, days: number) => ({
    severity: 'warning',
    title: 'DNS record of a mail domain is missing',
    text:
      `The DNS record that proves ${domain} has not been found for ${days} days. Single sign-on still works. If the domain is yours, put the record back; ` +
      'if not, remove the domain: its present owner gets its mails.',
  }),
  trackingHostDown: (of: { host: string; name: string; count: number; fault: HostFault }) => ({
    severity: 'warning',
    title: 'Tracking links cannot be reached',
    text:
      `“${of.name}” ${of.count > 1 ? `and ${of.count - 1} more go` : 'goes'} to ${of.host}, which cannot be reached: ${HOST_FAULTS[of.fault]}. ` +
      'People who tap an ad do not arrive, and installs are not counted. Ask the measurement partner, or change the link.',
  }),
  trackingHostWorks: (host: string) => ({
    severity: 'info',
    title: 'Tracking links work again',
    text: `${host} can be reached again.`,
  }),
  postbacksSilent: (partner: string, last: string) => ({
    severity: 'warning',
    title: 'Postbacks have stopped',
    text: `The last postback of ${partner} came on ${last}, while your campaigns went on spending. Installs are not counted until they come again: check the integration at ${partner}.`,
  }),
  spendBelowPlan: (day: string, spent: string, planned: string) => ({
    severity: 'warning',
    title: 'Spend is below plan',
    text: `On ${day} your campaigns spent ${spent} of the ${planned} of their daily budgets. The delivery report of each campaign says why.`,
  }),
  topUpConfirmed: (amount: string) => ({
    severity: 'info',
    title: 'Top-up confirmed',
    text: `${amount} was added to your balance.`,
  }),
  topUpDeclined: (amount: string) => ({
    severity: 'warning',
    title: 'Top-up declined',
    text: `Your request for ${amount} was declined.`,
  }),
  suspended: {
    severity: 'critical',
    title: 'Company suspended',
    text: 'Your campaigns do not bid until an operator lifts this.',
  },
  suspendedFor: (reason: string) => ({
    severity: 'critical',
    title: 'Company suspended',
    text: `Your campaigns do not bid until an operator lifts this. Reason: ${reason}`,
  }),
  creditLimitChanged: (limit: string) => ({
    severity: 'info',
    title: 'Credit limit changed',
    text: `Your credit limit is now ${limit}: your balance may go this far below zero.`,
  }),
  timeZoneChanged: (timeZone: string) => ({
    severity: 'info',
    title: 'Time zone changed',
    text: `The days of your budgets, campaigns and reports now use the time zone ${timeZone}.`,
  }),
  passwordReset: (login: string) => ({
    severity: 'warning',
    title: 'Password reset',
    text: `An operator gave ${login} a one-time password. It works for one login: choose a new password in the profile after it.`,
  }),
  passwordResetByMail: (login: string) => ({
    severity: 'warning',
    title: 'Password changed',
    text: `${login} chose a new password by a link in an e-mail. All sessions of ${login} have ended.`,
  }),
  emailChanged: (login: string) => ({
    severity: 'warning',
    title: 'Mail address changed',
    text: `${login} has another mail address from now on. Links for a new password go there.`,
  }),
  recoveryCodeUsed: (login: string, left: number) => ({
    severity: 'warning',
    title: 'Recovery code used',
    text: `${login} logged in with a recovery code in place of the second factor. ${left} ${left === 1 ? 'code is' : 'codes are'} left.`,
  }),
  recoveryCodesRenewed: (login: string) => ({
    severity: 'info',
    title: 'New recovery codes',
    text: `${login} has new recovery codes. The earlier ones do not work any more.`,
  }),
  authenticatorAdded: (login: string) => ({
    severity: 'info',
    title: 'Second factor added',
    text: `${login} logs in with a code of an authenticator app in addition to the password from now on.`,
  }),
  authenticatorRemoved: (login: string) => ({
    severity: 'warning',
    title: 'Second factor removed',
    text: `${login} needs no code of an authenticator app any more.`,
  }),
  passkeyAdded: (login: string, name: string) => ({
    severity: 'info',
    title: 'Passkey added',
    text: `${login} can log in with the passkey “${name}” from now on.`,
  }),
  passkeyRemoved: (login: string, name: string) => ({
    severity: 'warning',
    title: 'Passkey removed',
    text: `${login} removed the passkey “${name}”.`,
  }),
  passkeyCopied: (login: string, name: string) => ({
    severity: 'warning',
    title: 'Passkey refused',
    text: `The passkey “${name}” of ${login} was refused: its counter went back, so there may be a copy of it. Remove it unless you know why.`,
  }),
  authenticatorReset: (login: string) => ({
    severity: 'warning',
    title: 'Second factor reset',
    text: `An operator removed the second factor of ${login} and ended all sessions. Set up a new one on the profile.`,
  }),
  newDevice: (login: string, { device, address, at }: { device: string; address: string; at: Date }) => ({
    severity: 'info',
    title: 'Login from a new device',
    text: `${login} logged in with ${device}, from the address ${address}, on ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC.`,
  }),
  resumed: { severity: 'info', title: 'Company resumed', text: 'Your campaigns may bid again.' },
  approved: (noun: string, name: string) => ({
    severity: 'info',
    title: `${noun} approved`,
    text: `“${name}” was approved.`,
  }),
  rejected: (noun: string, was: { name: string; reason: string; retainsApproved: boolean }) => ({
    severity: 'warning',
    title: `${noun} rejected`,
    text: `“${was.name}” was rejected: ${was.reason}${was.retainsApproved ? ' The version that was approved before goes on running.' : ''}`,
  }),
  disapprovedByExchange: (name: string, exchange: string, reasons: readonly string[]) => ({
    severity: 'warning',
    title: `Creative disapproved by ${exchange}`,
    text: `${exchange} disapproved “${name}”${reasons.length > 0 ? `: ${reasons.join('; ').replace(/\.$/, '')}.` : ' and gave no reason.'}`,
  }),
  startedByItself: (name: string) => ({
    severity: 'info',
    title: 'Campaign started',
    text: `“${name}” is running: everything in it was approved, so it started by itself.`,
  }),
  notStarted: (name: string, reason: string) => ({
    severity: 'warning',
    title: 'Campaign not started: something is missing',
    text: `Everything in “${name}” was reviewed, but it could not start by itself. ${reason}`,
  }),
  anomaly: (label: string, direction: 'above' | 'below', text: string) => ({
    severity: 'warning',
    title: `${label} is ${direction === 'above' ? 'higher' : 'lower'} than usual`,
    text,
  }),
  domainMissing: (app: string) => ({
    severity: 'warning',
    title: 'Advertiser domain missing',
    text:
      `Enter the advertiser domain of “${app}”: the developer’s own website. Its campaigns go on, but exchanges ` +
      'may refuse bids without it, and no campaign of the app can be started until it is there.',
  }),
  alertChannelGivenUp: (name: string) => ({
    severity: 'warning',
    title: 'Alert channel switched off',
    text: `Alerts could not be sent to “${name}” for three days, or it refused them for good. Fix the receiver and switch the channel on again.`,
  }),
  reportNotSent: (name: string, was: { days: string; reason: string }) => ({
    severity: 'warning',
    title: 'Scheduled report not sent',
    text: `The report “${name}” of ${was.days} was not sent: ${was.reason}`,
  }),
  costsRefused: (partner: string, reason: string) => ({
    severity: 'warning',
    title: 'Costs not accepted',
    text: `${partner} has not got the costs of your campaigns: ${reason}`,
  }),
  warehouseNotStored: (kind: string, was: { hour: Date; reason: string }) => ({
    severity: 'warning',
    title: 'Files for the warehouse not stored',
    text: `The files of ${kind.replaceAll('_', ' ')} of ${was.hour.toISOString().slice(0, 16).replace('T', ' ')} UTC were not stored: ${was.reason}`,
  }),
  adsetNotShown: (campaign: string) => ({
    severity: 'warning',
    title: 'An ad set could not be shown',
    text: `An ad of the campaign “${campaign}” could not be made from its creatives and addresses, so this ad set lost a bid. Check its tracking link and creatives; if they are right, tell the operator.`,
  }),
  adsetCannotRun: (campaign: string) => ({
    severity: 'warning',
    title: 'An ad set cannot run',
    text: `The settings of this ad set of the campaign “${campaign}” cannot be read, so it does not bid. Open and save it again; if that does not help, tell the operator.`,
  }),
  adsetInsecureAddress: (campaign: string) => ({
    severity: 'warning',
    title: 'An ad set misses most of its traffic',
    text: `The view URL of its tracking link, or of one of its creatives, begins with http://. Most apps allow only https:// in their ads, and there this ad set of the campaign “${campaign}” does not bid. Change the address to https://.`,
  }),
} as const satisfies Record<string, NotificationMessage | ((...args: never[]) => NotificationMessage)>;
