const holders = new Set<() => void>();

/** Registers a callback that deletes company data; called after the session has ended and no screen shows the data. */
export function onForget(forget: () => void): void {
  holders.add(forget);
}

/** Deletes all company data held in memory. */
export function forgetCompany(): void {
  for (const forget of holders) forget();
}
