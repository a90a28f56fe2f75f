/** Messages of apps for users, some shared by server and console. */
export const appMessages = {
  mmpRequired: 'MMP is required',
  advertiserDomain: 'Enter a domain such as example.com',
  storeDomain: 'Enter the developer’s own domain, not the app store’s',
} as const;
