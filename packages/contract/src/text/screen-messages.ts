import { limits } from '../lib/limits.ts';

/** Messages of single screens of the console, in a module of their own: the first screens load without them. */
export const screenMessages = {
  changeTooLong: 'What changed is too long to list here.',
  changedElsewhere: 'Someone else changed this meanwhile',
  changedAnew:
    'Someone else changed this meanwhile: it is shown as it is now. Change it again if you still want to.',
  changedRow: 'Someone else changed this meanwhile. Close the dialog and edit the row again.',
  chooseValues: 'You both changed these fields. Choose the value of each, then save again.',
  loginHelp: `At least ${limits.loginMin} lower-case latin letters, with dots between parts`,
  passwordHelp: `At least ${limits.passwordMin} characters`,
  changesEmpty: 'Nothing has changed yet',
  changesText: 'Every change to apps, campaigns and settings is listed here.',
  invoicesEmpty: 'No invoices yet',
  invoicesText: 'An invoice has the media spend of a month. It is issued after the month has ended.',
  billingAddressUnconfirmed: (email: string) =>
    `Invoices are mailed only once ${email} is confirmed with the link that was sent there. Save the billing details to send it again.`,
  billingDetailsMissing: 'Invoices need the billing details of the company.',
  invoiceSettingsMissing: 'Enter who issues invoices. Then they are issued on the page of each company.',
  transactionsEmpty: 'No transactions yet',
  transactionsFiltered: 'No transactions with this status',
  transactionsText: 'Top-ups, credits and what campaigns spend each day will appear here.',
  topUpSent: 'Your request was sent. The funds arrive when it is confirmed.',
  reportEmpty: 'No impressions in this period',
  reportEmptyText: 'Choose another period or fewer filters, or start a campaign.',
  linkCopied: 'The link to this report was copied',
  linkNotCopied: 'The link could not be copied: copy the address of this page instead',
  added: (name: string) => `“${name}” was added`,
  removed: (name: string) => `“${name}” was removed`,
  viewSaved: (name: string) => `Saved as “${name}”`,
  appAdded: 'App added.',
  appAddedForReview: 'App added. It is reviewed before it can be advertised.',
  appSavedWithout: (parts: readonly string[]) =>
    `App saved. The changes of its ${parts.join(' and its ')} are not saved yet.`,
  appsDeleted: (count: number) => (count === 1 ? 'App deleted' : `${count} apps deleted`),
  appsNotDeleted: 'Nothing was deleted',
  appsEmpty: 'Campaigns promote an app: start with its store link.',
  appEventsEmpty: 'Events appear here by themselves once the measurement partner reports them.',
  appEventsShown:
    'Names, choices and payers apply to all reports and cohorts, also to past days. Postbacks keep the partner’s names.',
  appEventPayer: (max: number) =>
    `By purchase: only an event with an amount above 0 that is no ad revenue. At most ${max} events of all your apps can be set to always or never.`,
  appRevenueSources:
    'In all reports and cohorts, also for past days, and in bids of Target ROAS. Ad revenue is what the partner reports as such.',
  appReturnWindows:
    'For re-engagement campaigns: how long after a click or a view the return of a person who has the app counts.',
  appEventWindows:
    'An event that happened later after its bid is not counted. What was decided before stays as it is.',
  conversionValues:
    'What the values in postbacks of SKAdNetwork and AdAttributionKit mean, as the app sets them. A change applies to postbacks that arrive from today on.',
  comparisonEmpty:
    'Neither a postback nor, for ad sets with a source identifier, a measurement partner reported an install.',
  postbackOverlap:
    'Both count people, and often the same ones: the partner knows those who allowed tracking or were matched by other means, and Apple reports all that saw our ad last, so the two must not be added. A postback arrives 1–4 days after the first launch (window 0; windows 1 and 2 after 4–13 and 9–41 days), a partner’s report mostly on the same day: compare weeks, not days.',
  noTrackingLink: 'The app has no tracking link yet. The URLs of its first one fill in both fields.',
  storeLinkUnreadable: 'This link cannot be read',
  creativesUploaded: (count: number) => (count === 1 ? 'Creative uploaded' : `${count} creatives uploaded`),
  creativesImported: (count: number) => (count === 1 ? 'Creative imported' : `${count} creatives imported`),
  filesNotAccepted: (count: number) =>
    count === 1 ? 'One file was not accepted.' : `${count} files were not accepted.`,
  oneFileAtATime: 'One file at a time, please.',
  endCardReplaced: 'End card replaced',
  endCardReplacedForReview: 'End card replaced. It is reviewed before it runs.',
  adsetsEmpty:
    'An ad set says who is reached, with which creatives and at what price. A campaign has one or more.',
  creativesFirst: 'Upload a creative first; then you can add it to a group.',
  groupResumed: 'Creative group resumed',
  groupPaused: 'Creative group paused',
  groupsEmpty: 'A group contains the creatives that an ad set rotates.',
  targetsEmpty: 'A target defines who an ad set reaches: devices, countries, languages, apps.',
  trackingLinksEmpty:
    'A tracking link sends clicks to your measurement partner, which then reports the install.',
  secretRotated: 'Postback secret rotated',
  approvalRequested: 'The approval was requested',
  approvalGiven: (name: string) => `The budgets of “${name}” were approved`,
  approvalRejected: 'The request was rejected',
  approvalWithdrawn: 'The request was withdrawn',
  commentDeleted: 'The comment was deleted',
  draftAway: 'The server is unavailable. What you typed is kept in this browser and stored later.',
  draftRejected: (reason: string) => `The draft is in this browser only. ${reason}`,
  draftDiscarded: 'The draft was discarded',
  draftUnreadable:
    'This draft was made by another release of the console, which this page does not understand. Reload it.',
  invitationRevoked: (email: string) => `The invitation of ${email} was revoked`,
  roleChanged: (name: string, role: string) => `${name} has the role ${role} now`,
  personRemoved: (name: string) => `${name} was removed`,
  alertTestSent: 'A test is on its way',
  reportScheduled: (name: string) => `“${name}” is scheduled`,
  reportScheduleSaved: (name: string) => `“${name}” was saved`,
  costsSent: 'The costs of the last seven days are being sent',
  reportTestDelivered: 'The test arrived.',
  warehouseBegun: 'Events are exported from the present hour on',
  warehouseSaved: 'The export is saved',
  warehouseEnded: 'The export has ended',
  warehouseRepeated: 'The files are stored again',
  reportUnderWay: (days: string) => `The report of ${days} is on its way`,
  companyLeft: 'You left the company',
  screenNotOfRole: (role: string, shows: string) => `Your role, ${role}, does not include ${shows}.`,
  writingKeyExpires: 'Keys that change something expire within a year.',
  ssoSaved: 'Single sign-on saved',
  ssoRemoved: 'Single sign-on removed',
  ssoDomainProven: (domain: string) => `${domain} is proven`,
  ssoDomainRemoved: (domain: string) => `${domain} was removed`,
  tokenRevoked: (name: string) => `“${name}” was revoked`,
  recoveryCodes:
    'Each of these codes logs you in once if you lose your second factor. Keep them where no one else finds them: they are not shown again.',
  recoveryCodesLeft(count: number): string {
    if (count === 0) return 'There are no recovery codes.';
    return count === 1 ? '1 recovery code is left.' : `${count} recovery codes are left.`;
  },
  passkeyAdded: (name: string) => `Passkey “${name}” added`,
  passkeyRenamed: 'Passkey renamed',
  passkeyRemoved: (name: string) => `Passkey “${name}” removed`,
  passkeyCancelled: 'The browser’s prompt for a passkey was closed, or took too long. Try again.',
  passkeyOnDevice: 'This device has a passkey of your account already.',
  passkeyFailed:
    'This browser cannot use a passkey here. Open the console at its own address, or sign in in another way.',
  authenticatorRemoved: 'Your authenticator app is removed',
  codesLocked:
    'After ten wrong codes, no code is accepted. If you have an authenticator app, remove it and set it up again, or ask the operator.',
  secondFactorReset: (login: string) => `The second factor of ${login} is removed`,
  sessionsEnded: (count: number) => (count === 1 ? 'Session ended' : `${count} sessions ended`),
} as const;
