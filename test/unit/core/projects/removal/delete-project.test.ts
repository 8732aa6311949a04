import { expect, test } from '@jest/globals';
import { AccountId } from '../../../../../contract/fields.ts';
import { plusSeconds } from '../../../../../core/instants.ts';
import {
  addressAvailability,
  formerAddress,
} from '../../../../../core/projects/addresses/address-availability.ts';
import { deleteProject } from '../../../../../core/projects/removal/delete-project.ts';
import type { Removal } from '../../../../../core/projects/removal/removal.ts';
import { aCaller, aProject } from '../../../../fixtures/projects/a-project.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';

const project = aProject();
const stranger = AccountId.parse('00000000-0000-4000-8000-000000000002');

/** Deletes the same project again and again, and tells who may have its address a minute later. */
function world() {
  const removals: Removal[] = [];
  const counted = new Map<string, number>();
  const deps: any = {
    projects: { get: async () => project },
    owned: { beginRemoval: async (removal: Removal) => !!removals.push(removal) },
    edge: { purgeAfterDelay: async () => undefined },
    deleted: { listByAccount: async () => ({ deleted: [] }) },
    plans: { pro: { maxStorageBytes: -1 } },
    counters: {
      count: async (key: string, seconds: number) => {
        const name = `${key} ${seconds}`;
        counted.set(name, (counted.get(name) ?? 0) + 1);
        return counted.get(name);
      },
    },
    keptDays: 30,
    onFailure: (_: unknown, error: unknown) => {
      throw error;
    },
    now: () => now,
  };
  const remove = async (caller = aCaller()) => {
    await deleteProject(deps, caller, { projectId: project.id });
    const holder = formerAddress(project, removals.at(-1) as Removal);
    const { slug } = project;
    const availableTo = (accountId: AccountId) =>
      addressAvailability(holder, { slug, accountId }, plusSeconds(now, 60));
    return { owner: availableTo(caller.account.id), other: availableTo(stranger) };
  };
  return { remove, counted };
}

test('the first hundred addresses that an account leaves in a day stay reserved for it', async () => {
  const { remove, counted } = world();
  for (let count = 1; count <= 100; count += 1) {
    const left = await remove();
    expect([left.owner.kind, left.other.kind]).toEqual(['available', 'reserved']);
  }
  expect([...counted]).toEqual([[`left-addresses#${aCaller().account.id} 86400`, 100]]);
});

test('those beyond are free for everybody, and still known as left by it', async () => {
  const { remove } = world();
  for (let count = 1; count <= 100; count += 1) await remove();
  const { owner, other } = await remove();
  expect(owner).toMatchObject({ kind: 'available', history: { handedOverAt: null } });
  // Browsers of the former site's visitors are cleared.
  expect(other).toMatchObject({
    kind: 'available',
    history: { handedOverAt: '2026-03-01T12:01:00.000Z' },
  });
});
