/** Limits of the product, and bounds on input from outside. */
export const limits = {
  titleMax: 50,
  descriptionMax: 200,
  inlineDescriptionMax: 70,
  loginMin: 5,
  loginPartMax: 30,
  passwordMin: 6,
  passwordMax: 200,
  /** Passkeys of an account. */
  passkeysMax: 20,
  /** Characters of the id of a passkey: 1023 bytes at most by Web Authentication, in base64. */
  passkeyIdMax: 1364,
  /** Characters of each part of a passkey's answer. */
  passkeyDataMax: 12_000,
  passkeyTransportMax: 40,
  passkeyTransportsMax: 10,
  personNameMax: 100,
  companyNameMax: 100,
  emailMax: 254,
  contactMax: 200,
  urlMax: 2000,
  deepLinkMax: 1000,
  bundleMax: 150,
  cpmMinDollars: 0.01,
  cpmMaxDollars: 1000,
  cpiMaxDollars: 10_000,
  goalEventMax: 100,
  /** Bounds of a target ROAS, in percent. */
  roasMin: 1,
  roasMax: 1000,
  countryGoalsMax: 50,
  /** Bid multipliers of an ad set. */
  multipliersMax: 200,
  /** Those of them by audience: each may be looked up for every bid. */
  audienceMultipliersMax: 20,
  /** Longest delay of an SKOverlay after its ad or end card. */
  overlayDelayMaxSeconds: 120,
  /** Smallest budget and smallest target cost per install. */
  amountMinDollars: 0.01,
  budgetMaxDollars: 1_000_000_000,
  /** One credit or debit by an operator. */
  moneyMoveMaxDollars: 100_000_000,
  topUpMaxDollars: 1_000_000,
  /** Highest balance of a company: a ninth of the largest amount that is an exact number of micros. */
  balanceMaxDollars: 1_000_000_000,
  csvRowsMax: 500,
  bundleListMax: 10_000,
  listMax: 1000,
  /** Characters of all texts of a list together; a response with many entities holds hundreds of such lists. */
  listTextMax: 40_000,
  /** Entities of each kind that a company may have, including archived ones: lists are not paginated. */
  appsMax: 500,
  creativesMax: 5000,
  creativeGroupsMax: 2000,
  targetsMax: 1000,
  trackingLinksMax: 1000,
  adsetsMax: 2000,
  campaignsMax: 1000,
  audiencesMax: 500,
  /** Audiences of one group or exclude list, and groups of an include list. */
  audiencesUsedMax: 50,
  audienceGroupsMax: 10,
  /** Ids of an audience, of one call, and bytes of a file before and after it is unpacked. */
  audienceSizeMax: 10_000_000,
  audienceIdsMax: 10_000,
  audienceFileBytesMax: 2 * 1024 ** 3,
  audiencePartBytesMax: 8 * 1024 ** 2,
  /** Unfinished uploads of a company, and bytes of these and of its files that wait to be imported. */
  audienceUploadsMax: 20,
  audiencePendingBytesMax: 4 * 1024 ** 3,
  /** Characters of the address of a partner's file: a signed one is long. */
  partnerUrlMax: 4000,
  /** Longest period of the rule of a live audience. */
  audienceDaysMax: 365,
  /** Labels of a creative, and characters of one. */
  labelsMax: 10,
  labelCharsMax: 30,
  bannersPerType: 20,
  videosPerType: 20,
  coverageTarget: 20,
  nativeSponsorMax: 50,
  nativeTitleMax: 70,
  nativeDescriptionMax: 90,
  highlightCardsMax: 4,
  listHistoryMax: 10,
  bannerBytesMax: 5 * 1024 * 1024,
  playableBytesMax: 5 * 1024 * 1024,
  videoBytesMax: 100 * 1024 * 1024,
  /** Pixels of an image; larger ones are not decoded. */
  imagePixelsMax: 20_000_000,
  videoDurationMsMin: 1000,
  videoDurationMsMax: 120_000,
  videoSidePxMin: 100,
  videoSidePxMax: 4096,
  endCardSidePxMin: 50,
  endCardSidePxMax: 4096,
  thumbnailSidePx: 160,
  externalLoadsMax: 20,
  storageQuotaBytesMax: 1024 ** 5,
  avatarBytesMax: 2 * 1024 * 1024,
  logoBytesMax: 512 * 1024,
  jsonBodyBytesMax: 1024 * 1024,
  /** For calls before the login, which anyone can make. */
  publicBodyBytesMax: 64 * 1024,
  dateMin: '2000-01-01',
  dateMax: '3000-12-31',
} as const;
