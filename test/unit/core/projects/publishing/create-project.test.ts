import { expect, test } from '@jest/globals';
import { defaultPlans } from '../../../../../contract/plans.ts';
import { createProject } from '../../../../../core/projects/publishing/create-project.ts';
import { aCaller } from '../../../../fixtures/projects/a-project.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';

/** A store in which other projects hold every address. */
const deps: any = {
  projects: {
    checkAvailability: async () => 'available',
    createIntent: async () => undefined,
    seizeIntent: async () => true,
    deleteIntent: async () => undefined,
  },
  owned: { change: async () => 'slug-taken' },
  content: { put: async () => undefined, deletePrefix: async () => undefined },
  addresses: { hostOf: (slug: string) => `${slug}.sites.example.net` },
  plans: defaultPlans,
  counters: { count: async () => 1 },
  brand: 'Slipway',
  onFailure: (_: unknown, error: unknown) => {
    throw error;
  },
  now: () => now,
};

test.each([
  ['the chosen address', 'harbour', 'The address is taken: harbour.'],
  ['every address from the title', undefined, 'All addresses made from the title are taken.'],
])('a create is refused when %s is taken', async (_, slug, error) => {
  const files = [{ name: 'index.html', bytes: Buffer.from('<p>Harbour</p>') }];
  const input: any = { files, title: 'Harbour', access: 'public', slug };
  const create = createProject(deps, aCaller(), input);
  await expect(create).rejects.toMatchObject({ code: 'SLUG_TAKEN', fields: { error } });
});
