import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { AccountId } from '../../../../contract/fields.ts';
import type { Credential } from '../../../../core/accounts/keys/credential.ts';
import { CodedError } from '../../../../core/errors.ts';
import { GrantId } from '../../../../core/oauth/grant.ts';
import {
  createUploadLink,
  deleteUploadLink,
  listUploadLinks,
} from '../../../../core/upload-links/manage-upload-links.ts';
import { findUsableLink } from '../../../../core/upload-links/find-usable-link.ts';
import { linkSeconds, lockEnd } from '../../../../core/upload-links/upload-link.ts';
import { aCaller, ownerId } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';
import { MemoryUploadLinks } from '../../../fixtures/uploads/memory-upload-links.ts';
import { addresses } from '../../../../core/projects/addresses/addresses.ts';
import { defaultPlans } from '../../../../contract/plans.ts';
import { proofSize } from '../../../fixtures/proof-size.ts';
import { hashSecretText } from '../../../../core/secret-text.ts';

const guest = { address: '192.0.2.9', requestId: 'guest' };
const grantId = GrantId.parse('9a112f1a-6f0c-4e1c-8c39-0b7e5f604c1a');
const credentials: Credential[] = [
  { kind: 'key', keyHash: 'first' },
  { kind: 'key', keyHash: 'second' },
  { kind: 'app', grantId },
];

/** An account with two keys and an app, which can be taken away, and its links. */
class World {
  readonly links = new MemoryUploadLinks();
  readonly living = new Set(credentials.map(({ kind }, n) => `${kind}${n}`));
  at = now;
  readonly deps: any = {
    links: this.links,
    accounts: { get: async () => aCaller().account },
    keys: { find: async (hash: string) => this.#key(hash) },
    grants: {
      find: async ({ accountId }: { accountId: AccountId }) =>
        this.living.has('app2') && accountId === ownerId
          ? { clientName: 'An app', expiresAt: '9999-01-01T00:00:00.000Z' }
          : undefined,
    },
    projects: { get: async () => undefined },
    addresses: addresses('https://app.test', 'sites.test'),
    plans: defaultPlans,
    now: () => this.at,
  };

  async make(which: number): Promise<string> {
    const { credential } = aCaller();
    const caller = { ...aCaller(), credential: credentials[which] ?? credential };
    const { uploadUrl } = await createUploadLink(this.deps, caller, {});
    return uploadUrl.split('/').at(-1) ?? '';
  }

  async works(token: string): Promise<boolean> {
    try {
      await findUsableLink(this.deps, guest, { token });
      return true;
    } catch (error) {
      if (error instanceof CodedError && error.code === 'UPLOAD_LINK_NOT_FOUND') return false;
      throw error;
    }
  }

  #key(hash: string) {
    const n = hash === 'first' ? 0 : 1;
    if (!this.living.has(`key${n}`)) return undefined;
    return { accountId: ownerId, name: hash, expiresAt: null };
  }
}

type Step =
  | { do: 'make'; which: number }
  | { do: 'take away'; which: number }
  | { do: 'delete'; nth: number }
  | { do: 'use'; nth: number }
  | { do: 'wait'; seconds: number };

const which = fc.nat({ max: 2 });
const nth = fc.nat({ max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('make' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('take away' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('use' as const), nth }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      seconds: fc.constantFrom(1, linkSeconds - 1, linkSeconds),
    }),
  },
);

test('over any sequence a link works, and is listed, until its credential, its owner, its use or its expiry ends it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const world = new World();
      const made: { token: string; which: number; endsAt: number; isOver: boolean }[] = [];
      for (const one of steps) await take(world, made, one);
      const expected = made.filter(
        (link) =>
          !link.isOver &&
          link.endsAt > world.at.getTime() &&
          world.living.has(link.which === 2 ? 'app2' : `key${link.which}`),
      );
      for (const link of made) expect(await world.works(link.token)).toBe(expected.includes(link));
      const { uploadLinks } = await listUploadLinks(world.deps, aCaller());
      const ids = expected.map(({ token }) => world.links.rows.get(hashSecretText(token))?.id);
      expect(new Set(uploadLinks.map(({ id }) => id))).toEqual(new Set(ids));
      expect(uploadLinks).toHaveLength(ids.length);
      expect(JSON.stringify(uploadLinks)).not.toContain('token');
    }),
    { numRuns: proofSize({ short: 60, whole: 300 }) },
  );
});

async function take(
  world: World,
  made: { token: string; which: number; endsAt: number; isOver: boolean }[],
  one: Step,
) {
  switch (one.do) {
    case 'make': {
      const endsAt = world.at.getTime() + linkSeconds * 1000;
      made.push({ token: await world.make(one.which), which: one.which, endsAt, isOver: false });
      return;
    }
    case 'take away':
      world.living.delete(one.which === 2 ? 'app2' : `key${one.which}`);
      return;
    case 'wait':
      world.at = new Date(world.at.getTime() + one.seconds * 1000);
      return;
    case 'delete':
    case 'use': {
      const link = made[one.nth];
      if (link === undefined || link.isOver) return;
      await end(world, hashSecretText(link.token), one.do);
      link.isOver = true;
    }
  }
}

async function end(world: World, hash: string, how: 'delete' | 'use') {
  const id = world.links.rows.get(hash)?.id ?? '';
  if (how === 'delete') await deleteUploadLink(world.deps, aCaller(), { id });
  else if (await world.links.lock(hash, world.at.toISOString(), lockEnd(world.at)))
    await world.links.markUsed(hash, undefined, null);
}

test('a link whose request was cut off ends a minute later, and says so', async () => {
  const world = new World();
  const token = await world.make(0);
  await world.links.lock(hashSecretText(token), now.toISOString(), lockEnd(now));
  const seen = async (seconds: number) => {
    world.at = new Date(now.getTime() + seconds * 1000);
    const { uploadLinks } = await listUploadLinks(world.deps, aCaller());
    const refusal = await findUsableLink(world.deps, guest, { token }).catch(
      (error: Error) => error,
    );
    return [uploadLinks.length, String(refusal)];
  };
  expect(await seen(59)).toEqual([1, expect.stringContaining('is being used')]);
  expect(await seen(60)).toEqual([0, expect.stringContaining('was cut off')]);
});

test('ids of links are UUIDs that sort by age', async () => {
  const world = new World();
  await world.make(0);
  world.at = new Date(now.getTime() + 1);
  await world.make(0);
  world.at = new Date(now.getTime() + 86_000_000);
  await world.make(2);
  const { uploadLinks } = await listUploadLinks(world.deps, aCaller());
  expect(uploadLinks.map(({ madeBy }) => madeBy.name)).toEqual(['An app', 'first', 'first']);
  const [newest, , oldest] = uploadLinks;
  expect([newest?.createdAt, oldest?.createdAt]).toEqual([
    new Date(now.getTime() + 86_000_000).toISOString(),
    now.toISOString(),
  ]);
  expect(newest?.id).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test.each([['another account’s'], ['no id']])('%s link cannot be deleted', async (name) => {
  const world = new World();
  await world.make(0);
  const [row] = [...world.links.rows.values()];
  const other = aCaller();
  const caller = {
    ...other,
    account: { ...other.account, id: '11111111-1111-4111-8111-111111111111' as AccountId },
  };
  const id = name === 'no id' ? 'x' : String(row?.id);
  await expect(deleteUploadLink(world.deps, caller, { id })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(world.links.rows.size).toBe(1);
});
