const holders = new Set<() => void>();

/** Registers what forgets data of the company: it is called once the session is over and no screen shows them. */
export function onForget(forget: () => void): void {
  holders.add(forget);
}

/** Forgets whatever is held of the company. */
export function forgetCompany(): void {
  for (const forget of holders) forget();
}
