import { bytesText } from '../lib/bytes.ts';
import { limits } from '../lib/limits.ts';
import { numberText } from '../lib/number-text.ts';
import type { NotificationMessage } from '../notifications/severity.ts';
import type { Storage } from '../storage/schema.ts';

/** Plural of a noun that messages use with a count. */
function plural(noun: string): string {
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** Messages for users, some shared by server and console. */
export const messages = {
  required: 'Required',
  notAnId: 'This is not an ID: IDs are UUIDs',
  countryCode: 'Two capital letters, such as DE',
  currencyCode: 'Three capital letters, such as EUR',
  currencyNotDollar: 'Invoices are in dollars anyway: choose another currency',
  twoDecimals: 'Use at most two decimals',
  sixDecimals: 'Use at most six decimals',
  ratePositive: 'Enter at least 0.000001',
  invoicePrefix: 'A capital letter, then at most nine capital letters, digits and hyphens',
  invoicePrefixes: 'Invoices and credit notes need different prefixes',
  fineValue: 'Enter a value between 0 and 63',
  fineOrder: 'Not before the first value',
  fineWindow: 'Fine values are of the first window only',
  fineOrCoarse: 'Either fine values or a coarse one',
  revenueOrder: 'Not below the lower amount',
  conversionMeaning: 'Enter an event or a range of revenue',
  valueTwice: 'Another rule has this value',
  cpiRequired: 'Enter the target cost per install (CPI)',
  goalEventRequired: 'Enter the in-app event that Target CPA buys',
  appStoreOnly: 'Only apps of the App Store have this',
  overlayNowhere: 'Enter a delay for the ad, for the end card or for both',
  productPageId: 'Enter the UUID of a custom product page',
  cpaRequired: 'Enter the target cost per person with the event (CPA)',
  roasRequired: 'Enter the target ROAS in percent',
  roasRange: `A target ROAS is between ${limits.roasMin} and ${limits.roasMax} percent`,
  loginInvalid: `Login is not valid! It should contain at least ${limits.loginMin} characters`,
  loginAlphabet: 'Login must contain only lowercase latin letters and dots',
  emailInvalid: 'Email is not valid!',
  resetLink: 'This link was used or has expired. Request a new one.',
  invitationLink: 'This invitation was used, was revoked or has expired. Ask for a new one.',
  invitationOtherMail: 'This invitation is for another mail address than that of your profile.',
  ssoIssuer: 'Enter the address of the issuer: it starts with https:// and has no query',
  ssoSharedIssuer: 'Enter the issuer of your own organization, with its tenant ID in place of “common”',
  ssoDomain: 'Enter a mail domain, such as example.com',
  ssoUnknown: 'Single sign-on is not set up for this address. Log in with your password.',
  ssoState: 'This sign-in has expired, was used, or was started in another browser. Please start again.',
  ssoDenied: 'Your provider did not sign you in.',
  ssoUnavailable: 'Your provider does not answer. Please try again, or ask an owner of your company.',
  ssoRejected:
    'The answer of your provider cannot be trusted. Please start again, or ask an owner of your company.',
  ssoMailUnverified:
    'Your provider does not say that your mail address is verified. Ask an owner of your company to have it sent.',
  ssoForeignDomain: 'Your mail address at the provider is not of a domain that your company has proven.',
  ssoNotInvited: 'You do not belong to this company. Ask one of its owners to invite you.',
  ssoLinkFirst:
    'Single sign-on is not linked to your account yet. Log in with your password and link it on your profile.',
  ssoRequired: 'Your company requires single sign-on. Choose “Continue with single sign-on”.',
  ssoInvited:
    'This company requires single sign-on. Choose “Continue with single sign-on” and sign in with the invited address.',
  ssoPasswordNeeded:
    'You signed in by single sign-on of this company. Log out and log in with your password to do this.',
  ssoLinkedToOther: 'This identity at the provider is linked to another person of the company.',
  ssoNotSetUp: 'Your company has no single sign-on.',
  ssoSecretNeeded: 'Enter the client secret',
  ssoOtherIssuer: (issuer: string) => `The provider there names itself ${issuer}: enter that.`,
  ssoNoProvider: 'No provider of OpenID Connect answers at this address',
  ssoDomainFirst: 'Prove a mail domain before you require single sign-on',
  resetNotOffered: 'This server sends no mail. Ask its operator for a one-time password.',
  confirmationsOfDay:
    'This address got several links today. Look for one in its mails, or ask for another tomorrow.',
  confirmationLink: 'This link is of no use any more. Log in and ask for another one on your profile.',
  addressConfirmed: (email: string) => `${email} is confirmed, and gets mails from now on.`,
  reportMailUnconfirmed: (count: number) =>
    count === 1
      ? 'One person has not confirmed their mail address.'
      : `${count} people have not confirmed their mail addresses.`,
  reportMailsOfDay: (count: number) =>
    count === 1 ? 'One person got too many reports today.' : `${count} people got too many reports today.`,
  passwordTooShort: `Password must be at least ${limits.passwordMin} characters long`,
  profilePasswordTooShort: `Password is not valid! It should contain at least ${limits.passwordMin} characters`,
  passwordCommon: 'This password is one of the most common ones. Please choose another',
  passwordOwn: 'A password must not be your login or your email',
  codeInvalid: 'Enter the six digits of your authenticator app, or a recovery code',
  passkeyResponse: 'This is no answer of a passkey',
  currentPasswordNeeded: 'Please enter your current password',
  mailDomainOfCompany:
    'Your company gives the addresses of this domain by its single sign-on: link your account there, or have an owner invite the address',
  currentPasswordWrong: 'The current password is wrong',
  suspended:
    'Your company is suspended: you can view everything, but not change anything until an operator lifts the suspension.',
  secondFactorRequired:
    'Your company requires a second factor. Set one up on your profile before anything else.',
  ownFactorFirst: 'Set up a second factor of your own first.',
  roleForbids: 'Your role in this company does not allow this. Ask one of its owners.',
  viewing: 'You are viewing this company as an operator: you can read everything, but not change anything.',
  passwordConfirm: 'Please confirm your password',
  passwordMismatch: "Passwords don't match",
  captcha: 'Please complete the reCAPTCHA verification',
  invalidFileType: 'Invalid file type',
  avatarTooLarge: `A picture may have at most ${limits.avatarBytesMax / 1024 ** 2} MB`,
  nameHidden: 'A name must not contain invisible characters, or characters that change the direction of text',
  titleTooLong: `Title cannot exceed ${limits.titleMax} characters`,
  descriptionTooLong: `Description cannot exceed ${limits.descriptionMax} characters`,
  groupTitleTooLong: `Title must be ${limits.titleMax} characters or less`,
  mmpRequired: 'MMP is required',
  videoRequired: 'Video is required',
  bannerRequired: 'required',
  paymentSystem: 'Please select a payment system',
  bundleAlphabet: 'Only latin characters are allowed',
  bundleDots: 'Too many dots in one line',
  tryAgain: 'Please try again.',
  tryAgainTrackingLink: 'Please try again',
  unexpected: 'Unexpected error',
  logInFirst: 'Please log in.',
  erasureRevoked: 'This erasure was revoked before',
  erasureTooOld: 'An earlier release made this erasure, so that it cannot be revoked',
  unreachable: 'The server cannot be reached. Please check your connection.',
  offline: 'You are offline.',
  serverError: 'Something went wrong on our side. Please try again.',
  pageFault: 'This page had an error. Please reload it.',
  noEnvelope: 'The server did not answer as it should. Please try again.',
  sessionExpired: 'Session expired. Please refresh the page.',
  campaignCreated: 'Campaign created successfully',
  profileUpdated: 'Profile updated successfully!',
  profileFailed: 'Failed to update profile',
  userIdMissing: 'User ID not found',
  notFoundPage: 'Oops! Page not found',
  backToHome: 'Back to home',
  routeError: "Oh no! Something went wrong. Don't worry, we will fix it!",
  goHome: 'Go home!',
  emptyTable: 'There`s nothing here yet. Upload your files above',
  emptyCampaigns: 'There are no campaigns',
  emptyAdsets: 'There are no adsets',
  timeZone: 'Not a time zone',
  webhookUrl: 'Enter an address that starts with https://, without a user name',
  telegramToken: 'Enter the token that BotFather gave the bot, such as 123456:ABC…',
  telegramChat: 'Enter the id of the chat, such as -1001234567890, or @name of a channel',
  unsubscribe: 'You get no more alerts of this company by mail. You can choose again in the console.',
  unsubscribeReport:
    'You get no more mails of this scheduled report. Somebody who schedules reports of your company can choose you again.',
  unsubscribedReport: (name: string) => `You get no more mails of “${name}”.`,
  unsubscribed: (company: string) => `You get no more alerts of ${company} by mail.`,
  quietHours: 'Choose two different hours, or none',
  ruleCohortToday: 'Choose whole days: the people of today have no such day yet',
  ruleScope: 'Not found: choose another',
  alertSecretLost: 'The secret of this channel is lost. Remove it and add it again.',
  alertChannelOff: 'The channel is switched off.',
  alertQueueFull: 'Too many alerts wait for this channel.',
  alertTestTitle: 'Test alert',
  alertTestText: (channel: string) => `The channel “${channel}” works.`,
  alertNotSent: 'It could not be sent because of an error on our side.',
  alertFailure: {
    private: 'Alerts go to https addresses in the public internet only.',
    timeout: 'There was no response within 10 seconds.',
    unreachable: 'There was no connection.',
  },
  reportDestinations: 'Choose webhooks and buckets of your company',
  reportFileFormat: 'Choose CSV or Parquet: webhooks and buckets get a file',
  reportSecretLost: 'The secret of this destination is lost. Remove it and add it again.',
  reportNotDelivered: (name: string, reason: string) => `“${name}”: ${reason}`,
  reportFailure: {
    private: 'Reports go to https addresses in the public internet only.',
    timeout: 'There was no response in time.',
    unreachable: 'There was no connection.',
  },
  reportWebhookStatus: (status: number) => `The server responded with the status ${status}.`,
  reportTestFile: 'Reports can be stored here.\n',
  s3Url: 'Enter an address that starts with https://, without a path',
  s3Region: 'Enter a region, such as eu-central-1',
  s3Bucket: 'Enter the name of a bucket',
  s3Prefix: 'Use letters, digits, points, hyphens and slashes',
  s3Key: 'Enter a key without spaces',
  s3Refusal: {
    InvalidAccessKeyId: 'S3 does not know the access key.',
    SignatureDoesNotMatch: 'S3 refuses the signature: the secret key is wrong.',
    NoSuchBucket: 'There is no such bucket.',
    AccessDenied: 'The key may not store objects in the bucket: it needs s3:PutObject.',
    AuthorizationHeaderMalformed: 'The bucket is in another region.',
    PermanentRedirect: 'The bucket is in another region or at another address.',
    TemporaryRedirect: 'The bucket is in another region or at another address.',
  } as Readonly<Record<string, string>>,
  s3Status: (status: number, code: string) => `S3 does not store the object: ${`${status} ${code}`.trim()}.`,
  reportContentLong: 'This report has too many filters to be scheduled.',
  reportWeekday: 'Choose the day of a weekly report',
  reportReaders: 'Choose people of your company who may read reports',
  reportNoReaders: 'Nobody whom it is for may still read reports of the company and wants these mails.',
  reportNoMail: 'This server sends no mails.',
  reportMailRefused: (count: number) =>
    count === 1 ? 'The mail server refused one address.' : `The mail server refused ${count} addresses.`,
  reportMailUndeliverable: (count: number) =>
    count === 1
      ? 'The mail server refused one address for good.'
      : `The mail server refused ${count} addresses for good.`,
  reportMailDown: 'The mail server could not be reached, or refused the mail.',
  reportNotMade: 'The report could not be made.',
  reportFileTooLarge: 'The report is too large for a mail. Choose fewer levels or more filters.',
  httpUrl: 'Enter a URL that starts with https://',
  creativeUrls:
    'As long as they are those of the app’s tracking link, ads use the tracking link of their ad set. Others are used for this creative, once they are approved.',
  creativeUsesLink: 'Its ads use the URLs of their ad set’s tracking link.',
  creativeUsesOwn: 'Its ads use these URLs, once they are approved.',
  moderation:
    'Your app is being reviewed. Once review is complete, it will be eligible to participate in advertising campaigns.',
  linkContainsSecret:
    'This URL contains your postback secret, and devices would see it. Write {install_token} in Adjust’s callback, as its template does.',
  networkInvalid: (text: string) =>
    `"${text}" is not an IP address or network, such as 198.51.100.7 or 198.51.100.0/24`,
  fileNotFound: 'File not found',
  oldCreative: 'Old creative',
  wrongBannerSize: (width: number, height: number) =>
    `The uploaded creative is ${width}×${height} px, which isn’t supported for this placement. Check the allowed sizes in tooltip and upload a file that matches one of them.`,
  wrongVideoSize: (width: number, height: number) =>
    `The uploaded video is ${width}x${height} px, which isn’t supported for this placement. Check the allowed sizes in tooltip and upload a file that matches one of them.`,
  bannerLimit: `Creative limit reached. Up to ${limits.bannersPerType} Banners per creative type. Current: ${limits.bannersPerType}.`,
  reportTooLarge: 'This report is too large. Narrow the report or export it.',
  exportTooLarge: 'This export is too large. Choose fewer levels or a shorter period.',
  listText: `Choose fewer: at most ${numberText(limits.listTextMax)} characters in total`,
  moneyMoveMax: `At most $${numberText(limits.moneyMoveMaxDollars)} at once`,
  balanceMax: (balance: string) =>
    `The balance is ${balance}; it can be at most $${numberText(limits.balanceMaxDollars)}`,
  notValid: 'This value is not valid',
  oneMeasurementFilter: 'Filter by a campaign or by a tracking link, not by both',
  endBeforeStart: 'The end date is before the start date',
  versionOrder: 'The newest version is older than the oldest',
  notInList: (value: string, noun: string) => `“${value}” is not in the list of ${plural(noun)}`,
  approvalPersons: 'People ask for approvals and give them, with their own login.',
  twiceInList: 'An entry is there twice',
  mentionUnknown: 'Mention people of the company who may read campaigns',
  draftTooLarge: 'This draft is too long to be stored: shorten its lists.',
  belowCent: `Enter at least ${limits.amountMinDollars}`,
  entityLimit: (max: number, noun: string) =>
    `A company can have at most ${max} ${plural(noun)}, archived ones included. Delete some that nothing uses.`,
  advertiserDomain: 'Enter a domain such as example.com',
  storeDomain: 'Enter the developer’s own domain, not the app store’s',
  archived: (kind: string, name: string) => `The ${kind} “${name}” is archived: restore it first`,
  deletedMeanwhile: 'Something that this refers to has been deleted. Reload the page and try again.',
  inUse: (name: string, users: string) =>
    `“${name}” cannot be deleted because it is used by ${users}. Archive it instead.`,
  hasSpent: (name: string) =>
    `“${name}” cannot be deleted because it has spent money, which reports and the ledger show. Archive it instead.`,
  isRunning: (name: string) => `Pause the campaign “${name}” first`,
  videoLimit: `Creative limit reached. Up to ${limits.videosPerType} Videos per creative type. Current: ${limits.videosPerType}.`,
  priceKeysRequired: 'Encrypted prices need the encryption key and the integrity key of the exchange',
  ownCodesLocked:
    'Your codes are locked after wrong ones. Ask another admin to reset your authenticator app.',
  keyNeedsScope: 'Choose what the key may do',
  keyNeedsExpiry: 'A key that changes something expires within a year',
  confirmFirst: 'Prove that it is you first: enter your password again.',
} as const;

/** Messages for the conditions that prevent a campaign from starting. */
export const startErrors = {
  app: 'The app is not approved yet',
  archived: 'The campaign is archived: restore it first',
  domain: (app: string) =>
    `Enter the advertiser domain of the app “${app}” first: the developer’s own website`,
  bet_cpi: (adset: string) => `Enter the target cost per install (CPI) of the ad set “${adset}”`,
  goal_event: (adset: string) => `Enter the in-app event that the ad set “${adset}” buys`,
  cpa: (adset: string) => `Enter the target cost per person with the event (CPA) of the ad set “${adset}”`,
  roas: (adset: string) => `Enter the target ROAS of the ad set “${adset}”`,
  adsets: 'Add at least one active ad set whose creative group has an approved creative',
  balance: 'The balance is empty: top up first',
  ended: 'The end date has passed',
} as const;

/** Messages that only the server writes, in responses of the API. */
export const apiMessages = {
  invoices: 'invoices',
  invoiceSettings: 'Enter who issues invoices first.',
  invoiceBilling: 'The company has not entered its billing details yet.',
  invoiceMonthOpen: (month: string) => `The month ${month} is not over yet.`,
  invoiceExists: (number: string) => `The month has an invoice already: ${number}.`,
  invoiceOrder: (month: string) => `There is an invoice of ${month} already, and invoices follow the months.`,
  invoiceNothing: 'There is nothing to invoice for this month.',
  creditNoteOfNote: 'A credit note corrects an invoice, not another credit note.',
  creditNoteMax: (rest: string) => `At most ${rest} of the invoice can be credited.`,
  charactersNotPrinted: (characters: string) =>
    `Invoices cannot show these characters: ${characters}. Use Latin, Greek or Cyrillic letters.`,
  goalBeingRead: 'What is known of this goal is still being read. Please try again.',
  noForecasts: 'This server makes no forecasts. Please try again later.',
  viewerCode:
    'This link was used, or it is older than a minute. Open the company again in the operator console.',
  busy: 'The service is busy. Please try again in a moment.',
  filesUnavailable: 'Files cannot be stored or read at the moment. Please try again in a minute.',
  someFields: 'Some fields are not valid.',
  notFound: (what: string) => `${what} not found`,
  installPostbacks: 'install postbacks',
  postbacks: 'postbacks',
  conversionVersions: (max: number) =>
    `The conversion values of an app can be changed on ${max} days at most.`,
  conversionValuesOs: 'Only apps of the App Store have conversion values',
  unknownAppEvent: (name: string) => `The app has no event named “${name}”`,
  payerRulesMax: (max: number) =>
    `At most ${max} events of all apps together always or never make a payer. Let others follow their amount.`,
  noAddress: 'There is nothing at this address.',
  unreadable: 'The request cannot be read.',
  noBody: 'The request has no body.',
  notJson: 'The body of the request is not valid JSON.',
  forbiddenField: 'A field must not be named “__proto__” or “constructor”.',
  addressTooLong: 'The address of the request is too long.',
  tooLarge: 'The request is too large.',
  contentType: 'This content type is not accepted here.',
  tooMany: 'Too many requests. Please wait a moment.',
  failed: messages.serverError,
  notUtf8: 'The request is not UTF-8.',
  nulCharacter: 'The request holds a NUL character, which cannot be stored.',
  halfCharacter: 'The request holds half of a character, which cannot be stored.',
  operatorAttempts: 'Too many wrong operator tokens. Please wait a moment.',
  operatorToken: 'The operator token is wrong.',
  operatorLogInFirst: 'Log in as an operator first.',
  operatorRole: 'Your role does not allow this.',
  otherSite: 'The request comes from another site.',
  // The same text for all, since whether codes are paused or locked would tell that a password is right.
  wrongOperatorLogin:
    'Login, password or code is wrong. After three wrong codes wait a moment, each time longer; after ten, ask an admin to reset your authenticator app.',
  wrongOperatorPasskey:
    'Login or password is wrong, or the passkey was not accepted: it may have been removed, or took too long.',
  reviewedChanged: 'It was changed or decided on meanwhile. Look at it again.',
  draftsMax: (max: number) => `A company has at most ${max} drafts of campaigns: discard some first.`,
  draftChanged: (name: string) => `${name} changed this draft meanwhile.`,
  draftGone: 'This draft was discarded, or a campaign was created from it already.',
  formerPerson: 'A former colleague',
  commentsMax: (max: number) => `There are ${max} comments already, and no room for more.`,
  commentRate: (max: number) => `At most ${max} comments a minute. Wait a moment.`,
  commentOfOther: 'Only the person who wrote a comment changes or deletes it.',
  commentLate: (minutes: number) => `A comment can be changed and deleted for ${minutes} minutes.`,
  approvalNeeded: (per: 'day' | 'total', amount: string) =>
    `The budgets of this campaign would be above ${amount} ${per === 'day' ? 'a day' : 'in total'}: a second person has to approve that. Request an approval.`,
  approvalNotNeeded: 'This change needs no approval: make it as usual.',
  approvalOpen: 'There is an open request for this campaign already. Withdraw it first.',
  approvalsMax: (max: number) => `A company has at most ${max} open requests for approval.`,
  approvalPeople: 'Approvals need two people who may change campaigns: owners and editors.',
  approvalClosed: 'This request is not open any more.',
  approvalOwn: 'Somebody else has to decide on your request.',
  approvalOfOther: 'Only the person who made a request withdraws it.',
  approvalOutdated: 'The campaign was changed since the request was made: it has to be requested again.',
  approvalPersonGone: 'The person who made this request may not make it any more: request it again.',
  approvedBy: (requester: string, approver: string) => `${requester}, approved by ${approver}`,
  lastOwner: 'A company needs an owner. Make somebody else an owner first.',
  inCompanyAlready: 'This person belongs to the company already',
  youAreInCompany: 'You belong to this company already.',
  peopleMax: (max: number) => `A company has at most ${max} people, invited ones included.`,
  companiesMax: (max: number) => `A person belongs to at most ${max} companies.`,
  invitationsMax: (max: number) => `A company has at most ${max} open invitations: revoke some first.`,
  invitationRate: (max: number) =>
    `A company makes at most ${max} invitations an hour. Please try again later.`,
  ssoDomainKnown: 'Your company has listed this domain already',
  ssoDomainsMax: (max: number) => `A company lists at most ${max} mail domains.`,
  ssoDomainTaken: 'Another company has proven this domain. Ask the operator if it is yours.',
  ssoRecordMissing: 'The DNS TXT record was not found. New records may take an hour to be seen.',
  lastAdmin: 'This is the last active admin. Make somebody else an admin first.',
  apiTokenReports: 'An API token reads reports and nothing else.',
  outdated: 'Somebody changed this since you read it. Read it again before you change it.',
  ifMatchFormat: 'If-Match is * or ETags in quotes, such as "0123456789abcdef".',
  ifNoneMatchFormat: 'If-None-Match is * where something is to be created only.',
  ifMatchNotTaken: 'This call takes no If-Match.',
  keyFormat: 'An Idempotency-Key has 1 to 255 visible ASCII characters.',
  keyReused: 'This Idempotency-Key was used with another request.',
  keyTakenOver: 'This took so long that another request with this Idempotency-Key was begun.',
  keyUnderway: 'A request with this Idempotency-Key is still running. Please try again in a moment.',
  keyRunning: 'A request with this Idempotency-Key was begun and has not answered. Look for its result.',
  queueFullForCompany: (what: string) => `Your company has too many ${what} waiting. Please wait a moment.`,
  queueFullForCaller: (what: string) => `You have too many ${what} waiting. Please wait a moment.`,
  queueFull: (what: string) => `Too many ${what} are waiting. Please try again in a moment.`,
  queueSlow: (what: string) => `The ${what} before this one took too long. Please try again.`,
  writeRate: (max: number) => `At most ${max} changes a minute. Please wait a moment.`,
  responsesFull: 'Too many long responses are under way. Please try again in a moment.',
  clientGone: 'The client has disconnected.',
  postbackTestRate: (max: number) => `At most ${max} test installs a minute. Please try again in a moment.`,
  linkCheckRate: (count: number) =>
    `At most ${count} checks of links a minute. Please try again in a moment.`,
  apiTokenRate: (max: number, what: string) =>
    `An API token may ask for ${max} ${what} a minute. Please wait a moment.`,
  reportDestinationLimit: (max: number) =>
    `A company has at most ${max} destinations: remove one that is not used.`,
  reportDestinationUsed: (name: string) => `“${name}” is sent to it: change that report first.`,
  alertChannelLimit: (max: number) => `A company has at most ${max} channels: remove one that is not used.`,
  alertRuleLimit: (max: number) => `A company has at most ${max} rules: remove one that is not needed.`,
  alertWaits: 'It waits to be sent already.',
  reportScheduleLimit: (max: number) =>
    `A company has at most ${max} scheduled reports: remove one that is not read.`,
  apiTokenLimit: (max: number) => `A company has at most ${max} API keys: revoke one that is not used.`,
  keyUnknown:
    'This API key is not known: it was revoked or not copied whole. Send it as “Authorization: Bearer bidwell_…”.',
  keyExpired: 'This API key has expired. Make a new one on the profile.',
  keyForPeopleOnly: 'No API key may do this: sign-in, people and keys are managed in the console.',
  keyScope: (scopes: readonly string[]) =>
    `This API key lacks the scope that this call needs: ${scopes.join(' or ')}. Make a key that has it on the profile.`,
  keyRole: 'The role of the person who made this API key does not allow this.',
  keyRate: (max: number) => `This API key may make ${max} calls a minute. Please wait a moment.`,
  captchaUnavailable: 'The captcha cannot be checked right now. Please try again in a moment.',
  attempts: 'Too many attempts. Please wait a moment.',
  attemptsFor: (seconds: number) =>
    `Too many attempts. Please try again in ${seconds <= 60 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`}.`,
  loginTaken: 'This login is taken',
  wrongCode:
    'This code is wrong or was used. After three wrong codes wait a moment, each time longer; after ten, ask the operator of this platform to reset your second factor.',
  loginStepOver: 'This login took too long. Enter your login and password again.',
  authenticatorThere: 'You have an authenticator app already: remove it first.',
  noAuthenticatorStarted: 'Start with a new secret for the authenticator app.',
  passkeyRefused:
    'This passkey was not accepted: it may have been removed, or took too long. Try again, or sign in in another way.',
  passkeyThere: 'This passkey is added already.',
  passkeysFull: `You have ${limits.passkeysMax} passkeys: remove one first.`,
  noPasskey: 'You have no passkey.',
  noSecondFactor: 'You have no second factor.',
  factorRequired: 'A company of yours requires a second factor, so that it cannot be removed.',
  noAuthenticator: 'You have no authenticator app.',
  wrongLogin: 'wrong login or password',
  noCompany: 'You belong to no company any more. Ask an owner of a company to invite you.',
  linkOfOtherApp: 'The tracking link belongs to another app',
  groupOfOtherApp: (group: string) => `The creative group "${group}" holds creatives of another app`,
  campaignOfOtherApp: (campaign: string) => `The campaign "${campaign}" of this ad set is for another app`,
  filterOfTime: 'Choose the days by start_date and end_date',
  filterValues: (max: number) => `Filter by at most ${max} values`,
  filterUuids: 'Filter by uuids',
  filterNumbers: 'Filter by whole numbers',
  rangeMax: (max: number, unit: string) => `Choose a range of at most ${max} ${unit}s`,
  dates: (first: string, last: string) => `Choose dates between ${first} and ${last}`,
  pauseCampaigns: (names: string) => `Pause the campaigns that use the app first: ${names}`,
  undoNever: 'A change of this kind cannot be undone.',
  undoDone: 'Nothing to undo: the values from before this change are set already.',
  undoOutdated: (fields: string) =>
    `This change cannot be undone: it was changed again since (${fields}). Undo the newer change first.`,
  undoDeleted: (what: string) => `This change cannot be undone: the ${what} was deleted.`,
  undoInvalid: (reasons: string) => `The earlier values cannot be set again. ${reasons}`,
  storeLink: 'Enter the link of an app in the App Store or Google Play',
  storeLinkOs: (os: 'iOS' | 'Android') => `The store link is of an ${os} app`,
  storeLinkTaken: 'An app with this store link exists already',
  adsetOfOtherApp: (adset: string) => `The ad set "${adset}" is for another app`,
  copiesMax: (max: number) =>
    `A campaign with more than ${max} ad sets cannot be duplicated. Duplicate its ad sets instead.`,
  bundleListFull: (adset: string, max: number) =>
    `The ad set "${adset}" has ${max} bundles in its list, which is the most`,
  adsetBundleBytes: (bytes: number, max: number) =>
    `The bundle lists and bundle bids of an ad set may have ${bytesText(max)} together. These would have ${bytesText(bytes)}: remove bundles.`,
  companyBundleBytes: (bytes: number, max: number) =>
    `The bundle lists and bundle bids of all ad sets of a company may have ${bytesText(max)} together. They would have ${bytesText(bytes)}: remove bundles, or delete ad sets.`,
  storageFull: ({ used_bytes: used, quota_bytes: quota, quota_after_approval_bytes: later }: Storage) =>
    `Your company’s files have ${bytesText(used)} of ${bytesText(quota)}, and this one does not fit. Delete creatives that you do not need, or ask the operator for more.${
      later === null ? '' : ` Once one of your apps is approved, they may have ${bytesText(later)}.`
    }`,
  adsetListBytes: (bytes: number, max: number) =>
    `The bundle lists of these ad sets have ${bytesText(bytes)}, and a response may have ${bytesText(max)}: read /adset/summary, and ad sets one by one or by campaign_id.`,
  adsetOfCampaign: (adset: string, campaign: string) =>
    `The ad set "${adset}" is part of the campaign "${campaign}"`,
  creativeType: (name: string, type: string) => `"${name}" is a ${type} creative`,
  oneEndCard: 'Only an end card can be replaced: send one file, as banner',
  endCardOnly: 'Only the end card of a video can be replaced',
  videoCodec: 'The video’s codec is not one that devices play. Use H.264',
  lengthMax: (max: number) => `At most ${max} characters`,
  videoFiles: 'Send one file as video and one as banner',
  oneFile: (field: string) => `Send one file, as ${field}`,
  multipart: 'Send the creative as a multipart form.',
  formTooLarge: 'The form has too many parts, or too large ones.',
  formUnreadable: 'The multipart form cannot be read.',
  fileSize: (bytes: number) => `The file has ${bytes} bytes.`,
  oneTimePasswordUsed:
    'This one-time password was used already or has expired. Please ask the operator of this platform for a new one.',
  balanceOnly: (balance: string) => `The balance is only ${balance}`,
  balanceWithCredit: (balance: string, limit: string) =>
    `The balance is ${balance} and the credit limit ${limit}`,
  topUpsWaiting: (count: number) => `${count} top-ups already wait for a decision`,
  topUpDecided: (status: string) => `This top-up is ${status} already`,
  amountPositive: 'Enter an amount above 0',
  appOfUsed: (part: 'target' | 'tracking link', adsets: readonly string[]) =>
    `The app cannot change: ad sets use this ${part}: ${adsets.map((name) => `"${name}"`).join(', ')}`,
  postbackUnreadable: 'The postback cannot be read.',
} as const;

/** Messages that only the console shows, in several screens or of campaigns. */
export const consoleMessages = {
  ssoLinked: 'Single sign-on is linked to your account',
  joinedWithSso: (company: string) =>
    `You belong to ${company} now. It requires single sign-on: to act for it, log out and choose “Continue with single sign-on”.`,
  saved: (what: string) => `${what} saved`,
  amountChanged: (label: string, of: string, amount: string) => `${label} of “${of}” is now ${amount}`,
  textChanged: (label: string, text: string) =>
    text === '' ? `${label} removed` : `${label} is now “${text}”`,
  rowsChanged: (count: number) => (count === 1 ? '1 row changed' : `${count} rows changed`),
  undone: 'The change is undone',
  undoOutdated: (outdated: number, all: number) =>
    all === 1
      ? 'Not undone: it was changed again or deleted since, and stays as it is now.'
      : `${outdated} of ${all} not undone: they were changed again or deleted since, and stay as they are now.`,
  archived: (name: string) => `“${name}” is archived`,
  passwordReset: 'Your password is changed. Log in with the new one.',
  duplicated: (copy: string) => `“${copy}” is created`,
  restored: (name: string) => `“${name}” is restored`,
  idCopied: (kind: string, name: string) => `The ${kind} of “${name}” is copied`,
  idNotCopied: (kind: string, id: string) => `The browser did not allow copying. The ${kind} is ${id}`,
  deleted: (name: string) => `“${name}” is deleted`,
  deleteForGood: 'This cannot be undone. Reports still show its name.',
  accountReady: 'Your account is ready. Please log in.',
  captchaTooSlow: 'The captcha could not be solved in time.',
  nothingMatches: (query: string) => `Nothing matches “${query}”.`,
  filtersMatchNothing: 'Nothing matches the filters.',
  noSuchPage: 'There is no such page',
  partsMissing: (cause: string) => `Some of this page is missing. ${cause}`,
  inputRestored: 'What you typed before is back in the form. It is not saved yet.',
  filesNotKept: 'The files that you chose could not be kept. Choose them again.',
  sessionOver: 'Your session is over. Log in to go on where you were: what you typed is kept.',
  codeMissing: {
    offline: messages.unreachable,
    outdated: 'There is a new release. Reload the page to go on.',
    failed: 'This part could not be loaded.',
  },
  away: {
    offline: 'You are offline. What is shown may be out of date.',
    'offline-opening': 'You are offline. The screen opens when the connection is back.',
    opening: 'The server cannot be reached. The screen opens when it is back.',
  },
  optionsFailed: 'Could not be loaded',
  optionsLoading: 'Loading…',
  noOptionMatches: 'Nothing matches.',
  suggestionsLoading: 'Loading the suggestions…',
  figuresFailed: (what: string) => `${what} could not be loaded.`,
  figuresOutdated: (what: string) => `${what} could not be refreshed and may be out of date.`,
  figuresStale: 'Loading… Dimmed: the selection before',
  amountUnreadable: 'Enter an amount in digits, such as 1,234.50',
  amountMin: (amount: string) => `Enter at least ${amount}`,
  amountMax: (amount: string) => `Enter at most ${amount}`,
  bundleMissing: 'Enter a bundle',
  bundleFileTooLarge: 'The file is too large for a list of bundles',
  fileUnreadable: 'The file cannot be read.',
  isRunning: (name: string) => `“${name}” is running`,
  isPaused: (name: string) => `“${name}” is paused`,
  statusUnchanged: (word: 'started' | 'paused') => `All are ${word} already`,
  statusChanged: (count: number, word: 'started' | 'paused') => `${count} ${word}`,
  statusFailed: (name: string, word: 'started' | 'paused', reason: string) =>
    `“${name}” could not be ${word}. ${reason}`,
  statusFailedMore: (count: number, word: 'started' | 'paused') => `${count} more could not be ${word}`,
  adsetNotSaved: (name: string, reason: string) => `The ad set “${name}” is not saved. ${reason}`,
  appInReview: 'In moderation: the app',
  creativesInReview: (count: number) => `In moderation: ${count === 1 ? '1 creative' : `${count} creatives`}`,
  appRejected: 'The app was rejected: see why, and change it',
  noAdset: 'It has no ad set: add one',
  adsetsPaused: 'All its ad sets are paused',
  noApprovedCreative: 'No creative group of its active ad sets has an approved creative',
  groupsPaused: 'Its creative groups are paused',
  startsOn: (day: string) => `It starts on ${day}`,
} as const;

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

/** What notifications say, and how much each matters. */
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
    text: `${requester} asks somebody else to approve the budgets of “${campaign}”.`,
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
      `The DNS record that proves ${domain} has not been found for ${days} days. Single sign-on goes on. If the domain is yours, put the record back; ` +
      'if not, remove the domain: whoever has it now gets its mails.',
  }),
  trackingHostDown: (of: { host: string; name: string; count: number; fault: HostFault }) => ({
    severity: 'warning',
    title: 'Tracking links cannot be reached',
    text:
      `“${of.name}” ${of.count > 1 ? `and ${of.count - 1} more go` : 'goes'} to ${of.host}, which cannot be reached: ${HOST_FAULTS[of.fault]}. ` +
      'Whoever taps an ad does not arrive, and installs are not counted. Ask the measurement partner, or change the link.',
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
    text: `The days of your budgets, campaigns and reports are now those of ${timeZone}.`,
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
    text: `${login} logs in with a code of an authenticator app beside the password from now on.`,
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
    text: `Alerts could not be sent to “${name}” for three days, or it refused them for good. Mend the receiver and switch the channel on again.`,
  }),
  reportNotSent: (name: string, was: { days: string; reason: string }) => ({
    severity: 'warning',
    title: 'Scheduled report not sent',
    text: `The report “${name}” of ${was.days} was not sent: ${was.reason}`,
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

/** What operators are warned of by mail. */
export const operatorAlertTexts = {
  subject: (product: string) => `${product} needs a look`,
  backup: (hours: number) => `The last backup is ${hours} hours old.`,
  ledger: (count: number) => `The daily check of the ledger found ${count} disagreements.`,
  disk: 'A disk of the ClickHouse servers has less than a tenth free.',
} as const;

/** Sentences of the text of {@link notificationMessages.anomaly}. */
export const anomalySentences = {
  figure: (was: {
    label: string;
    value: string;
    hour: string | null;
    difference: string;
    comparison: 'more' | 'less';
  }) =>
    `${was.label} was ${was.value}${was.hour ? ` ${was.hour}` : ''}, ${was.difference} ${was.comparison} than usual for this hour.`,
  change: (change: { name: string; what: string; at: string }) =>
    `The latest change before it: “${change.name}” (${change.what}) on ${change.at}.`,
} as const;
