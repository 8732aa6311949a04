import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PeopleList } from '../../../../../core/people/people-list.ts';
import type { Visitor } from '../../../../../core/people/visitor.ts';
import { findViewer } from '../../../../../core/visit/access/viewer.ts';
import { askForCode, enterCode } from '../../../../../core/visit/access/prove-address.ts';
import type { ServingRecord } from '../../../../../core/visit/serving-record.ts';
import { fixedSecret } from '../../../../fixtures/fixed-secret.ts';
import { proofSize } from '../../../../fixtures/proof-size.ts';
import { aSite, noLinks, noRoots, now } from '../../../../fixtures/visits/a-site.ts';

const email = 'anna@example.org';
const caller = { address: '192.0.2.1', requestId: 'r' };
const listOf = (stamp: string, people: string[], deniedPeople: string[] = []): PeopleList => ({
  stamp,
  people,
  deniedPeople,
});

/** What an owner may do while somebody enters a code, and whether Anna may see the site after it. */
const ownerActs: Record<
  string,
  { site?: Partial<ServingRecord>; list?: PeopleList; may: boolean }
> = {
  nothing: { may: true },
  'add somebody': { list: listOf('second', [email, 'bo@example.org']), may: true },
  'take her off the list': { list: listOf('second', ['bo@example.org']), may: false },
  'deny her': { list: listOf('second', [email], [email]), may: false },
  'make it private': { site: { access: 'private' }, may: false },
};

test('in every order of steps, a code that was open when the owner took somebody off gives nothing after it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.constantFrom(...Object.keys(ownerActs)),
      fc.integer({ min: 1, max: 4 }),
      async (scheduler, name, tries) => {
        let site: ServingRecord = aSite({ access: 'people', peopleStamp: 'first' });
        let list = listOf('first', [email]);
        const rows = new Map<string, Visitor>();
        const codes = new Array<string>();
        let isRacing = false;
        const step = async <T>(read: () => T): Promise<T> => {
          if (isRacing) await scheduler.schedule(Promise.resolve());
          return read();
        };
        const used = new Set<string>();
        const deps = {
          counters: {
            count: async () => 1,
            reserve: async (key: string) => {
              const isFree = !key.startsWith('visitor-code-use#') || !used.has(key);
              used.add(key);
              return isFree
                ? { reserved: true as const, limits: [] }
                : { reserved: false as const, limits: [], retryAfterSeconds: 1 };
            },
            release: async () => undefined,
          } as never,
          sites: { get: () => step(() => site) },
          roots: noRoots,
          shareLinks: noLinks,
          visitors: {
            find: (_: unknown, id: string) => step(() => rows.get(id)),
            listOf: () => step(() => list),
            admit: (visitor: Visitor) => step(() => void rows.set(visitor.id, visitor)),
          },
          visitorMailer: {
            sendCode: async (_: string, { digits }: { digits: string }) => void codes.push(digits),
            sendNotListed: async () => undefined,
          },
          accessSecret: fixedSecret('a secret of a test'),
          pause: async () => undefined,
          onFailure: () => undefined,
          now: () => now,
        };
        const request = { host: site.host, domainId: null, access: '-', email };
        const asked = await askForCode(deps, caller, request);
        if (asked.kind !== 'sent') throw new Error(asked.kind);
        isRacing = true;
        const proof = { ...request, token: asked.token, digits: codes[0] ?? '' };
        const act = ownerActs[name];
        // The record and its list change in one transaction.
        const change = step(() => {
          if (act?.list !== undefined) {
            list = act.list;
            site = { ...site, peopleStamp: act.list.stamp };
          }
          site = { ...site, ...act?.site };
        });
        const entering = Array.from({ length: tries }, () => enterCode(deps, caller, proof));
        const [outcomes] = await scheduler.waitFor(Promise.all([Promise.all(entering), change]));
        isRacing = false;
        const admitted = outcomes.flatMap((one) => (one.kind === 'admitted' ? one.token : []));
        expect(admitted.length).toBeLessThanOrEqual(1);
        if (act?.may === true) expect(admitted).toHaveLength(1);
        for (const access of admitted) {
          const viewer = await findViewer(deps, site, { access, isPageView: true }, now);
          expect(viewer.role).toBe(act?.may === true ? 'person' : 'stranger');
        }
      },
    ),
    { numRuns: proofSize({ short: 100, whole: 3000 }) },
  );
});
