/** Postbacks with an unknown click of one company whose parameters are stored in a minute. */
const STORED_EACH_MAX = 100;
const MINUTE_MS = 60_000;
/** Companies that are counted apart. */
const COMPANIES_MAX = 10_000;

/**
 * Bounds what postbacks that name no click of their company may take: of each company the parameters of some are stored in a minute,
 * as examples, and the others are stored as a count. Postbacks that name a click or an app of the company are stored whole.
 */
export class UnknownParameters {
  #minute = 0;
  readonly #storedOf = new Map<string, number>();

  /** Whether the parameters of another such postback are stored. */
  admit(companyId: string, nowMs: number): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) this.#storedOf.clear();
    this.#minute = minute;
    const stored = this.#storedOf.get(companyId) ?? 0;
    if (stored >= STORED_EACH_MAX || (stored === 0 && this.#storedOf.size >= COMPANIES_MAX)) return false;
    this.#storedOf.set(companyId, stored + 1);
    return true;
  }

  /** Takes back an {@link admit} whose parameters could not be stored. */
  giveBack(companyId: string): void {
    const stored = this.#storedOf.get(companyId);
    if (stored !== undefined && stored > 0) this.#storedOf.set(companyId, stored - 1);
  }
}
