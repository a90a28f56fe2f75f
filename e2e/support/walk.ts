import { type Page, type Route, expect } from '@playwright/test';
import { setTimeout as pass } from 'node:timers/promises';
import type { Dialog, Screen } from './screens.ts';

/**
 * The possible results of a call of a screen. `slow`: no response while the screen is checked. `empty`: a response with empty
 * lists.
 */
export const STATES = ['slow', '500', '403', 'offline', 'empty'] as const;
export type State = (typeof STATES)[number];

/** What the page shows at one time. */
interface View {
  /** The visible texts, and the labels of buttons. */
  texts: string[];
  /**
   * The texts of the screen itself, not of the frame around it. Statuses are left out: they are announced when they come,
   * as hints do that are worth saying in few cases only.
   */
  own: string[];
  /** Whether something says that it loads. */
  isLoading: boolean;
  /** Whether something says that it failed, with a button that tries again. */
  isFailed: boolean;
  /** The texts of figures that load or have failed. */
  unknown: string[];
}

/** Something false or missing on a screen. */
export interface Fault {
  screen: string;
  call: string;
  state: State;
  fault: string;
}

/** Sentences that claim that something does not exist, or is nothing. */
const CLAIM =
  /^(no|none|nothing)\b|\bthere (is|are) (no|none|nothing)|there`s nothing|\b0 (of|total|unread|in the)\b|(?<!its name is )not found|appears? here|\byet\b|\bno [a-z ]+ ((of|with) that name|matches|has|is|are|was)\b/i;
const ZERO = /^[−-]?\$?0([.,]0+)?\s?%?$|^0 [a-z]/;
const ZERO_IN_TEXT = /\$0\.00|\b0 total/g;
/** Says that something was done. */
const DONE = /\b(saved|added|created|updated|sent|deleted|removed)\b(?! yet)/i;
/**
 * Calls that say who the person is and what else is worth knowing: buttons and signs that depend on them come once they are
 * known, without a placeholder.
 */
const LATE = /^GET (internal\/(users\/:uuid|findings)|operator\/session)$/;
const CRASH = /^Oh no!/;
/** Heading of the page that is opened between two screens. */
const BETWEEN = 'Oops! Page not found';

/** Reads the visible texts, in the page. */
function readView(): View {
  const texts: string[] = [];
  const own: string[] = [];
  const isVisible = (element: Element) =>
    element.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true });
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement!;
    const text = (walker.currentNode.textContent ?? '').trim();
    if (text === '' || parent.closest('script, style, noscript, option')) continue;
    if (!isVisible(parent)) continue;
    texts.push(text);
    if (!parent.closest('header, nav, [role="status"]')) own.push(text);
  }
  for (const button of document.querySelectorAll('button[aria-label]'))
    if (isVisible(button)) texts.push(button.getAttribute('aria-label')!);
  const has = (selector: string) => [...document.querySelectorAll(selector)].some(isVisible);
  return {
    texts,
    own,
    isLoading: has(
      '.mantine-Skeleton-root, [data-skeleton], [aria-busy="true"], [aria-label="Loading"], .mantine-Loader-root, [data-loading], input[placeholder="Loading…"]',
    ),
    isFailed:
      // A closed list says in its field that it failed, and has the button when it is opened.
      has('input[placeholder="Could not be loaded"]') ||
      [...document.querySelectorAll('button')].some(
        (button) =>
          /^(Try again|Reload)\b/.test(button.textContent || (button.getAttribute('aria-label') ?? '')) &&
          isVisible(button),
      ),
    unknown: [
      ...document.querySelectorAll(
        'main [aria-busy="true"]:not([data-stale]), main div:has(> [role="alert"] button)',
      ),
    ].map(({ textContent }) => textContent),
  };
}

/** Opens screens of a page again and again, with one of their calls in a state. */
export class Walk {
  private readonly page: Page;
  private readonly url: string;
  private readonly open = new Set<unknown>();
  private readonly held: Route[] = [];
  private changedAt = 0;
  private calls = new Set<string>();
  private altered: { call: string; state: State } | null = null;
  /** The result of the calls that a click on a form's button sends. */
  private writes: Exclude<State, 'empty'> | null = null;
  private isAltered = false;
  /** Calls whose answer has a list. */
  readonly withLists = new Set<string>();

  private constructor(page: Page, url: string) {
    this.page = page;
    this.url = url;
  }

  /** Begins on a page of a browser that has a session. */
  static async begin(page: Page, url: string, first: string): Promise<Walk> {
    const walk = new Walk(page, url);
    page.on('request', (request) => walk.note(() => walk.open.add(request)));
    page.on('requestfinished', (request) => walk.note(() => walk.open.delete(request)));
    page.on('requestfailed', (request) => walk.note(() => walk.open.delete(request)));
    await page.route('**/api/**', (route) => walk.answer(route));
    await page.goto(url + first);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await page.evaluate(() => {
      // The cache of the console: there is no other way to it from outside.
      type Fiber = {
        memoizedProps?: { client?: { getQueryCache?: unknown } };
        child?: Fiber;
        sibling?: Fiber;
      };
      const root = document.querySelector('#root') as unknown as Record<string, Fiber>;
      const stack = [root[Object.keys(root).find((key) => key.startsWith('__reactContainer'))!]];
      while (stack.length > 0) {
        const fiber = stack.pop();
        if (!fiber) continue;
        const client = fiber.memoizedProps?.client;
        if (client?.getQueryCache) Object.assign(window, { consoleQueries: client });
        stack.push(fiber.sibling, fiber.child);
      }
      if (!('consoleQueries' in window)) throw new Error('The console has no query client');
    });
    return walk;
  }

  private note(change: () => unknown): void {
    change();
    this.changedAt = Date.now();
  }

  private async answer(route: Route): Promise<void> {
    const request = route.request();
    const call = `${request.method()} ${endpointOf(request.url())}`;
    if (call.endsWith('/refresh-token')) return route.fallback();
    this.calls.add(call);
    const state =
      this.writes && request.method() !== 'GET'
        ? this.writes
        : this.altered?.call === call && this.altered.state;
    if (!state) return route.continue().catch(() => {});
    this.isAltered = true;
    switch (state) {
      case 'slow':
        this.note(() => this.open.delete(request));
        return void this.held.push(route);
      case '500':
        return route.fulfill({
          status: 500,
          json: { data: 'Something went wrong on our side. Please try again.' },
        });
      case '403':
        return route.fulfill({
          status: 403,
          json: { data: 'Your role in this company does not allow this. Ask one of its owners.' },
        });
      case 'offline':
        return route.abort('internetdisconnected');
      case 'empty':
        return this.answerEmpty(route, call);
    }
  }

  private async answerEmpty(route: Route, call: string): Promise<void> {
    const response = await route.fetch().catch(() => null);
    if (!response) return;
    const body: unknown = await response.json().catch(() => null);
    const emptied = withoutItems(body);
    if (JSON.stringify(body) !== JSON.stringify(emptied)) this.withLists.add(call);
    await route.fulfill({ response, json: emptied }).catch(() => {});
  }

  /** Waits until nothing is requested and nothing changes. */
  private async settle(): Promise<void> {
    const until = Date.now() + 8000;
    let before = '';
    while (Date.now() < until) {
      await pass(40);
      if (this.open.size > 0 || Date.now() - this.changedAt < 80) continue;
      const now = await this.page.evaluate(
        () => `${location.href} ${document.body.innerText} ${document.querySelectorAll('*').length}`,
      );
      if (now === before) return;
      before = now;
    }
  }

  /** Opens a screen as if it were the first, and what `open` opens on it; null if that cannot be opened. */
  private async visit(
    place: Screen | Dialog,
    looks: 'lists' | 'screen' | 'nothing' = 'lists',
  ): Promise<View | null> {
    const { page } = this;
    for (const route of this.held.splice(0)) await route.abort().catch(() => {});
    this.calls = new Set();
    this.isAltered = false;
    this.writes = null;
    await page.evaluate(async (path) => {
      for (const close of document.querySelectorAll<HTMLElement>('.mantine-Notification-closeButton'))
        close.click();
      history.pushState({}, '', '/no/such/page/between');
      await new Promise((drawn) => setTimeout(drawn, 30));
      (window as unknown as { consoleQueries: { clear(): void } }).consoleQueries.clear();
      for (const key of Object.keys(localStorage))
        if (key.startsWith('bidwell.draft.')) localStorage.removeItem(key);
      history.pushState({}, '', path);
    }, place.path);
    await this.settle();
    if ('open' in place) {
      page.setDefaultTimeout(1500);
      const isOpen = await place.open(page).then(
        () => true,
        () => false,
      );
      page.setDefaultTimeout(60_000);
      if (!isOpen && !this.altered) throw new Error(`${place.name} does not open`);
      if (!isOpen) return null;
      await this.settle();
    }
    if (looks === 'nothing') return null;
    return looks === 'lists' ? this.look() : page.evaluate(readView);
  }

  /** What the page shows, including the lists of its fields. */
  private async look(): Promise<View> {
    const view = await this.page.evaluate(readView);
    const within =
      (await this.page.getByRole('dialog').filter({ visible: true }).count()) > 0
        ? '[role="dialog"]'
        : 'main';
    const fields = await this.page
      .locator(`${within} input[aria-haspopup="listbox"]`)
      .filter({ visible: true })
      .all();
    for (const field of fields.slice(0, 8)) {
      if (!(await field.isEnabled().catch(() => false))) continue;
      await field.click({ timeout: 500 }).catch(() => {});
      await pass(30);
      const opened = await this.page.evaluate(readView);
      view.texts.push(...opened.texts.filter((text) => !view.texts.includes(text)));
      view.isLoading ||= opened.isLoading;
      view.isFailed ||= opened.isFailed;
      await field.press('Escape', { timeout: 500 }).catch(() => {});
    }
    return view;
  }

  /** The calls of a screen or dialog, and what it shows when all is well. */
  async baseline(place: Screen | Dialog): Promise<{ calls: string[]; view: View; stable: Set<string> }> {
    this.altered = null;
    const view = (await this.visit(place))!;
    const calls = [...this.calls];
    const again = (await this.visit(place))!;
    const stable = new Set(view.own.filter((text) => again.own.includes(text)));
    view.texts.push(...again.texts);
    return { calls, view, stable };
  }

  /** The faults of the page with a call in a state. */
  async faultsOf(
    place: Screen | Dialog,
    call: string,
    state: State,
    { view: usual, stable }: { view: View; stable: Set<string> },
  ): Promise<string[]> {
    this.altered = { call, state };
    // A list that loads or has failed says so in one way, whatever the failure.
    const view = await this.visit(place, state === 'slow' || state === '500' ? 'lists' : 'screen');
    const { isAltered } = this;
    if (!view || !isAltered) return [];
    // Until it is known who the operator is, the console stays where it was: on the page between two screens.
    if (state === 'slow' && call === 'GET operator/session' && view.texts.includes(BETWEEN)) return [];
    const faults = view.texts.filter((text) => CRASH.test(text)).map((text) => `crash: ${text}`);
    if (state === 'empty') {
      if (view.texts.length < 8) faults.push('blank');
      return faults;
    }
    const known = new Set(usual.texts);
    const added = [...new Set(view.texts.filter((text) => !known.has(text)))];
    faults.push(
      ...added.filter((text) => CLAIM.test(text) || ZERO.test(text)).map((text) => `says “${text}”`),
    );
    // A frame may also hold figures that are known, and 0 when all is well.
    const zerosOf = (text: string) => text.match(ZERO_IN_TEXT)?.length ?? 0;
    const usualZeros = zerosOf(usual.own.join('\n'));
    faults.push(
      ...view.unknown
        .filter((text) => zerosOf(text) > usualZeros)
        .map((text) => `not known, and 0: ${text.slice(0, 80)}`),
    );
    const missing = [...stable].filter((text) => !view.texts.includes(text));
    const isMarked = state === 'slow' ? view.isLoading : view.isFailed;
    if (missing.length > 0 && !isMarked && !(state === 'slow' && LATE.test(call)))
      faults.push(
        `${state === 'slow' ? 'nothing loads' : 'nothing failed'}, and missing is “${missing.slice(0, 3).join('”, “')}”`,
      );
    // A dialog may cover the button.
    if (state === '500' && view.isFailed && !('open' in place))
      faults.push(...(await this.faultsAfterRetry(missing)));
    return faults;
  }

  /**
   * The faults after a click on the button that saves the form of a screen or dialog, while its call is in a state; null
   * where there is no such button, or the form does not send what it has.
   */
  async faultsOfSaving(place: Screen | Dialog, state: Exclude<State, 'empty'>): Promise<string[] | null> {
    this.altered = null;
    await this.visit(place, 'nothing');
    const { page } = this;
    const within =
      (await page.getByRole('dialog').filter({ visible: true }).count()) > 0 ? '[role="dialog"]' : 'main';
    const button = page.locator(`${within} button[type="submit"]:enabled`).filter({ visible: true }).first();
    if ((await button.count()) === 0) return null;
    this.isAltered = false;
    this.writes = state;
    await button.click({ timeout: 1000 }).catch(() => {});
    await this.settle();
    this.writes = null;
    if (!this.isAltered) return null;
    const said = await page.evaluate(() => ({
      toasts: [...document.querySelectorAll('.mantine-Notification-root')].map(
        ({ textContent }) => textContent,
      ),
      hasFailure:
        document.querySelector('.mantine-Notification-root, [role="alert"], .mantine-InputWrapper-error') !==
        null,
    }));
    const faults = said.toasts
      .filter((text) => DONE.test(text) && !/\bnot\b/.test(text))
      .map((text) => `not saved, and says “${text}”`);
    if (state !== 'slow' && !said.hasFailure) faults.push('not saved, and nothing says so');
    return faults;
  }

  /** Whether "Try again" brings back what was missing, once the call is answered again. */
  private async faultsAfterRetry(missing: readonly string[]): Promise<string[]> {
    this.altered = null;
    for (let tries = 0; tries < 3; tries += 1) {
      const again = this.page
        .getByRole('button', { name: /^Try again/ })
        .filter({ visible: true })
        .first();
      // A closed list has its button when it is opened.
      if ((await again.count()) === 0)
        await this.page
          .locator('input[placeholder="Could not be loaded"]')
          .filter({ visible: true })
          .first()
          .click({ timeout: 500 })
          .catch(() => {});
      await again.click({ timeout: 500 }).catch(() => {});
      await this.settle();
      const { isFailed, own } = await this.page.evaluate(readView);
      // Lists of fields are shown when they are opened only.
      if (!isFailed && missing.some((text) => own.includes(text))) return [];
      if (!isFailed && missing.length === 0) return [];
    }
    return missing.length > 0 ? [`“Try again” does not bring back “${missing[0]}”`] : [];
  }
}

/** The path of a call without the ids in it: the screens show all files and campaigns alike. */
const endpointOf = (url: string) =>
  new URL(url).pathname.replace(/^\/api\//, '').replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/g, ':uuid');

/** A response as it would be without any item in its lists. */
function withoutItems(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      /^(total|count|unread)$/.test(name) && typeof part === 'number' ? 0 : withoutItems(part),
    ]),
  );
}
