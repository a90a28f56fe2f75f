import { firstNames } from '../lib/first-names.ts';

/** Messages of apps that only the server writes, in responses of the API. */
export const appApiMessages = {
  unknownAppEvent: (name: string) => `The app has no event named “${name}”`,
  payerRulesMax: (max: number) =>
    `At most ${max} events of all apps together always or never make a payer. Let others follow their amount.`,
  pauseCampaigns: (campaigns: readonly string[]) =>
    `Pause the campaigns that use the app first: ${firstNames(campaigns)}`,
  storeLink: 'Enter the link of an app in the App Store or Google Play',
  storeLinkOs: (os: 'iOS' | 'Android') => `The store link is of an ${os} app`,
  storeLinkTaken: 'An app with this store link exists already',
  appOfUsed: (part: 'target' | 'tracking link', adsets: readonly string[]) =>
    `The app cannot change: ad sets use this ${part}: ${firstNames(adsets)}`,
} as const;
