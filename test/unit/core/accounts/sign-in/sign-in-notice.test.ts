import { describe, expect, test } from '@jest/globals';
import { defaultPlans } from '../../../../../contract/plans.ts';
import { makeDigits } from '../../../../../core/accounts/sign-in/code-secrets.ts';
import { newCode } from '../../../../../core/accounts/sign-in/sign-in-code.ts';
import { verifySignInCode } from '../../../../../core/accounts/sign-in/verify-code.ts';
import { openWebSession } from '../../../../../core/accounts/sessions/web-session.ts';
import type { Caller } from '../../../../../core/caller.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';
import {
  MemoryKnownBrowsers,
  MemorySessions,
} from '../../../../fixtures/accounts/memory-sessions.ts';
import { fixedSecret } from '../../../../fixtures/fixed-secret.ts';

const email = 'owner@example.org';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const day = 86_400_000;

/** A service that everybody may sign up to, whose codes are right when they are `good`. */
class World {
  readonly notified: unknown[] = [];
  readonly failures: unknown[] = [];
  readonly accounts = new Map<string, any>();
  at = now;
  readonly deps: any = {
    codes: {
      read: async () => ({ code: this.currentCode() }),
      change: async (_: string, decide: any) => decide({ code: this.currentCode() }).result,
    },
    counters: {
      reserve: async () => ({
        reserved: true,
        limits: [{ limit: 1, remaining: 1, resetSeconds: 1 }],
      }),
      release: async () => undefined,
    },
    accounts: {
      findByEmail: async (address: string) => this.accounts.get(address),
      create: async (account: any) => {
        this.accounts.set(account.email, account);
        return account;
      },
    },
    codeSecret: fixedSecret('secret'),
    defaultPlan: 'free',
    trialDays: 7,
    signUpPolicy: 'open',
    allowedEmailDomains: [],
    invitations: { find: async () => undefined, put: async () => undefined },
    plans: defaultPlans,
    keyPrefix: 'sw',
    keys: { put: async () => undefined },
    sessions: new MemorySessions(),
    knownBrowsers: new MemoryKnownBrowsers(),
    notices: { notify: async (...notice: unknown[]) => this.notified.push(notice) },
    onFailure: (item: unknown) => this.failures.push(item),
    now: () => this.at,
  };
  private readonly code = newCode(fixedSecret('secret'), now);

  /** A day later, somebody signs in with a browser that says so. */
  async open(browserToken?: string, country = 'DE') {
    this.at = new Date(this.at.getTime() + day);
    const agent = { userAgent: firefox, country, browserToken };
    return openWebSession(this.deps, this.caller(agent), this.proof());
  }

  proof() {
    return { email, code: makeDigits(fixedSecret('secret'), { email, nonce: this.code.nonce }) };
  }

  private currentCode() {
    return { ...newCode(fixedSecret('secret'), this.at), nonce: this.code.nonce };
  }

  caller(agent: Caller['agent']): any {
    return { address: '192.0.2.1', requestId: 'r', agent };
  }
}

describe('a mail for a sign-in', () => {
  test('is sent for a new browser, and neither for a known one nor for the one that created the account', async () => {
    const world = new World();
    const { browserToken } = await world.open();
    await world.open(browserToken);
    expect(world.notified).toEqual([]);
    const other = await world.open(undefined, 'FR');
    const at = world.at.toISOString();
    expect(world.notified).toEqual([
      [email, { granted: 'session', at, browser: 'Firefox', os: 'Linux', country: 'FR' }],
    ]);
    await world.open(other.browserToken);
    await world.open(browserToken);
    expect(world.notified).toHaveLength(1);
  });

  test.each([['x'], ['a'.repeat(43)], ['a'.repeat(5000)], ['../../etc']])(
    'is sent for a browser that sends %.10s as its token',
    async (token) => {
      const world = new World();
      await world.open();
      const { browserToken } = await world.open(token);
      expect(browserToken).toMatch(/^[\w-]{43}$/);
      expect(world.notified).toHaveLength(1);
    },
  );

  test('is sent again for a browser that did not sign in for 400 days', async () => {
    const world = new World();
    const { browserToken } = await world.open();
    world.at = new Date(world.at.getTime() + 398 * day);
    await world.open(browserToken);
    expect(world.notified).toHaveLength(0);
    world.at = new Date(world.at.getTime() + 400 * day);
    await world.open(browserToken);
    expect(world.notified).toHaveLength(1);
  });

  test('is sent for a key, unless its sign-in created the account', async () => {
    const world = new World();
    const caller = world.caller({
      userAgent: 'curl/8.5.0',
      country: 'xx',
      browserToken: undefined,
    });
    await verifySignInCode(world.deps, caller, world.proof());
    expect(world.notified).toEqual([]);
    world.at = new Date(now.getTime() + 1);
    await verifySignInCode(world.deps, caller, world.proof());
    const [[, notice]] = world.notified as [[string, object]];
    expect(notice).toMatchObject({ granted: 'key', os: null, country: null });
  });

  test('that cannot be sent, or a browser that cannot be stored, does not prevent the sign-in', async () => {
    const world = new World();
    await world.open();
    world.deps.notices.notify = async () => {
      throw new Error('no mail');
    };
    expect((await world.open()).token).toMatch(/^[\w-]{43}$/);
    world.deps.knownBrowsers.remember = async () => {
      throw new Error('no table');
    };
    const { token, browserToken } = await world.open();
    expect([token.length, browserToken]).toEqual([43, undefined]);
    expect(world.failures).toEqual([
      { kind: 'sign-in notice' },
      { kind: 'known browser' },
      { kind: 'sign-in notice' },
    ]);
  });
});
