import type { TestApp } from '../test-app.ts';
import { freshAddress } from '../api-cases/case.ts';

/** A response to a {@link TestBrowser}. */
export interface BrowserResponse {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what it asserts
  data: any;
}

/** A browser: it has an address of its own, keeps its cookies and sends the access token of its last login. */
export interface TestBrowser {
  address: string;
  send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<BrowserResponse>;
  /** Logs in; the response to a right password has a session or the next step. */
  logIn(login: string, password?: string): Promise<BrowserResponse>;
  /** Deletes all cookies and the access token. */
  deleteCookies(): void;
  cookies: Map<string, string>;
}

/** A new browser that calls a server with `CAPTCHA=off`. */
export function testBrowser(app: TestApp, userAgent: string, api = '/api/internal'): TestBrowser {
  const cookies = new Map<string, string>();
  const address = freshAddress();
  let token: string | undefined;
  const server = api.startsWith('/api/operator') ? app.admin : app.http;
  const send: TestBrowser['send'] = async (method, path, body) => {
    const response = await server.inject({
      method,
      url: api + path,
      remoteAddress: address,
      headers: { 'user-agent': userAgent, ...(token && { authorization: `Bearer ${token}` }) },
      cookies: Object.fromEntries(cookies),
      ...(body && { payload: body }),
    });
    for (const { name, value, maxAge } of response.cookies) {
      if (value === '' || maxAge === 0) cookies.delete(name);
      else cookies.set(name, value);
    }
    const { data } = response.json<{ data: BrowserResponse['data'] }>();
    if (typeof data?.access_token === 'string') token = data.access_token;
    return { status: response.statusCode, data };
  };
  return {
    address,
    cookies,
    send,
    logIn: (login, password = 'correct horse') => {
      token = undefined;
      return send('POST', '/login', { login, password });
    },
    deleteCookies() {
      cookies.clear();
      token = undefined;
    },
  };
}
