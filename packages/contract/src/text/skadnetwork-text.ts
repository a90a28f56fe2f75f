/** The conversion windows of SKAdNetwork 4.0 and AdAttributionKit by their number, with the days after the first launch. */
export const conversionWindowTexts = [
  'Window 0, days 0–2',
  'Window 1, days 3–7',
  'Window 2, days 8–35',
] as const;

/** What the page of an app says of its ad sets' source identifiers. */
export const sourceIdentifierTexts = {
  switchedOn:
    'Signing is switched on for this app. A postback names an ad set by its whole source identifier or by the last two or three digits; up to SKAdNetwork 3.0 the last two are the campaign.',
  switchedOff: 'Signing is not switched on for this app. The operator can switch it on.',
  noStoreId:
    'The store link of this app has no App Store ID, so no bid for it can be signed. Enter a link such as https://apps.apple.com/app/id525463029.',
  empty: 'No ad set has a source identifier yet. An ad set gets one when it begins to run.',
  without: (names: readonly string[]) =>
    `Without a source identifier: ${names.join(', ')}. Their bids are not signed yet.`,
};

/** What the form of conversion values says of rules that somebody else saved. */
export const conversionTexts = {
  changedMeanwhile: 'Somebody else changed the conversion values since you opened them. Yours are not saved.',
  replace: {
    title: 'Replace the changes of somebody else?',
    text: 'Somebody else changed the conversion values since you opened them. Saving replaces all of them with yours.',
    action: 'Replace them',
  },
};

/** What the report of postbacks says where a range has none. */
export const postbackTexts = {
  empty: {
    title: 'No postbacks arrived in this range',
    text: 'They come one to four days after the first launch of the app, later ones after up to 41 days, and name the ad set by its source identifier.',
  },
  noIosApp: {
    title: 'No app of the App Store',
    text: 'Apple reports installs of apps of the App Store only. Postbacks stand here once bids for such an app are signed.',
  },
  signingOff: {
    title: 'Signing is switched off',
    text: 'No postbacks arrived in this range, and Apple reports installs only where bids are signed. The operator can switch signing on for an app.',
  },
};
