import { expect, test } from '@jest/globals';
import { addresses } from '../../../../../core/projects/addresses/addresses.ts';
import type { Project } from '../../../../../core/projects/project.ts';
import { mailAlert } from '../../../../../core/visit/access/wrong-tries.ts';
import { aCaller, aProject } from '../../../../fixtures/projects/a-project.ts';
import { now } from '../../../../fixtures/visits/a-site.ts';

const { account } = aCaller();
const protectedProject = aProject({ access: 'password', ownerId: account.id });

/** An owner, and the alerts of one project that come for them. */
function aWorld(project: Project | undefined = protectedProject) {
  const mails: string[] = [];
  const keys = new Set<string>();
  let ofDay = 0;
  const world = {
    mails,
    isMailDown: false,
    alert: (at = now) =>
      mailAlert(
        {
          projects: { get: async () => project },
          accounts: { get: async () => account },
          counters: {
            count: async (_key, _seconds, _now, events = 1) => (ofDay += events),
            reserve: async (key, rules) => {
              const [rule = { limit: 0, windowSeconds: 0 }] = rules;
              if (keys.has(key)) return { reserved: false, rule, retryAfterSeconds: 1, limits: [] };
              keys.add(key);
              return { reserved: true, limits: [] };
            },
            release: async (key) => void keys.delete(key),
          },
          addresses: addresses('https://app.test', 'sites.test'),
          alertMailer: {
            sendAlert: async (email, { title, url }) => {
              if (world.isMailDown) throw new Error('no mail');
              mails.push(`${email} ${title} ${url}`);
            },
          },
          now: () => now,
        },
        {
          kind: 'password-alert',
          projectId: protectedProject.id,
          ownerId: account.id,
          since: now.toISOString(),
          at: at.toISOString(),
        },
      ),
  };
  return world;
}

test('an alert is mailed once, even if it is delivered several times', async () => {
  const world = aWorld();
  await Promise.all([world.alert(), world.alert()]);
  await world.alert();
  const { title, host } = protectedProject;
  expect(world.mails).toEqual([`${account.email} ${title} https://${host}`]);
});

test('one that could not be mailed is mailed at the next delivery', async () => {
  const world = aWorld();
  world.isMailDown = true;
  await expect(world.alert()).rejects.toThrow('no mail');
  world.isMailDown = false;
  await world.alert();
  expect(world.mails).toHaveLength(1);
});

test('an account gets five mails in a day, whatever its projects are', async () => {
  const world = aWorld();
  world.isMailDown = true;
  await expect(world.alert()).rejects.toThrow('no mail');
  world.isMailDown = false;
  for (let second = 0; second < 7; second += 1)
    await world.alert(new Date(now.getTime() + second * 1000));
  expect(world.mails).toHaveLength(5);
});

test.each<[string, Partial<Project>]>([
  ['is public by now', { access: 'public' }],
  ['is being deleted', { removingAt: now.toISOString() }],
  ['belongs to somebody else', { ownerId: null }],
])('no mail is sent for a project that %s', async (_, changes) => {
  const world = aWorld({ ...protectedProject, ...changes });
  await world.alert();
  expect(world.mails).toEqual([]);
});
