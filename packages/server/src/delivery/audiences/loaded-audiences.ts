import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { registerGauge } from '../../platform/telemetry/metrics.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type {
  AudienceLookup,
  HashedCase,
  IdHash,
  Membership,
  Memberships,
  StoredAudience,
} from '../model/audience.ts';
import { type Digests, readAudience } from './audience-file.ts';
import { hasDigest } from './digest-search.ts';
import type { Digest } from '../model/frequency.ts';
import { digestOfId } from './id-digest.ts';
import { type LookUpCounter, MatchCounts } from './match-counts.ts';

/** The audiences that a process has in memory. */
export interface LoadedAudiences extends AudienceLookup {
  /**
   * Sets the audiences that are in use. Loads new files and deletes what is not in use any more. A loaded audience stays as it is until its
   * next file is loaded whole, unless there is no room for both.
   */
  use(audiences: readonly StoredAudience[]): void;
  /** Resolves when nothing is being loaded. */
  settled(): Promise<void>;
  /** The look-ups for bids, by audience. */
  counts: MatchCounts;
  /** Bytes of all digests in memory. */
  bytes(): number;
  /** Audiences in use that are not in memory, because they do not fit or their files cannot be read. */
  missing(): number;
  close(): Promise<void>;
}

/** Dependencies of {@link loadAudiences}. */
interface LoadDeps {
  files: Pick<FileStore, 'read'>;
  log: Pick<Logger, 'warn' | 'error'>;
  /** The most bytes of all digests. */
  bytesMax: number;
}

/** An audience whose digests do not fit in memory. */
class TooLarge extends Error {}

interface Loaded {
  fileUuid: string | null;
  digests: Digests | null;
  counter: LookUpCounter | null;
}

/** Creates an empty {@link LoadedAudiences}. */
export function loadAudiences({ files, log, bytesMax }: LoadDeps): LoadedAudiences {
  const loaded = new Map<string, Loaded>();
  const counts = new MatchCounts();
  let used = new Map<string, StoredAudience>();
  let bytes = 0;
  let loading: Promise<void> = Promise.resolve();
  let isLoading = false;
  let isChanged = false;
  let closed = false;

  const bytesOf = (one: Loaded | undefined): number => one?.digests?.words.byteLength ?? 0;
  const set = (uuid: string, file: Pick<Loaded, 'fileUuid' | 'digests'>): void => {
    const next: Loaded = { ...file, counter: counts.of(uuid) };
    if (next.counter) next.counter.size = file.digests?.count ?? 0;
    bytes += bytesOf(next) - bytesOf(loaded.get(uuid));
    loaded.set(uuid, next);
  };
  const drop = (uuid: string): void => {
    bytes -= bytesOf(loaded.get(uuid));
    loaded.delete(uuid);
    counts.delete(uuid);
  };
  /** The next audience to load; undefined where all are tried. */
  const nextOf = (tried: ReadonlySet<string>): StoredAudience | undefined =>
    [...used.values()]
      .filter(
        ({ uuid, fileUuid }) => !tried.has(`${uuid} ${fileUuid}`) && loaded.get(uuid)?.fileUuid !== fileUuid,
      )
      .sort((a, b) => a.size - b.size)[0];

  async function load(audience: StoredAudience): Promise<void> {
    const { uuid, fileUuid } = audience;
    if (fileUuid === null) return set(uuid, { fileUuid, digests: null });
    const stream = files.read(fileUuid);
    try {
      const digests = await readAudience(stream, (needed) => {
        if (bytes + needed > bytesMax) throw new TooLarge(`It needs ${needed} bytes.`);
      });
      if (used.get(uuid)?.fileUuid === fileUuid) set(uuid, { fileUuid, digests });
    } catch (err) {
      stream.destroy();
      // A file that was replaced meanwhile is not there any more.
      if (used.get(uuid)?.fileUuid !== fileUuid || closed) return;
      // The earlier list has people who are out of it, or lacks people who are in: it makes room for the new one.
      if (err instanceof TooLarge && loaded.has(uuid)) {
        drop(uuid);
        return load(audience);
      }
      const message =
        err instanceof TooLarge
          ? 'an audience does not fit into AUDIENCES_MAX_BYTES; ad sets that need it do not bid'
          : 'an audience could not be loaded; its earlier state stays in use';
      log.error({ err, audience: uuid }, message);
    }
  }

  async function loadAll(): Promise<void> {
    const tried = new Set<string>();
    for (;;) {
      const next = closed ? undefined : nextOf(tried);
      if (!next) return;
      tried.add(`${next.uuid} ${next.fileUuid}`);
      await load(next);
    }
  }

  async function loadWhileChanged(): Promise<void> {
    try {
      while (isChanged) {
        isChanged = false;
        await loadAll();
      }
    } finally {
      isLoading = false;
    }
  }

  function start(): void {
    isChanged = true;
    if (isLoading || closed) return;
    isLoading = true;
    loading = loadWhileChanged();
  }

  return {
    use(audiences) {
      used = new Map(audiences.map((audience) => [audience.uuid, audience]));
      for (const uuid of loaded.keys()) if (!used.has(uuid)) drop(uuid);
      // What needs no file is there at once.
      for (const audience of audiences)
        if (audience.fileUuid === null) set(audience.uuid, { fileUuid: null, digests: null });
      if (nextOf(new Set())) start();
    },
    settled: () => loading,
    bytes: () => bytes,
    missing: () => [...used.keys()].filter((uuid) => !loaded.has(uuid)).length,
    counts,
    membershipsOf: (advertisingId, isForBid = false) =>
      new PersonMemberships(advertisingId, loaded, isForBid),
    loaded: () => [...loaded.keys()],
    async close() {
      closed = true;
      await loading;
    },
  };
}

/** The memberships of one person. Each audience is looked up once, and each hash computed once. */
class PersonMemberships implements Memberships {
  readonly #id: string;
  readonly #loaded: ReadonlyMap<string, Loaded>;
  readonly #isForBid: boolean;
  readonly #known = new Map<string, Membership>();
  readonly #digests = new Map<string, Digest>();

  constructor(id: string, loaded: ReadonlyMap<string, Loaded>, isForBid: boolean) {
    this.#id = id;
    this.#loaded = loaded;
    this.#isForBid = isForBid;
  }

  of(audienceId: string): Membership {
    let membership = this.#known.get(audienceId);
    if (membership === undefined) this.#known.set(audienceId, (membership = this.#lookUp(audienceId)));
    return membership;
  }

  #lookUp(audienceId: string): Membership {
    const audience = this.#loaded.get(audienceId);
    if (!audience) return 'not_loaded';
    const { digests, counter } = audience;
    if (!digests || digests.count === 0) return 'out';
    const found = this.#find(digests);
    if (this.#isForBid) counter?.count(found);
    return found ? 'in' : 'out';
  }

  /** The digest of the person in an audience; null for one who is not in it. */
  #find({ hash, letters, words }: Digests): Digest | null {
    for (const one of LETTERS[letters]) {
      const digest = this.#digestOf(hash, one);
      if (hasDigest(words, digest.low, digest.high)) return digest;
    }
    return null;
  }

  #digestOf(hash: IdHash, letters: 'lower' | 'upper'): Digest {
    const key = hash + letters;
    let digest = this.#digests.get(key);
    if (!digest) {
      const id = letters === 'lower' ? this.#id.toLowerCase() : this.#id.toUpperCase();
      this.#digests.set(key, (digest = digestOfId(hash, id)));
    }
    return digest;
  }
}

const LETTERS: Readonly<Record<HashedCase, readonly ('lower' | 'upper')[]>> = {
  lower: ['lower'],
  upper: ['upper'],
  either: ['lower', 'upper'],
};

/** Registers the metrics of the audiences of a bidder. */
export function registerAudienceMetrics(registry: Registry, audiences: LoadedAudiences): void {
  registerGauge(registry, 'bidwell_audience_bytes', 'Memory of the audiences of a bidder', () =>
    audiences.bytes(),
  );
  registerGauge(
    registry,
    'bidwell_audiences_missing',
    'Audiences in use that a bidder does not have in memory; ad sets that need them do not bid',
    () => audiences.missing(),
  );
}
