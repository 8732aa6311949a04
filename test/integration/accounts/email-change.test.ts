import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { accountAdmin } from '../../../adapters/dynamodb/accounts/account-admin.ts';
import { accountRepository } from '../../../adapters/dynamodb/accounts/account-repository.ts';
import { codeTable } from '../../../adapters/dynamodb/accounts/code-table.ts';
import { emailChangeTable } from '../../../adapters/dynamodb/accounts/email-change-table.ts';
import { counterTable } from '../../../adapters/dynamodb/counter-table.ts';
import { AccountId, Instant } from '../../../contract/fields.ts';
import { requestEmailChange } from '../../../core/accounts/email-change/request-email-change.ts';
import { verifyEmailChange } from '../../../core/accounts/email-change/verify-email-change.ts';
import { newSession } from '../../../core/accounts/sessions/session.ts';
import { requestSignInCode } from '../../../core/accounts/sign-in/request-code.ts';
import { reserveGuess } from '../../../core/accounts/sign-in/wrong-code-limits.ts';
import { instant } from '../../../core/instants.ts';
import { fixedSecret } from '../../fixtures/fixed-secret.ts';
import { MemorySessions } from '../../fixtures/accounts/memory-sessions.ts';
import { localStores, tables } from '../../fixtures/clouds/local-stores.ts';
import { aCaller } from '../../fixtures/projects/a-project.ts';

let stores: Awaited<ReturnType<typeof localStores>>;
beforeAll(async () => {
  stores = await localStores();
});
afterAll(() => stores.close());

const noFacts = { browser: null, os: null, country: null };
const someAddress = () => `${randomUUID()}@example.org`;

/** An account, and a browser in which it is signed in. */
class World {
  now = new Date('2026-03-01T12:00:00.000Z');
  readonly mails: { to: string; kind: string; digits?: string; newEmail?: string }[] = [];
  /** Called before a mail leaves. */
  handOver: (kind: string) => void = () => undefined;
  readonly sessions = new MemorySessions();
  readonly account = aCaller({ id: AccountId.parse(randomUUID()), email: someAddress() }).account;
  readonly session = newSession(this.account.id, noFacts, this.now);
  readonly failures: unknown[] = [];
  readonly accounts = accountRepository(stores.client, tables.accounts);

  allowedEmailDomains: string[] = [];
  invitedEmail = '';

  invited(email: string) {
    const invitation = { email, plan: null, invitedAt: Instant.parse('2026-01-01T00:00:00.000Z') };
    if (email !== this.invitedEmail) return undefined;
    return { ...invitation, expiresAt: Instant.parse('2999-01-01T00:00:00.000Z') };
  }

  async open(): Promise<this> {
    await this.accounts.create(this.account);
    await this.sessions.put('this', this.session);
    await this.sessions.put('other', newSession(this.account.id, noFacts, this.now));
    return this;
  }

  get deps() {
    const mail = (kind: string) => async (to: string, parts: object) => {
      this.handOver(kind);
      this.mails.push({ to, kind, ...parts });
    };
    return {
      accounts: this.accounts,
      // The same key, in a table that these stores have.
      emailChanges: emailChangeTable(stores.client, tables.counters),
      sessions: this.sessions,
      counters: counterTable(stores.client, tables.counters),
      emailChangeMailer: {
        sendCurrentCode: mail('current'),
        sendNewCode: mail('new'),
        sendAddressInUse: async (to: string) => mail('taken')(to, {}),
        sendChanged: mail('changed'),
      },
      codes: codeTable(stores.client, tables.counters),
      mailer: {
        sendCode: async (to: string) => mail('sign-in')(to, {}),
        sendNoSignUp: async (to: string) => mail('no-sign-up')(to, {}),
      },
      signUpPolicy: 'open' as const,
      allowedEmailDomains: this.allowedEmailDomains,
      invitations: { find: async (email: string) => this.invited(email), put: async () => {} },
      codeSecret: fixedSecret('secret'),
      mailsPerHour: 100,
      onFailure: (item: unknown) => this.failures.push(item),
      now: () => this.now,
    };
  }

  async caller(session = this.session) {
    const account = (await this.accounts.get(this.account.id)) ?? this.account;
    const address = `2001:db8:${randomUUID().slice(0, 4)}::1`;
    return { ...aCaller(account), address, session };
  }

  request = async (email: string) => requestEmailChange(this.deps, await this.caller(), { email });

  codes() {
    const last = (kind: string) => this.mails.findLast((mail) => mail.kind === kind)?.digits ?? '';
    return { currentCode: last('current'), newCode: last('new') };
  }

  verify = async (codes = this.codes()) => verifyEmailChange(this.deps, await this.caller(), codes);
  email = async () => (await this.accounts.get(this.account.id))?.email;
}

let world: World;
beforeEach(async () => {
  world = await new World().open();
});
test('where some domains may sign up, an account moves to no other, unless it is invited', async () => {
  world.allowedEmailDomains = ['company.example'];
  await expect(world.request('me@private.example')).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    body: { details: [{ path: 'email' }] },
  });
  expect(world.mails).toEqual([]);
  expect(await world.request('me@COMPANY.example')).toMatchObject({
    newEmail: 'me@company.example',
  });
  world.invitedEmail = 'me@private.example';
  expect(await world.request(world.invitedEmail)).toMatchObject({ newEmail: world.invitedEmail });
});

const other = (digits: string) => (digits === '000000' ? '000001' : '000000');

describe('a change of the e-mail address', () => {
  test('needs the codes of both mailboxes, and ends all other sessions', async () => {
    const { email } = world.account;
    const to = someAddress();
    expect(await world.request(` ${to.toUpperCase()}`)).toEqual({
      currentEmail: email,
      newEmail: to,
      expiresAt: '2026-03-01T12:30:00.000Z',
    });
    expect(world.mails.map((mail) => [mail.kind, mail.to])).toEqual([
      ['new', to],
      ['current', email],
    ]);
    const { currentCode, newCode } = world.codes();
    expect(currentCode).not.toBe(newCode);
    await expect(world.verify({ currentCode: other(currentCode), newCode })).rejects.toMatchObject({
      code: 'OTP_INVALID',
      body: { error: expect.stringContaining(email), attemptsLeft: 4 },
    });
    await expect(world.verify({ currentCode, newCode: other(newCode) })).rejects.toMatchObject({
      code: 'OTP_INVALID',
      body: { error: expect.stringContaining(to) },
    });
    expect(await world.email()).toBe(email);
    expect(await world.verify()).toEqual({ email: to });
    expect([...world.sessions.rows.keys()]).toEqual(['this']);
    expect((await world.accounts.findByEmail(to))?.id).toBe(world.account.id);
    expect(await world.accounts.findByEmail(email)).toBeUndefined();
    expect(world.mails.at(-1)).toMatchObject({ to: email, kind: 'changed', newEmail: to });
    await expect(world.verify()).rejects.toMatchObject({ code: 'OTP_EXPIRED' });
  });

  test('ends with its time', async () => {
    await world.request(someAddress());
    world.now = new Date('2026-03-01T12:30:00.000Z');
    await expect(world.verify()).rejects.toMatchObject({ code: 'OTP_EXPIRED' });
  });

  test('to the address that the account has is refused', async () => {
    await expect(world.request(world.account.email.toUpperCase())).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    expect(world.mails).toEqual([]);
  });

  test('replaces an earlier one, whose codes end', async () => {
    await world.request(someAddress());
    const first = world.codes();
    const second = someAddress();
    await world.request(second);
    await expect(world.verify(first)).rejects.toMatchObject({ code: 'OTP_INVALID' });
    expect(await world.verify()).toEqual({ email: second });
  });

  test('happens once, however often it is sent at the same time', async () => {
    const to = someAddress();
    await world.request(to);
    const results = await Promise.allSettled([world.verify(), world.verify(), world.verify()]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await world.email()).toBe(to);
    expect(world.mails.filter(({ kind }) => kind === 'changed')).toHaveLength(1);
  });

  test('answers the same for an address that has an account; only its mailbox is told', async () => {
    const stranger = await new World().open();
    const answer = await world.request(stranger.account.email);
    expect(answer).toMatchObject({ newEmail: stranger.account.email });
    expect(world.mails.map(({ kind }) => kind)).toEqual(['taken', 'current']);
    await expect(world.verify({ ...world.codes(), newCode: '000000' })).rejects.toMatchObject({
      code: 'OTP_INVALID',
    });
  });

  test('is refused when another account took the address in the meantime', async () => {
    const to = someAddress();
    await world.request(to);
    const thief = { ...world.account, id: AccountId.parse(randomUUID()), email: to };
    await world.accounts.create(thief);
    await expect(world.verify()).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    expect(await world.email()).toBe(world.account.email);
    expect((await world.accounts.findByEmail(to))?.id).toBe(thief.id);
  });

  test.each([
    [
      'deleted',
      (at: ReturnType<typeof instant>) =>
        world.accounts.close(world.account.id, { at, stopToken: '' }),
    ],
    [
      'suspended',
      (at: ReturnType<typeof instant>) =>
        accountAdmin(stores.client, tables.accounts).beginSuspension(world.account.id, at),
    ],
  ])('is refused when the account was %s in the meantime', async (_, end) => {
    await world.request(someAddress());
    const caller = await world.caller();
    await end(instant(world.now));
    await expect(verifyEmailChange(world.deps, caller, world.codes())).rejects.toMatchObject({
      code: 'ACCOUNT_SUSPENDED',
    });
    expect(await world.email()).toBe(world.account.email);
  });

  test('is refused when the address changed in the meantime', async () => {
    await world.request(someAddress());
    const caller = await world.caller();
    const { email: from } = world.account;
    await world.accounts.changeEmail(world.account.id, { from, to: someAddress() });
    await expect(verifyEmailChange(world.deps, caller, world.codes())).rejects.toMatchObject({
      code: 'OTP_EXPIRED',
    });
    await expect(world.verify()).rejects.toMatchObject({ code: 'OTP_EXPIRED' });
  });

  test('begins only when both mails have left', async () => {
    const to = someAddress();
    await world.request(to);
    const codes = world.codes();
    world.handOver = (kind) => {
      if (kind === 'new') throw new Error('the provider is down');
    };
    await expect(world.request(someAddress())).rejects.toThrow('the provider is down');
    expect(await world.verify(codes)).toEqual({ email: to });
  });

  test('is done although the former address cannot be told', async () => {
    const to = someAddress();
    await world.request(to);
    world.handOver = () => {
      throw new Error('the provider is down');
    };
    expect(await world.verify()).toEqual({ email: to });
    expect(world.failures).toEqual([{ kind: 'e-mail change notice' }]);
  });

  test('takes ten wrong codes a day, in however many changes and from wherever', async () => {
    for (let round = 0; round < 2; round += 1) {
      await world.request(someAddress());
      const { currentCode, newCode } = world.codes();
      for (let wrong = 0; wrong < 5; wrong += 1) {
        await expect(
          world.verify({ currentCode: other(currentCode), newCode }),
        ).rejects.toMatchObject({ code: 'OTP_INVALID' });
      }
    }
    await world.request(someAddress());
    await expect(world.verify()).rejects.toMatchObject({
      code: 'OTP_TOO_MANY_ATTEMPTS',
      body: { retryAfterSeconds: 86_400 },
    });
    expect(await world.email()).toBe(world.account.email);
  });

  test('takes five wrong codes for one change', async () => {
    await world.request(someAddress());
    const { currentCode, newCode } = world.codes();
    for (const attemptsLeft of [4, 3, 2, 1, 0]) {
      await expect(world.verify({ currentCode, newCode: other(newCode) })).rejects.toMatchObject({
        code: 'OTP_INVALID',
        body: { attemptsLeft },
      });
    }
    await expect(world.verify()).rejects.toMatchObject({ code: 'OTP_TOO_MANY_ATTEMPTS' });
    const to = someAddress();
    await world.request(to);
    expect(await world.verify()).toEqual({ email: to });
  });

  test('wrong codes use up no tries of another browser, and none for signing in', async () => {
    const thief = await world.caller(newSession(world.account.id, noFacts, world.now));
    for (let round = 0; round < 2; round += 1) {
      await requestEmailChange(world.deps, thief, { email: someAddress() });
      const { currentCode, newCode } = world.codes();
      for (let wrong = 0; wrong < 5; wrong += 1) {
        const sent = { currentCode: other(currentCode), newCode };
        await expect(verifyEmailChange(world.deps, thief, sent)).rejects.toMatchObject({
          code: 'OTP_INVALID',
        });
      }
    }
    const origin = { address: thief.address, email: world.account.email };
    const guess = { ...origin, guesser: { kind: 'others', network: thief.address } } as const;
    const { limits } = await reserveGuess(world.deps.counters, guess, world.now);
    expect(limits.every(({ limit, remaining }) => remaining === limit - 1)).toBe(true);
    const to = someAddress();
    await world.request(to);
    expect(await world.verify()).toEqual({ email: to });
  });

  test('belongs to the browser that asked: another one can neither answer, spoil nor replace it', async () => {
    const to = someAddress();
    await world.request(to);
    const codes = world.codes();
    const thief = await world.caller(newSession(world.account.id, noFacts, world.now));
    for (let wrong = 0; wrong < 6; wrong += 1) {
      await expect(
        verifyEmailChange(world.deps, thief, { ...codes, newCode: other(codes.newCode) }),
      ).rejects.toMatchObject({ code: 'OTP_EXPIRED' });
    }
    await expect(verifyEmailChange(world.deps, thief, codes)).rejects.toMatchObject({
      code: 'OTP_EXPIRED',
    });
    await requestEmailChange(world.deps, thief, { email: someAddress() });
    expect(await world.verify(codes)).toEqual({ email: to });
    await expect(verifyEmailChange(world.deps, thief, world.codes())).rejects.toMatchObject({
      code: 'OTP_EXPIRED',
    });
    expect(await world.email()).toBe(to);
  });

  test('of any number of accounts to one address uses up no mail with which its owner signs in', async () => {
    const owner = await world.caller();
    const { email } = owner.account;
    const strangers = await Promise.all([1, 2, 3, 4].map(() => new World().open()));
    const outcomes = [];
    for (const stranger of strangers) {
      const deps = { ...stranger.deps, mailsPerHour: 3 };
      const change = requestEmailChange(deps, await stranger.caller(), { email });
      outcomes.push(await change.then(() => 'sent').catch(({ code }) => code));
    }
    expect(outcomes).toEqual(['sent', 'sent', 'sent', 'RATE_LIMITED']);
    for (let mails = 0; mails < 3; mails += 1) {
      const deps = { ...world.deps, mailsPerHour: 3 };
      const { data } = await requestSignInCode(deps, owner, { email, resend: true });
      expect(data.sent).toBe(true);
      world.now = new Date(world.now.getTime() + 61_000);
    }
  });

  test('mails no address more often than a sign-in does', async () => {
    const deps = { ...world.deps, mailsPerHour: 1 };
    const caller = await world.caller();
    const to = someAddress();
    await requestEmailChange(deps, caller, { email: to });
    const again = requestEmailChange(deps, caller, { email: to });
    await expect(again).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(world.mails).toHaveLength(2);
  });
});
