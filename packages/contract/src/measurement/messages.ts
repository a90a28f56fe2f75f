/** Messages of costs and copies of postbacks that are sent to measurement partners, some shared by server and console. */
export const partnerCostMessages = {
  mediaSource: 'Use letters, digits, points, hyphens and underscores',
  token: 'Enter the token without spaces',
  tokenRequired: 'Enter the token of the partner',
  days: (days: number) => `At most ${days} days`,
  tokenLost: 'The token is lost. Enter it again.',
  tokenRefused: (name: string) => `${name} does not accept the token.`,
  tokenDenied: (name: string) => `The token may not do this at ${name}.`,
  status: (name: string, status: number) => `${name} responded with the status ${status}.`,
  failure: {
    private: 'The address is not in the public internet.',
    timeout: 'There was no response in time.',
    unreachable: 'There was no connection.',
  },
  unreadable: (name: string) => `The response of ${name} cannot be read.`,
  noApps: (name: string) =>
    `${name} takes costs for none of the apps here: the advertiser has to switch them on there.`,
  tooLarge: 'The day has too many rows for an upload.',
  noAnswer: (name: string) => `${name} took the upload and has not said what it made of it.`,
  off: 'Costs are not sent to this partner: switch them on first.',
  notSent: 'The costs could not be sent.',
} as const;

export const postbackCopyMessages = {
  url: 'Enter an address that starts with https://',
  urlRequired: (name: string) =>
    `${name} has no public address for these postbacks: enter the one that it gives you.`,
  frameworkOff: 'No address for postbacks of this framework.',
  off: 'Copies to this partner are switched off.',
  gone: 'The postback is not stored any more.',
  waits: 'It waits to be sent already.',
  iosOnly: 'Only iOS apps have these postbacks.',
  status: (status: number) => `The partner responded with the status ${status}.`,
  notSent: 'The copy could not be sent.',
} as const;
