import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KeyId, ProjectId } from '../../../../../contract/fields.ts';
import { newDashboardKey, type ListedKey } from '../../../../../core/accounts/keys/api-key.ts';
import { deleteKey } from '../../../../../core/accounts/keys/manage-keys.ts';
import { buildChange } from '../../../../../core/projects/change/project-change.ts';
import { unlimited } from '../../../../../core/projects/quota.ts';
import { buildServingRecord } from '../../../../../core/projects/build-serving-record.ts';
import { createViewLink } from '../../../../../core/projects/addresses/create-owner-link.ts';
import { instant } from '../../../../../core/instants.ts';
import { fixedSecret } from '../../../../fixtures/fixed-secret.ts';
import { viewerRoleOf } from '../../../../../core/visit/access/access-token.ts';
import { redeemOwnerLink } from '../../../../../core/visit/access/owner-link.ts';
import { aCaller, aProject, aVersion } from '../../../../fixtures/projects/a-project.ts';
import { noRoots, now as start } from '../../../../fixtures/visits/a-site.ts';
import type { Turn } from '../../../../fixtures/visits/memory-tries.ts';
import { proofSize } from '../../../../fixtures/proof-size.ts';
import { MemorySessions } from '../../../../fixtures/accounts/memory-sessions.ts';

const accessSecret = fixedSecret('a secret of a test');
const { account } = aCaller();

/** One private project of an owner with two keys, over stores that others come in between. */
class House {
  at = start;
  project = aProject({ access: 'private', ownerId: account.id });
  readonly keys = new Map<string, ListedKey>();
  isDown = false;
  readonly #ids = new Map<string, KeyId>();
  readonly #noted = new Map<KeyId, Set<ProjectId>>();
  readonly #used = new Set<string>();
  readonly #turn: Turn;

  constructor(turn: Turn = async () => undefined) {
    this.#turn = turn;
    for (const name of ['one', 'two']) {
      const key = newDashboardKey(account.id, `sw_live_${name}`, { name }, start);
      this.keys.set(name, key);
      this.#ids.set(name, key.id);
    }
  }

  get site() {
    return buildServingRecord(this.project, aVersion());
  }

  /** Whether a cookie lets its holder in as the owner now. */
  lets(cookie: string): boolean {
    return viewerRoleOf(accessSecret, cookie, this.site, this.at) === 'owner';
  }

  async link(keyHash: string): Promise<string | undefined> {
    const key = this.keys.get(keyHash);
    if (key === undefined) return undefined;
    const caller = { ...aCaller(), account, key, credential: { kind: 'key', keyHash } as const };
    const { url } = await createViewLink(this.#deps, caller, { projectId: this.project.id });
    return url.split('/').at(-1);
  }

  async redeem(token: string): Promise<string | undefined> {
    const outcome = await redeemOwnerLink(this.#deps, {
      host: this.project.host,
      domainId: null,
      token,
    });
    return outcome.kind === 'redeemed' ? outcome.token : undefined;
  }

  async deleteKey(keyHash: string): Promise<void> {
    const keyId = this.#ids.get(keyHash) ?? '';
    await deleteKey(this.#deps, { ...aCaller(), account }, { keyId });
  }

  change(fields: Parameters<typeof buildChange>[1]['fields']): void {
    const next = { fields, live: aVersion(), limits: unlimited };
    this.project = buildChange(this.project, next, this.at).after;
  }

  get #deps() {
    const soon = async <T>(read: () => T): Promise<T> => {
      await this.#turn();
      return read();
    };
    return {
      accessSecret,
      keyPrefix: 'sw',
      addresses: { siteUrl: (host: string) => `https://${host}` },
      onFailure: () => undefined,
      now: () => this.at,
      projects: {
        get: () => soon(() => this.project),
        getVersion: () => soon(() => aVersion()),
      },
      roots: noRoots,
      sites: { get: () => soon(() => this.site) },
      owned: {
        change: (change: ReturnType<typeof buildChange>) =>
          soon(() => {
            if (this.isDown) throw new Error('no database');
            if (change.before?.revision !== this.project.revision) return 'lost' as const;
            this.project = change.after;
            return 'changed' as const;
          }),
      },
      ownerAccess: {
        note: ({ keyId, projectId }: { keyId: KeyId; projectId: ProjectId }) =>
          soon(() => {
            this.#noted.set(keyId, new Set([...(this.#noted.get(keyId) ?? []), projectId]));
          }),
        list: (_: unknown, keyId: KeyId) => soon(() => [...(this.#noted.get(keyId) ?? [])]),
      },
      sessions: new MemorySessions(),
      keys: {
        find: (keyHash: string) => soon(() => this.keys.get(keyHash)),
        put: async () => undefined,
        putWithin: async () => true,
        noteUse: async () => true,
        list: async () => [...this.keys.values()],
        remove: (_: unknown, keyId: KeyId) =>
          soon(() => {
            const [name] = [...this.keys].find(([, { id }]) => id === keyId) ?? [];
            return name !== undefined && this.keys.delete(name);
          }),
      },
      counters: {
        reserve: (key: string) =>
          soon(() => {
            const rule = { limit: 1, windowSeconds: 600 };
            if (this.#used.has(key)) {
              return { reserved: false as const, rule, retryAfterSeconds: 1, limits: [] };
            }
            this.#used.add(key);
            return { reserved: true as const, limits: [] };
          }),
      },
    };
  }
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('link one', 'link two') },
  { weight: 5, arbitrary: fc.constant('redeem') },
  { weight: 1, arbitrary: fc.constantFrom('delete one', 'password', 'public', 'private', 'title') },
  { weight: 1, arbitrary: fc.constantFrom('minute', 'day') },
);

/** A sequence of steps, and the cookies that came of it: those that let in, and those that must not any more. */
class Sequence {
  readonly house = new House();
  readonly #links: { token: string; by: string; isUsed: boolean }[] = [];
  #alive: { cookie: string; by: string }[] = [];
  readonly #over: string[] = [];
  #count = 0;

  async run(name: string, random: number): Promise<void> {
    const [what = '', key = ''] = name.split(' ');
    const before = this.house.project;
    this.#count += 1;
    if (what === 'link') await this.#link(key);
    else if (what === 'redeem') await this.#redeem(random);
    // A second time the key is unknown.
    else if (what === 'delete') await this.house.deleteKey(key).catch(() => undefined);
    else this.#change(what);
    const { access, passwordHash } = this.house.project;
    const isChanged = before.access !== access || before.passwordHash !== passwordHash;
    this.#end(({ by }) => what === 'day' || isChanged || (what === 'delete' && by === key));
    // A deleted key ends the access to what it made links for, by whatever key.
    if (what === 'delete') this.#end(({ cookie }) => !this.house.lets(cookie));
    for (const cookie of this.#over) expect(this.house.lets(cookie)).toBe(false);
    for (const { cookie } of this.#alive) expect(this.house.lets(cookie)).toBe(true);
  }

  async #link(by: string): Promise<void> {
    const token = await this.house.link(by);
    if (token !== undefined) this.#links.push({ token, by, isUsed: false });
  }

  async #redeem(random: number): Promise<void> {
    const link = this.#links[random % Math.max(1, this.#links.length)];
    const cookie = link && (await this.house.redeem(link.token));
    if (link === undefined || cookie === undefined) return;
    expect(link.isUsed).toBe(false);
    link.isUsed = true;
    this.#alive.push({ cookie, by: link.by });
  }

  #change(what: string): void {
    const { house } = this;
    const passwordHash = `hash ${this.#count}`;
    if (what === 'password') house.change({ access: 'password', passwordHash });
    if (what === 'public') house.change({ access: 'public', passwordHash: null });
    if (what === 'private') house.change({ access: 'private', passwordHash: null });
    if (what === 'title') house.change({ title: 'Another' });
    const seconds = { minute: 60, day: 86_400 }[what] ?? 0;
    house.at = new Date(house.at.getTime() + seconds * 1000);
  }

  #end(isOver: (one: { cookie: string; by: string }) => boolean): void {
    this.#over.push(...this.#alive.filter(isOver).map(({ cookie }) => cookie));
    this.#alive = this.#alive.filter((one) => !isOver(one));
  }
}

test('sequences: a link works once, and not after an event that ends it', async () => {
  const steps = fc.array(fc.tuple(step, fc.nat(99)), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const sequence = new Sequence();
      for (const [name, random] of all) await sequence.run(name, random);
    }),
    { numRuns: proofSize({ short: 50, whole: 200 }) },
  );
});

test('neither a link nor its cookie outlives the end that its key was made with', async () => {
  const house = new House();
  const key = house.keys.get('one');
  const after = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
  if (key !== undefined) house.keys.set('one', { ...key, expiresAt: instant(after(60)) });
  const cookie = (await house.redeem((await house.link('one')) ?? '')) ?? '';
  house.at = after(59);
  expect(house.lets(cookie)).toBe(true);
  const late = (await house.link('one')) ?? '';
  house.at = after(60);
  expect([house.lets(cookie), await house.redeem(late)]).toEqual([false, undefined]);
  const ofOther = (await house.redeem((await house.link('two')) ?? '')) ?? '';
  house.at = after(60 + 23 * 60);
  expect(house.lets(ofOther)).toBe(true);
});

test('interleavings: after a key is deleted, no link that it created gives access', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const house = new House(() => scheduler.schedule(Promise.resolve()));
      const cookies: string[] = [];
      const enter = async () => {
        const link = await house.link('one').catch(() => undefined);
        if (link === undefined) return;
        const both = await Promise.all([house.redeem(link), house.redeem(link)]);
        const got = both.filter((cookie) => cookie !== undefined);
        expect(got.length).toBeLessThanOrEqual(1);
        cookies.push(...got);
      };
      await scheduler.waitFor(Promise.all([enter(), enter(), house.deleteKey('one'), enter()]));
      for (const cookie of cookies) expect(house.lets(cookie)).toBe(false);
    }),
    { numRuns: proofSize({ short: 60, whole: 300 }) },
  );
});

test('a repeated deletion of a key completes an interrupted one', async () => {
  const house = new House();
  const cookie = (await house.redeem((await house.link('one')) ?? '')) ?? '';
  house.isDown = true;
  await expect(house.deleteKey('one')).rejects.toThrow('no database');
  expect(house.keys.has('one')).toBe(false);
  house.isDown = false;
  await expect(house.deleteKey('one')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(house.lets(cookie)).toBe(false);
});
