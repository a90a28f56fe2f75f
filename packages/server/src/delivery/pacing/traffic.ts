import type { Database } from '../../platform/postgres/client.ts';
import { ALL_TRAFFIC, addOffers, readOffers } from './traffic-profile-store.ts';
import { FLAT, learnTrafficProfile } from './traffic-profile.ts';

/** Distribution of traffic over the day, learned from previous days. */
export interface Traffic {
  /** Counts a bid request. */
  count(): void;
  /** Distribution of the traffic that an ad set matches: its own, else that of all traffic, else uniform. */
  profileOf(adsetId: string): readonly number[];
  /** Stores the bid requests counted since the last call, and the offers of each ad set. */
  store(offers: readonly { adsetId: string; offers: number }[]): Promise<void>;
  /** Recomputes the distributions from the counts of all bidders. */
  learn(): Promise<void>;
}

export function createTraffic(db: Database): Traffic {
  let requests = 0;
  let all: readonly number[] = FLAT;
  let profiles = new Map<string, readonly number[]>();
  return {
    count() {
      requests += 1;
    },
    profileOf: (adsetId) => profiles.get(adsetId) ?? all,
    async store(offers) {
      const counted = requests;
      requests = 0;
      await addOffers(db, [{ adsetId: ALL_TRAFFIC, offers: counted }, ...offers]);
    },
    async learn() {
      const days = await readOffers(db);
      all = learnTrafficProfile(days.get(ALL_TRAFFIC) ?? [], FLAT);
      profiles = new Map([...days].map(([adsetId, own]) => [adsetId, learnTrafficProfile(own, all)]));
    },
  };
}
