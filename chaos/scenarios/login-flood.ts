import { picture } from '@bidwell/testing/files/pictures';
import { callerOf, PERSON, registerCompany } from '../cluster-company.ts';
import { type Flood, type FloodOutcome, type FloodedServer, floodScenario } from './flood.ts';
import { sendFor, statusText, unexpected } from '../senders.ts';

const FLOOD_MS = 20_000;
const LOGINS_AT_ONCE = 64;
const ADDRESSES = 4;
const CHANGES_AT_ONCE = 16;
const AVATAR_PX = 3000;
/** Done (an operator's first step does not say whether the password is right), and refused for the present. */
const EXPECTED = [200, 429, 503];

/** Password hashes and image work from few addresses and one person. */
export const loginFloodScenario = floodScenario(
  'login-flood',
  'operator logins with changing names from few addresses, passwords and avatars of one person, for 20 s',
  prepare,
  // The scenario names the addresses of its clients.
  { TRUST_PROXY: '1' },
);

async function prepare({ url }: FloodedServer): Promise<Flood> {
  const visitor = callerOf(`${url}/api/operator`);
  const { userId, call, upload } = await registerCompany(url, 'flood');
  const avatar = { name: 'avatar.png', content: await picture(AVATAR_PX, AVATAR_PX) };
  const logIn = (n: number) =>
    visitor(
      'POST',
      '/session',
      { login: `nobody.${n}`, password: 'nonsense' },
      { 'x-forwarded-for': `198.51.100.${1 + (n % ADDRESSES)}` },
    );
  const change = (n: number) => {
    const password = `analytical engine ${n}`;
    if (n % 2 === 0) return upload('PUT', `/users/${userId}`, { ...PERSON, avatar });
    return call('PUT', `/users/${userId}`, { ...PERSON, password, password_confirmation: password });
  };
  return {
    async run() {
      const [logins, changes] = await Promise.all([
        sendFor(FLOOD_MS, LOGINS_AT_ONCE, logIn),
        sendFor(FLOOD_MS, CHANGES_AT_ONCE, change),
      ]);
      return flooded(logins, changes);
    },
  };
}

function flooded(logins: ReadonlyMap<number, number>, changes: ReadonlyMap<number, number>): FloodOutcome {
  const failures = [...unexpected('logins', logins, EXPECTED), ...unexpected('changes', changes, EXPECTED)];
  if (!logins.has(200)) failures.push('no operator login was answered');
  if (!changes.has(200)) failures.push('no change of the profile was made');
  return {
    failures,
    notes: [`operator logins: ${statusText(logins)}`, `changes of a profile: ${statusText(changes)}`],
  };
}
