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
