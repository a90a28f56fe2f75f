/** Messages of tracking links for users, some shared by server and console. */
export const trackingLinkMessages = {
  tryAgainTrackingLink: 'Please try again',
  linkContainsSecret:
    'This URL contains your postback secret, and devices would see it. Write {install_token} in Adjust’s callback, as its template does.',
} as const;
