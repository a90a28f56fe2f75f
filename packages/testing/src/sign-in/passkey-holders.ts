import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { operatorApiMessages } from '@bidwell/contract/operator/api-messages';
import type { TestApp } from '../test-app.ts';
import { type BrowserResponse, type TestBrowser, testBrowser } from './browser.ts';
import { type SoftwareAuthenticator, softwareAuthenticator } from './software-authenticator.ts';

const ORIGIN = 'http://bidwell.test';

/** The calls on passkeys of one kind of account, in the browser of the account's person. */
export interface PasskeyCalls {
  creation(browser: TestBrowser): Promise<BrowserResponse>;
  add(browser: TestBrowser, passkey: object): Promise<BrowserResponse>;
  /** Removes or renames the passkey with an id. */
  path(uuid: string): string;
  list(browser: TestBrowser): Promise<BrowserResponse>;
  /** The options of a login by passkey alone, and the login. */
  optionsAlone(browser: TestBrowser): Promise<BrowserResponse>;
  logInAlone(browser: TestBrowser, credential: object): Promise<BrowserResponse>;
  proofOptions(browser: TestBrowser): Promise<BrowserResponse>;
  prove(browser: TestBrowser, passkey: object): Promise<BrowserResponse>;
  /** The status of a call that needs a session. */
  read(browser: TestBrowser): Promise<number>;
  /** The cookie that binds the options of a login to the browser. */
  cookie: string;
}

/** Someone with a passkey, in a browser that is logged in. */
export interface PasskeyHolder {
  browser: TestBrowser;
  authenticator: SoftwareAuthenticator;
  /** The passkey's id in the authenticator, and in the API. */
  credentialId: string;
  uuid: string;
  /** Enters the right password in a browser; resolves to the options of the passkey that completes the login. */
  beginLogin(browser: TestBrowser): Promise<BrowserResponse>;
  /** Completes that login. */
  completeLogin(browser: TestBrowser, credential: object): Promise<BrowserResponse>;
  /** How often it was noted for them that a passkey was refused whose counter went back. */
  refusedCopies(): Promise<number>;
}

/** One kind of account. */
export interface PasskeyKind {
  calls: PasskeyCalls;
  /** The response to a login by the right password and a passkey that is not accepted. */
  refusedFactor: BrowserResponse;
  newBrowser(): TestBrowser;
  holder(): Promise<PasskeyHolder>;
}

/** People of companies. */
export function peopleWithPasskeys(app: TestApp): PasskeyKind {
  const calls: PasskeyCalls = {
    creation: (browser) => browser.send('POST', '/account/passkeys/creation'),
    add: (browser, passkey) => browser.send('POST', '/account/passkeys', passkey),
    path: (uuid) => `/account/passkeys/${uuid}`,
    list: (browser) => browser.send('GET', '/account/passkeys'),
    optionsAlone: (browser) => browser.send('POST', '/login/passkey/options'),
    logInAlone: (browser, credential) => browser.send('POST', '/login/passkey', { credential }),
    proofOptions: (browser) => browser.send('POST', '/account/confirmation/passkey'),
    prove: (browser, passkey) => browser.send('POST', '/account/confirmation', { passkey }),
    read: async (browser) => (await browser.send('GET', '/app')).status,
    cookie: 'bidwell_passkey',
  };
  const newBrowser = () => testBrowser(app, 'test');
  return {
    calls,
    refusedFactor: { status: 422, data: accountApiMessages.passkeyRefused },
    newBrowser,
    async holder() {
      const { login } = await app.freshCompany();
      const browser = newBrowser();
      await browser.logIn(login);
      return {
        browser,
        ...(await added(calls, browser)),
        async beginLogin(guest) {
          await guest.logIn(login);
          return guest.send('POST', '/login/second-factor/passkey/options');
        },
        completeLogin: (guest, credential) =>
          guest.send('POST', '/login/second-factor/passkey', { credential }),
        async refusedCopies() {
          const { data } = await browser.send('GET', '/notifications');
          return data.filter(({ title }: { title: string }) => title === 'Passkey refused').length;
        },
      };
    },
  };
}

/** Operators, all of whom have an authenticator app too. */
export function operatorsWithPasskeys(app: TestApp): PasskeyKind {
  const calls: PasskeyCalls = {
    creation: (browser) => browser.send('POST', '/session/passkeys/creation'),
    add: (browser, passkey) => browser.send('POST', '/session/passkeys', passkey),
    path: (uuid) => `/session/passkeys/${uuid}`,
    list: (browser) => browser.send('GET', '/session/passkeys'),
    optionsAlone: (browser) => browser.send('POST', '/session/passkey/options'),
    logInAlone: (browser, credential) => browser.send('POST', '/session/passkey', { credential }),
    proofOptions: (browser) => browser.send('POST', '/session/confirmation/passkey'),
    prove: (browser, passkey) => browser.send('POST', '/session/confirmation', { passkey }),
    read: async (browser) => (await browser.send('GET', '/session')).status,
    cookie: 'bidwell_operator_passkey',
  };
  const newBrowser = () => testBrowser(app, 'test', '/api/operator');
  return {
    calls,
    refusedFactor: { status: 401, data: operatorApiMessages.wrongOperatorPasskey },
    newBrowser,
    async holder() {
      const { login, password, code } = await app.freshOperator('viewer');
      const browser = newBrowser();
      await browser.send('POST', '/session', { login, password, code: code() });
      return {
        browser,
        ...(await added(calls, browser)),
        // Whether the password is right is asked with the passkey only.
        beginLogin: (guest) => guest.send('POST', '/session/second-factor/passkey/options'),
        completeLogin: (guest, passkey) => guest.send('POST', '/session', { login, password, passkey }),
        async refusedCopies() {
          const { acts } = (await app.operator('GET', '/acts?limit=100')).data;
          return acts.filter(
            (act: { operator: string; action: string }) =>
              act.operator === login && act.action === 'Was refused a copied passkey of',
          ).length;
        },
      };
    },
  };
}

/** Makes a passkey and adds it to the account of the browser. */
async function added({ creation, add }: PasskeyCalls, browser: TestBrowser) {
  const authenticator = softwareAuthenticator(ORIGIN);
  const credential = authenticator.create((await creation(browser)).data);
  const { data } = await add(browser, { name: 'Phone', credential });
  const { uuid }: { uuid: string } = data.passkey ?? data;
  return { authenticator, credentialId: credential.id, uuid };
}
