import { expect } from '@playwright/test';

/** The fields of a bid that the tests use. */
export interface Bid {
  price: number;
  nurl: string;
  burl: string;
  lurl: string;
  adm: string;
}

/**
 * Sends a bid request for a banner on Android in Germany to the exchange's `path`; returns the bid, or null for a 204. `app`
 * and `device` have further properties of the publisher's app and of the device, `banner` the size.
 */
export async function offer(
  url: string,
  path: string,
  id: string,
  app: object = {},
  banner: { w: number; h: number; api?: number[] } = { w: 320, h: 50 },
  device: object = {},
): Promise<Bid | null> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-openrtb-version': '2.5' },
    body: JSON.stringify({
      id,
      at: 2,
      // No test is about the time of a bid, and other programs may use the processor.
      tmax: 60_000,
      imp: [{ id: '1', banner, bidfloor: 0.5 }],
      app: { bundle: 'com.publisher.runner', cat: ['IAB9-30'], ...app },
      device: {
        os: 'android',
        osv: '14',
        devicetype: 4,
        connectiontype: 2,
        language: 'de',
        geo: { country: 'DEU' },
        ...device,
      },
    }),
  });
  if (response.status === 204) return null;
  const body = (await response.json()) as { seatbid: { bid: Bid[] }[] };
  return body.seatbid[0]!.bid[0]!;
}

/**
 * Sends bid requests, as {@link offer} does, until one gets a bid: a bidder does not bid while it loads a change, such as a new
 * exchange, or while it waits for its part of a budget.
 */
export async function bidFor(
  url: string,
  path: string,
  id: string,
  app: object = {},
  device: object = {},
): Promise<Bid> {
  let bid: Bid | null = null;
  await expect(async () => {
    bid = await offer(url, path, id, app, undefined, device);
    expect(bid, `a bid for ${id}`).not.toBeNull();
  }).toPass();
  return bid!;
}

/** Sends what follows a won bid: win and billing notices with the clearing price (CPM, dollars), and the impression. */
export async function win(bid: Bid, clearingPrice: number): Promise<void> {
  const price = (address: string) => address.replaceAll('${AUCTION_PRICE}', String(clearingPrice));
  await expectOk(await fetch(price(bid.nurl)));
  await expectOk(await fetch(price(bid.burl)));
  await expectOk(await fetch(pictureIn(bid, /width="320"/)));
  await expectOk(await fetch(/src="([^"]+\/t\/impression\/[^"]+)"/.exec(bid.adm)![1]!));
}

/** Sends the loss notice of a bid with a code (OpenRTB 2.6, loss reason codes). */
export async function lose(bid: Bid, code: number): Promise<void> {
  await expectOk(await fetch(bid.lurl.replaceAll('${AUCTION_LOSS}', String(code))));
}

/** The address that a click on the ad opens. */
export const clickAddress = ({ adm }: Bid): string => /href="([^"]+)"/.exec(adm)![1]!;

/** Clicks on the ad; returns the redirect's destination. */
export async function click(bid: Bid): Promise<URL> {
  const address = clickAddress(bid);
  const response = await fetch(address, { redirect: 'manual', headers: { 'user-agent': 'Test phone' } });
  return new URL(response.headers.get('location')!);
}

function pictureIn({ adm }: Bid, mark: RegExp): string {
  const tag = adm.match(/<img [^>]+>/g)!.find((image) => mark.test(image))!;
  return /src="([^"]+)"/.exec(tag)![1]!;
}

async function expectOk(response: Response): Promise<void> {
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${response.url.slice(0, 60)}: ${response.status}`);
}
