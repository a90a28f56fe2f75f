import { uploadBanner } from '@bidwell/testing/bidding';
import type {
  RegisteredCreative,
  ReviewCounterpart,
} from '@bidwell/testing/exchange-reviews/review-counterpart';
import { type Door, type DoorCompany, type DoorSetup, differencesOf, done } from './door.ts';

const EXCHANGES = ['google', 'xandr'] as const;
const CREATIVES_EACH = 2;

/** An app whose creatives are reviewed. */
interface ReviewedApp {
  company: DoorCompany;
  appUuid: string;
  creativeUuid: string;
}

/** Creatives at Google and Xandr, which decide about some of them each time, and later otherwise about others. */
export async function openReviewDoor(
  { operator, random }: DoorSetup,
  apps: readonly ReviewedApp[],
  exchanges: ReviewCounterpart,
): Promise<Door> {
  const { google, xandr } = exchanges;
  const accounts = {
    google: { account: google.buyer, secret: google.key },
    xandr: { account: xandr.member, login: xandr.username, secret: xandr.password },
  };
  for (const profile of EXCHANGES) {
    await done(operator('PUT', `/ssps/chaos-${profile}`, { name: profile, profile }));
    await done(operator('PUT', `/ssps/chaos-${profile}/review`, { is_enabled: true, ...accounts[profile] }));
  }
  const creatives = apps.map(({ creativeUuid }) => creativeUuid);
  let decisions = 0;
  exchanges.judge = (creative) => {
    // Some are decided before the response.
    if (random() > 0.3) return;
    creative.state = 'approved';
    decisions += 1;
  };
  /** Decides about creatives in review, and otherwise about some that were decided before. */
  const decide = (share: number) => {
    for (const exchange of EXCHANGES)
      for (const { id, state } of exchanges.creatives(exchange)) {
        if (random() > (state === 'pending' ? share : share / 4)) continue;
        const next: RegisteredCreative['state'] =
          state === 'approved' || (state === 'pending' && random() < 0.3) ? 'disapproved' : 'approved';
        exchanges.decide(exchange, id, next, next === 'approved' ? [] : ['DESTINATION_NOT_WORKING']);
        decisions += 1;
      }
  };
  /** The states at the exchanges, by exchange and creative. */
  const theirStates = () =>
    new Map(
      EXCHANGES.flatMap((exchange) =>
        exchanges
          .creatives(exchange)
          .map(({ id, state }): [string, string] => [`chaos-${exchange} ${id}`, state]),
      ),
    );
  /** The states here. */
  const ourStates = async () => {
    const states = new Map<string, string>();
    for (const { company } of apps) {
      const { reviews } = await done(company.call('GET', '/exchange-reviews'));
      for (const { slug, creative_uuid: id, state } of reviews as Record<string, string>[])
        states.set(`${slug} ${id}`, state!);
    }
    return states;
  };
  return {
    name: 'reviews',
    async addRunning() {
      decide(0.5);
      for (const { company, appUuid } of apps)
        for (let count = 0; count < CREATIVES_EACH; count += 1)
          creatives.push(await uploadBanner(company, appUuid));
    },
    async unfinished() {
      const theirs = theirStates();
      const ours = await ourStates();
      return creatives.flatMap((id) =>
        EXCHANGES.flatMap((exchange) => {
          const key = `chaos-${exchange} ${id}`;
          const here = ours.get(key);
          return here === undefined || here === 'not_sent' || here !== theirs.get(key)
            ? [`a creative is ${here ?? 'missing'} here and ${theirs.get(key) ?? 'missing'} at ${exchange}`]
            : [];
        }),
      );
    },
    async compare() {
      const found = differencesOf(await ourStates(), theirStates());
      const again = EXCHANGES.flatMap((exchange) =>
        exchanges
          .creatives(exchange)
          .filter(({ id, writes }) => writes !== 1 || !creatives.includes(id))
          .map(({ id, writes }) => `${id} was written ${writes} times at ${exchange}`),
      );
      return {
        ...found,
        doubled: [...found.doubled, ...again],
        notes: [`${creatives.length} creatives at ${EXCHANGES.length} exchanges`, `${decisions} decisions`],
      };
    },
  };
}
