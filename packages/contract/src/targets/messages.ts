/** Messages of targets for users, some shared by server and console. */
export const targetMessages = {
  versionOrder: 'The newest version is older than the oldest',
} as const;
