import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KeyId, ProjectId } from '../../../../contract/fields.ts';
import { dashboardKey, type NamedKey } from '../../../../core/accounts/api-key.ts';
import { deleteKey } from '../../../../core/accounts/manage-keys.ts';
import { changeOf } from '../../../../core/projects/change.ts';
import { unlimited } from '../../../../core/projects/quota.ts';
import { servingRecord } from '../../../../core/projects/serving.ts';
import { viewLink } from '../../../../core/projects/view-link.ts';
import { entrantOf } from '../../../../core/visit/access-token.ts';
import { redeemOwnerLink } from '../../../../core/visit/owner-link.ts';
import { aCaller, aProject, aVersion } from '../../../fixtures/a-project.ts';
import { now as start } from '../../../fixtures/a-site.ts';
import type { Turn } from '../../../fixtures/memory-tries.ts';

const accessSecret = 'a secret of a test';
const { account } = aCaller();

/** One private project of an owner with two keys, over stores that others come in between. */
class House {
  at = start;
  project = aProject({ access: 'private', ownerId: account.id });
  readonly keys = new Map<string, NamedKey>();
  isDown = false;
  readonly #ids = new Map<string, KeyId>();
  readonly #noted = new Map<KeyId, Set<ProjectId>>();
  readonly #used = new Set<string>();
  readonly #turn: Turn;

  constructor(turn: Turn = async () => undefined) {
    this.#turn = turn;
    for (const name of ['one', 'two']) {
      const key = dashboardKey(account.id, `sw_live_${name}`, name, start);
      this.keys.set(name, key);
      this.#ids.set(name, key.id);
    }
  }

  get site() {
    return servingRecord(this.project, aVersion());
  }

  /** Whether a cookie lets its holder in as the owner now. */
  lets(cookie: string): boolean {
    return entrantOf(accessSecret, cookie, this.site, this.at) === 'owner';
  }

  async link(keyHash: string): Promise<string | undefined> {
    const key = this.keys.get(keyHash);
    if (key === undefined) return undefined;
    const caller = { ...aCaller(), account, key, credential: { kind: 'key', keyHash } as const };
    const { url } = await viewLink(this.#deps, caller, { projectId: this.project.id });
    return url.split('/').at(-1);
  }

  async redeem(token: string): Promise<string | undefined> {
    const outcome = await redeemOwnerLink(this.#deps, { host: this.project.host, token });
    return outcome.kind === 'redeemed' ? outcome.token : undefined;
  }

  async deleteKey(keyHash: string): Promise<void> {
    const keyId = this.#ids.get(keyHash) ?? '';
    await deleteKey(this.#deps, { ...aCaller(), account }, { keyId });
  }

  change(fields: Parameters<typeof changeOf>[1]['fields']): void {
    const next = { fields, live: aVersion(), limits: unlimited };
    this.project = changeOf(this.project, next, this.at).after;
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
        version: () => soon(() => aVersion()),
      },
      sites: { get: () => soon(() => this.site) },
      owned: {
        change: (change: ReturnType<typeof changeOf>) =>
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
        take: (key: string) =>
          soon(() => {
            const rule = { limit: 1, windowSeconds: 600 };
            if (this.#used.has(key)) {
              return { taken: false as const, rule, retryAfterSeconds: 1, limits: [] };
            }
            this.#used.add(key);
            return { taken: true as const, limits: [] };
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

/** What ends whatever was made before it. */
const ending = new Set(['password', 'public', 'private', 'day']);

test('point 12, sequences: a link lets in once, and nobody after what ends it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.infiniteStream(fc.nat(99)),
      async (steps, random) => {
        const house = new House();
        const links: string[] = [];
        let alive: { cookie: string; by: string }[] = [];
        const over: string[] = [];
        const makers = new Map<string, string>();
        const redeemed = new Set<string>();
        for (const name of steps) {
          const [what = '', key = ''] = name.split(' ');
          if (what === 'link') {
            const link = await house.link(key);
            if (link !== undefined) links.push(link);
            if (link !== undefined) makers.set(link, key);
          }
          if (what === 'redeem' && links.length > 0) {
            const link = links[random.next().value % links.length] ?? '';
            const cookie = await house.redeem(link);
            if (cookie === undefined) continue;
            expect(redeemed.has(link)).toBe(false);
            redeemed.add(link);
            alive.push({ cookie, by: makers.get(link) ?? '' });
          }
          const before = house.project;
          // A second time it is unknown.
          if (what === 'delete') await house.deleteKey(key).catch(() => undefined);
          if (what === 'password')
            house.change({
              access: 'password',
              passwordHash: `hash ${random.next().value} ${over.length}`,
            });
          if (what === 'public') house.change({ access: 'public', passwordHash: null });
          if (what === 'private') house.change({ access: 'private', passwordHash: null });
          if (what === 'title') house.change({ title: 'Another' });
          if (what === 'minute') house.at = new Date(house.at.getTime() + 60_000);
          if (what === 'day') house.at = new Date(house.at.getTime() + 86_400_000);
          const isChanged =
            before.access !== house.project.access ||
            before.passwordHash !== house.project.passwordHash;
          const ends = (by: string) =>
            what === 'day' || (ending.has(what) && isChanged) || (what === 'delete' && by === key);
          over.push(...alive.filter(({ by }) => ends(by)).map(({ cookie }) => cookie));
          alive = alive.filter(({ by }) => !ends(by));
          for (const cookie of over) expect(house.lets(cookie)).toBe(false);
          // A deleted key ends the access to what it made links for, by whatever key.
          if (what === 'delete') alive = alive.filter(({ cookie }) => house.lets(cookie));
          for (const { cookie } of alive) expect(house.lets(cookie)).toBe(true);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('point 12, interleavings: once a key is deleted nobody is in by a link that it made', async () => {
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
    { numRuns: 300 },
  );
});

test('what was cut off when a key was deleted is finished by deleting it once more', async () => {
  const house = new House();
  const cookie = (await house.redeem((await house.link('one')) ?? '')) ?? '';
  house.isDown = true;
  await expect(house.deleteKey('one')).rejects.toThrow('no database');
  expect(house.keys.has('one')).toBe(false);
  house.isDown = false;
  await expect(house.deleteKey('one')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(house.lets(cookie)).toBe(false);
});
