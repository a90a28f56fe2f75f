import { once } from 'node:events';
import { type RemoteInfo, createSocket } from 'node:dgram';
import { eventually } from '@bidwell/testing/eventually';
import { afterAll, expect, test } from 'vitest';
import { publicResolver } from './checked-lookup.ts';

const A = 1;
const AAAA = 28;
const ADDRESSES: Record<number, Buffer> = {
  [A]: Buffer.from([93, 184, 216, 34]),
  [AAAA]: Buffer.from('26062800022000010248189325c81946', 'hex'),
};

/** The name and the type that a query asks for, and where its question ends. */
function questionIn(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString());
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Queries for names with `slow`, which the name server answers once `release` is called. */
const held: (() => void)[] = [];
const release = () => {
  for (const answer of held.splice(0)) answer();
};

/** A name server on this machine: silent about names with `slow`, without addresses of names with `none`. */
async function nameServer(): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query: Buffer, { port, address }: RemoteInfo) => {
    const { name, type, end } = questionIn(query);
    const isLacking =
      name.includes('none') ||
      (name.includes('only4') && type === AAAA) ||
      (name.includes('silent6') && type === A);
    const found = isLacking ? undefined : ADDRESSES[type];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(found ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    const fields = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, found?.length ?? 0]);
    const response = Buffer.concat([header, query.subarray(12, end), ...(found ? [fields, found] : [])]);
    const answer = () => socket.send(response, port, address);
    if (name.includes('silent6') && type === AAAA) return;
    if (name.includes('slow')) held.push(answer);
    else answer();
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  afterAll(() => {
    socket.close();
  });
  return `127.0.0.1:${socket.address().port}`;
}

const servers = [await nameServer()];
const resolve = publicResolver({ servers });

test('a host has its addresses of both kinds, or of the one that it has', async () => {
  const four = { address: '93.184.216.34', family: 4 };
  const six = { address: '2606:2800:220:1:248:1893:25c8:1946', family: 6 };
  expect(await resolve('both.example')).toEqual([four, six]);
  expect(await resolve('only4.example')).toEqual([four]);
  await expect(resolve('none.example')).rejects.toMatchObject({ code: 'ENODATA' });
});

test('names whose servers are silent delay no other name', async () => {
  const slow = Promise.all(
    Array.from({ length: 100 }, async (_, index) => resolve(`host${index}.slow.example`)),
  );
  await eventually(() => expect(held.length).toBeGreaterThanOrEqual(100));
  expect(await resolve('only4.example')).toHaveLength(1);
  const again = setInterval(release, 10);
  try {
    expect(await slow).toHaveLength(100);
  } finally {
    clearInterval(again);
  }
});

test('a host that may have addresses of one kind is not said to have none', async () => {
  const lookup = publicResolver({ servers, msMax: 50 })('host.silent6.example');
  await expect(lookup).rejects.toMatchObject({ code: expect.stringMatching(/TIMEOUT|CANCELLED/) });
});

test('a lookup ends in time', async () => {
  await expect(publicResolver({ servers, msMax: 50 })('host.slow.example')).rejects.toThrow();
});
