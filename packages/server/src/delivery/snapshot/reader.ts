import type { Db } from '../../platform/postgres/transaction.ts';
import { inSlices } from '../in-slices.ts';
import { compileAdset } from './compile.ts';
import { shaper } from './shape.ts';
import type { Company } from './store.ts';
import { loadAdsets, loadCompanies } from './store.ts';
import type { AdsetRow, CompiledAdset } from './types.ts';

/** Companies read with one query: few enough that no answer of the database takes long to take apart. */
const COMPANIES_AT_ONCE = 10;

interface Kept {
  version: string | null;
  adsets: readonly CompiledAdset[];
}

/** Reads what may bid, of all companies: those that did not change since are not read again. */
export class AdsetReader {
  readonly #db: Db;
  readonly #shaped = shaper();
  #kept = new Map<string, Kept>();
  #companies: readonly Company[] = [];
  #adsets: readonly CompiledAdset[] = [];

  constructor(db: Db) {
    this.#db = db;
  }

  /** The companies, as they were last read. */
  companies(): readonly Company[] {
    return this.#companies;
  }

  /** The ad sets that may bid; the same array as before where no company changed. Throws what the database throws. */
  async read(): Promise<readonly CompiledAdset[]> {
    // Versions come before rows: what is read later can only be newer than its version says, and is then read again.
    const companies = await loadCompanies(this.#db);
    const stale = companies.filter(({ uuid, version }) => this.#kept.get(uuid)?.version !== version);
    const fresh = new Map<string, Kept>();
    for (let from = 0; from < stale.length; from += COMPANIES_AT_ONCE) {
      const group = stale.slice(from, from + COMPANIES_AT_ONCE);
      const rows = await loadAdsets(
        this.#db,
        group.map(({ uuid }) => uuid),
      );
      for (const { uuid, version } of group)
        fresh.set(uuid, { version, adsets: await inSlices(this.#compilation(rows.get(uuid) ?? [])) });
    }
    const isSame = fresh.size === 0 && companies.length === this.#companies.length;
    this.#companies = companies;
    if (isSame) return this.#adsets;
    this.#kept = new Map(companies.map(({ uuid }) => [uuid, fresh.get(uuid) ?? this.#kept.get(uuid)!]));
    this.#adsets = [...this.#kept.values()].flatMap(({ adsets }) => adsets);
    return this.#adsets;
  }

  *#compilation(rows: readonly AdsetRow[]): Generator<undefined, CompiledAdset[]> {
    const adsets: CompiledAdset[] = [];
    for (const row of rows) {
      adsets.push(compileAdset(row, this.#shaped));
      yield;
    }
    return adsets;
  }
}
