/** Plural of a noun that messages use with a count. */
function plural(noun: string): string {
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** Messages for users, some shared by server and console. */
export const messages = {
  required: 'Required',
  loginInvalid: 'Login is not valid! It should contain at least 5 characters',
  loginAlphabet: 'Login must contain only lowercase latin letters and dots',
  emailInvalid: 'Email is not valid!',
  passwordTooShort: 'Password must be at least 6 characters long',
  profilePasswordTooShort: 'Password is not valid! It should contain at least 6 characters',
  passwordCommon: 'This password is one of the most common ones. Please choose another',
  passwordOwn: 'A password must not be your login or your email',
  currentPasswordNeeded: 'Please enter your current password',
  currentPasswordWrong: 'The current password is wrong',
  suspended:
    'Your company is suspended: you can view everything, but not change anything until an operator lifts the suspension.',
  passwordConfirm: 'Please confirm your password',
  passwordMismatch: "Passwords don't match",
  captcha: 'Please complete the reCAPTCHA verification',
  invalidFileType: 'Invalid file type',
  titleTooLong: 'Title cannot exceed 50 characters',
  descriptionTooLong: 'Description cannot exceed 200 characters',
  groupTitleTooLong: 'Title must be 50 characters or less',
  mmpRequired: 'MMP is required',
  videoRequired: 'Video is required',
  bannerRequired: 'required',
  paymentSystem: 'Please select a payment system',
  bundleAlphabet: 'Only latin characters are allowed',
  bundleDots: 'Too many dots in one line',
  tryAgain: 'Please try again.',
  tryAgainTrackingLink: 'Please try again',
  unexpected: 'Unexpected error',
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
  httpUrl: 'Enter a URL that starts with https://',
  creativeUrls: 'Ads use the URLs of the ad set’s tracking link, even if a creative has its own.',
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
  bannerLimit: 'Creative limit reached. Up to 20 Banners per creative type. Current: 20.',
  reportTooLarge: 'This report is too large. Narrow the report or export it.',
  exportTooLarge: 'This export is too large. Choose fewer levels or a shorter period.',
  listText: 'Choose fewer: at most 40,000 characters in total',
  moneyMoveMax: 'At most $100,000,000 at once',
  balanceMax: (balance: string) => `The balance is ${balance}; it can be at most $1,000,000,000`,
  notValid: 'This value is not valid',
  notInList: (value: string, noun: string) => `“${value}” is not in the list of ${plural(noun)}`,
  belowCent: 'Enter at least 0.01',
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
  videoLimit: 'Creative limit reached. Up to 20 Videos per creative type. Current: 20.',
  priceKeysRequired: 'Encrypted prices need the encryption key and the integrity key of the exchange',
} as const;

/** Messages for the conditions that prevent a campaign from starting. */
export const startErrors = {
  app: 'The app is not approved yet',
  archived: 'The campaign is archived: restore it first',
  domain: (app: string) =>
    `Enter the advertiser domain of the app “${app}” first: the developer’s own website`,
  bet_cpi: (adset: string) => `Enter the target cost per install (CPI) of the ad set “${adset}”`,
  adsets: 'Add at least one active ad set whose creative group has an approved creative',
  balance: 'The balance is empty: top up first',
  ended: 'The end date has passed',
} as const;
