import type { Db } from '../../platform/postgres/transaction.ts';
import type { AdsetFaults } from './adset-faults.ts';
import { runYielding } from '../../platform/concurrency/yielding.ts';
import { compileAdset } from './compile.ts';
import { formatResolver } from './creative-format.ts';
import { type Company, loadCompanies } from './company-store.ts';
import { loadAdsets } from './adset-store.ts';
import type { AdsetRow, CompiledAdset } from '../model/candidate.ts';

/** Companies per query; few, so that parsing one result does not block the event loop for long. */
const COMPANIES_AT_ONCE = 10;

interface CompiledRow {
  version: string | null;
  adsets: readonly CompiledAdset[];
}

/** Reads and compiles the ad sets that may bid. Companies that have not changed are not read again. */
export class AdsetReader {
  readonly #db: Db;
  readonly #faults: AdsetFaults;
  readonly #shaped = formatResolver();
  #compiled = new Map<string, CompiledRow>();
  #companies: readonly Company[] = [];
  #adsets: readonly CompiledAdset[] = [];

  /** Ad sets that fail to compile are left out and reported to `faults`. */
  constructor(db: Db, faults: AdsetFaults) {
    this.#db = db;
    this.#faults = faults;
  }

  /** Companies as of the last read. */
  companies(): readonly Company[] {
    return this.#companies;
  }

  /**
   * Returns the ad sets that may bid; the same array as before when no company changed. Calls `onRead` with the rows of
   * each changed company. Throws when the database fails.
   */
  async read(
    onRead: (companyId: string, rows: readonly AdsetRow[]) => void = () => {},
  ): Promise<readonly CompiledAdset[]> {
    // Versions are read before rows. Rows may then be newer than their version, in which case they are read again.
    const companies = await loadCompanies(this.#db);
    const stale = companies.filter(({ uuid, version }) => this.#compiled.get(uuid)?.version !== version);
    const fresh = new Map<string, CompiledRow>();
    for await (const [company, rows] of this.#rowsOf(stale)) {
      const adsets = await runYielding(this.#compilation(rows));
      fresh.set(company.uuid, { version: company.version, adsets });
      onRead(company.uuid, rows);
    }
    const isSame = fresh.size === 0 && companies.length === this.#companies.length;
    this.#companies = companies;
    if (isSame) return this.#adsets;
    this.#compiled = new Map(
      companies.map(({ uuid }) => [uuid, fresh.get(uuid) ?? this.#compiled.get(uuid)!]),
    );
    this.#adsets = [...this.#compiled.values()].flatMap(({ adsets }) => adsets);
    return this.#adsets;
  }

  /** Compiles stored rows instead of reading them. Companies without stored rows are read by the next {@link read}. */
  async restore(
    companies: readonly Company[],
    rowsOf: ReadonlyMap<string, readonly AdsetRow[]>,
  ): Promise<readonly CompiledAdset[]> {
    for (const { uuid, version } of companies) {
      const rows = rowsOf.get(uuid);
      if (rows) this.#compiled.set(uuid, { version, adsets: await runYielding(this.#compilation(rows)) });
    }
    this.#companies = companies.filter(({ uuid }) => this.#compiled.has(uuid));
    this.#adsets = [...this.#compiled.values()].flatMap(({ adsets }) => adsets);
    return this.#adsets;
  }

  /** Yields the rows of each company, and prefetches the next group meanwhile. */
  async *#rowsOf(companies: readonly Company[]): AsyncGenerator<[Company, readonly AdsetRow[]]> {
    const load = (group: readonly Company[]) => {
      const ids = group.map(({ uuid }) => uuid);
      const loading = loadAdsets(this.#db, ids);
      // Avoids an unhandled rejection when the consumer stops before it awaits the prefetched group.
      loading.catch(() => {});
      return loading;
    };
    const groups = Array.from({ length: Math.ceil(companies.length / COMPANIES_AT_ONCE) }, (_, index) =>
      companies.slice(index * COMPANIES_AT_ONCE, (index + 1) * COMPANIES_AT_ONCE),
    );
    let loading = groups[0] && load(groups[0]);
    for (const [index, group] of groups.entries()) {
      const rows = await loading!;
      const following = groups[index + 1];
      loading = following && load(following);
      for (const company of group) yield [company, rows.get(company.uuid) ?? []];
    }
  }

  *#compilation(rows: readonly AdsetRow[]): Generator<undefined, CompiledAdset[]> {
    const adsets: CompiledAdset[] = [];
    for (const row of rows) {
      try {
        const adset = compileAdset(row, this.#shaped);
        adsets.push(adset);
        if (!adset.isSecure) this.#faults.report('insecure_address', adset);
      } catch (error) {
        this.#faults.report('settings', row, error);
      }
      yield;
    }
    return adsets;
  }
}
