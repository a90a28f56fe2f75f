/** How the ids of a list were hashed. Plain ids are stored by the SHA-256 of their lower case. */
export const ID_HASHES = ['md5', 'sha1', 'sha256'] as const;
export type IdHash = (typeof ID_HASHES)[number];

/** The letters of the ids that were hashed; `either` where the list does not say it, and both are looked up. */
export type HashedCase = 'lower' | 'upper' | 'either';

/** Whether a person is in an audience; `not_loaded` where this process does not have the audience yet. */
export type Membership = 'in' | 'out' | 'not_loaded';

/** The memberships of one person, each looked up when it is first asked for. */
export interface Memberships {
  of(audienceId: string): Membership;
}

/** The audiences that this process has loaded. */
export interface AudienceLookup {
  /** The memberships of the person with an advertising id. Look-ups for a bid are counted (`isForBid`), others are not. */
  membershipsOf(advertisingId: string, isForBid?: boolean): Memberships;
  /** The ids of the audiences that are loaded. */
  loaded(): readonly string[];
}

/** No audience is loaded. */
export const NO_AUDIENCES: AudienceLookup = {
  membershipsOf: () => ({ of: () => 'not_loaded' }),
  loaded: () => [],
};

/** An audience that ad sets use, as PostgreSQL has it. */
export interface StoredAudience {
  uuid: string;
  /** Its file in the file store; null for an audience without ids. */
  fileUuid: string | null;
  /** Number of its ids, by which small audiences are loaded first. */
  size: number;
}

/** What an ad set does with people who have no id, or do not allow their look-up, where it excludes audiences. */
export type WithoutId = 'bid' | 'skip';

/** The audiences of an ad set and its target. */
export interface CompiledAudiences {
  /** A person has to be in an audience of each group. */
  include: readonly (readonly string[])[];
  /** A person must be in none of them. */
  exclude: readonly string[];
  withoutId: WithoutId;
  /** All audiences of both lists. */
  stored: readonly StoredAudience[];
}
