import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { type MessageBuffer, openEventStream } from '../delivery/counting/event-stream.ts';
import { ROLES, type Role } from '../config/environment.ts';
import { type Nats, openNats } from '../platform/nats/connection.ts';
import { eventually } from '@bidwell/testing/eventually';
import { natsProgram, natsServer } from '@bidwell/testing/engines/nats-server';

const sources = fileURLToPath(new URL('..', import.meta.url));
const path = (name: string) => fileURLToPath(new URL(`../../../../deploy/compose/${name}`, import.meta.url));

test('the users of NATS have the subjects that the server uses, and no other', async () => {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const texts = await Promise.all(files.map((name) => readFile(join(sources, name), 'utf8')));
  const subjectsIn = (text: string, quotes: string) =>
    [
      ...new Set([...text.matchAll(new RegExp(`[${quotes}](bidwell\\.[a-z]+)`, 'g'))].map(([, one]) => one!)),
    ].sort();
  const allowed = subjectsIn(await readFile(path('nats-users.conf'), 'utf8'), '"');
  expect(allowed).toEqual(subjectsIn(texts.join('\n'), "'`"));
});

/** Subjects that only bidders receive. */
const OF_BIDDERS = /^bidwell\.(bidder|frequency)/;

/** A connection with its log lines and received messages. */
interface Connected {
  nats: Nats;
  log: pino.Logger;
  errors: string[];
  received: string[];
}

describe.runIf(natsProgram())('a process as the user of its role', async () => {
  if (!natsProgram()) return;
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-nats-users-'));
  const variables = Object.fromEntries(
    ROLES.map((role) => [`NATS_${role.toUpperCase()}_PASSWORD`, `"password of ${role}"`]),
  );
  const config = { path: path('nats-users.conf'), variables };
  const server = (await natsServer({ folder, config }))!;
  const connections: Nats[] = [];
  afterAll(async () => {
    await Promise.all(connections.map((one) => one.close()));
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function connected(role: Role): Promise<Connected> {
    const [errors, received]: [string[], string[]] = [[], []];
    const log = pino({ level: 'warn' }, { write: (line) => void errors.push(line) });
    const nats = openNats(`nats://${role}:password%20of%20${role}@127.0.0.1:${server.port}`, log);
    connections.push(nats);
    await new Promise<void>((resolve) => nats.onUp(resolve));
    return { nats, log, errors, received };
  }
  const listen = ({ nats, received }: Connected, ...subjects: string[]) => {
    for (const subject of subjects)
      nats.subscribe(subject, (payload) => received.push(`${subject} ${Buffer.from(payload).toString()}`));
  };

  test('a tracker fills the event stream and a counter reads it; a bidder may do neither', async () => {
    const [tracker, counter, bidder] = [
      await connected('tracker'),
      await connected('counter'),
      await connected('bidder'),
    ];
    const written = await openEventStream(tracker.nats, tracker.log);
    expect(await written.publish(0, Buffer.from('an event'))).toBe(1);
    expect([...(await written.lastSeqs())]).toEqual([[0, 1]]);

    const stream = await openEventStream(counter.nats, counter.log);
    const read: string[] = [];
    const buffer: MessageBuffer = {
      hasRoom: () => true,
      push: ({ data }) => void read.push(data.toString()),
      messagesLost: () => {},
      bookedLost: () => {},
    };
    const start = { seq: 0, atMs: null };
    const reader = stream.read(0, { after: start, booked: start }, buffer);
    await eventually(async () => expect(read).toEqual(['an event']));
    expect(await stream.check()).toMatchObject({ lastSeq: 1 });
    await stream.purge(0, 2);
    reader.stop();
    expect([...tracker.errors, ...counter.errors]).toEqual([]);

    await expect(openEventStream(bidder.nats, bidder.log)).rejects.toThrow();
    expect(bidder.errors.join('\n')).toMatch(/Permissions Violation/i);
  });

  test('processes receive the messages of others, and none that a role may not publish', async () => {
    const all = Object.fromEntries(
      await Promise.all(ROLES.map(async (role) => [role, await connected(role)] as const)),
    ) as Record<Role, Connected>;
    for (const role of ROLES) listen(all[role], 'bidwell.live', 'bidwell.changes', 'bidwell.learn');
    listen(all.bidder, 'bidwell.frequency', 'bidwell.bidder.0a');
    const expected: [from: Role, subject: string][] = [
      ...ROLES.map((role): [Role, string] => [role, 'bidwell.live']),
      ['api', 'bidwell.changes'],
      ['jobs', 'bidwell.changes'],
      ['bidder', 'bidwell.learn'],
      ['counter', 'bidwell.learn'],
      ['bidder', 'bidwell.frequency'],
      ['counter', 'bidwell.frequency'],
      ['counter', 'bidwell.bidder.0a'],
    ];
    await Promise.all(ROLES.map(async (role) => all[role].nats.current()!.flush()));
    for (const [from, subject] of expected) all[from].nats.publish(subject, from);
    for (const role of ROLES) {
      const hears = expected.filter(
        ([from, subject]) => from !== role && (role === 'bidder' || !OF_BIDDERS.test(subject)),
      );
      const texts = hears.map(([from, subject]) => `${subject} ${from}`);
      await eventually(async () => expect(all[role].received.toSorted()).toEqual(texts.toSorted()));
      expect(all[role].errors).toEqual([]);
    }
    // A rejected message arrives nowhere; the allowed message after it does.
    all.tracker.nats.publish('bidwell.changes', 'refused');
    all.bidder.nats.publish('bidwell.bidder.0a', 'refused');
    all.tracker.nats.publish('bidwell.frequency', 'refused');
    all.tracker.nats.publish('bidwell.live', 'last');
    await eventually(async () => expect(all.api.received).toContain('bidwell.live last'));
    for (const role of ROLES) expect(all[role].received.join('\n')).not.toContain('refused');
  });
});
