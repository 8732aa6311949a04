import { expect, test } from '@jest/globals';
import { DomainId, ProjectId } from '../../../../contract/fields.ts';
import { findSite, readHost } from '../../../../core/visit/find-site.ts';
import { aSite } from '../../../fixtures/visits/a-site.ts';

const ours = DomainId.parse('4d0e8c39-2f1a-4c39-9d0e-9a115f600b7e');
const theirs = DomainId.parse('11111111-1111-4111-8111-111111111111');
const blog = ProjectId.parse('0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11');
const other = ProjectId.parse('22222222-2222-4222-8222-222222222222');

const records = [
  aSite({ host: 'a.sites.test' }),
  // No project may have this address; an imported one did.
  aSite({ host: 'a--pr-42.sites.test', projectId: other }),
  aSite({ host: 'blog.customer.com', domainId: ours, projectId: blog }),
  // The former owner of the domain.
  aSite({ host: 'old.customer.com', domainId: theirs, projectId: other }),
  // A project of the domain above, at the name of a domain of its own.
  aSite({ host: 'shop.customer.com', domainId: ours, projectId: other }),
  aSite({ host: 'www.shop.customer.com', domainId: theirs, projectId: other }),
  aSite({ host: 'root.shop.customer.com', domainId: theirs, projectId: blog }),
];
const roots = [
  ['customer.com', { domainId: ours, projectId: blog, host: 'blog.customer.com' }],
  ['shop.customer.com', { domainId: theirs, projectId: blog, host: 'root.shop.customer.com' }],
  ['a--v3.org', { domainId: ours, projectId: blog, host: 'blog.customer.com' }],
  ['moved.com', { domainId: ours, projectId: blog, host: 'a.sites.test' }],
  ['taken.com', { domainId: theirs, projectId: blog, host: 'old.customer.com' }],
] as const;

function find(host: string, domainId: string | null) {
  const reads: string[] = [];
  const deps = {
    sites: {
      get: async (requestedHost: string) => {
        reads.push(requestedHost);
        return records.find((one) => one.host === requestedHost);
      },
    },
    roots: {
      get: async (name: string) => {
        reads.push(`root of ${name}`);
        const root = roots.find(([bare]) => bare === name)?.[1];
        return root && { ...root, handedOverAt: null };
      },
    },
  };
  return findSite(deps, { host, domainId }).then((site) => ({ site, reads }));
}

test.each([
  ['a project of the sites domain', 'a.sites.test', null, 'a.sites.test', 1],
  ['a project of a domain', 'blog.customer.com', ours, 'blog.customer.com', 1],
  ['one version of a project', 'a--v3.sites.test', null, 'a--v3.sites.test', 1],
  ['one version beneath a domain', 'blog--v12.customer.com', ours, 'blog--v12.customer.com', 2],
  ['the root project', 'customer.com', ours, 'customer.com', 3],
  ['the root project at www', 'www.customer.com', ours, 'www.customer.com', 3],
  ['the root of a domain beneath another', 'shop.customer.com', theirs, 'shop.customer.com', 3],
  ['the root of a domain that is named like a version', 'a--v3.org', ours, 'a--v3.org', 4],
  ['a project that is called www', 'www.shop.customer.com', theirs, 'www.shop.customer.com', 1],
] as const)('%s', async (_, host, domainId, shown, reads) => {
  const found = await find(host, domainId);
  expect(found.site?.host).toBe(shown);
  expect(found.reads).toHaveLength(reads);
});

test.each([
  ['a project of a domain, through the tenant of the sites domain', 'blog.customer.com', null],
  ['a project of the sites domain, through a custom domain', 'a.sites.test', ours],
  ['a project of the former owner of a domain', 'old.customer.com', ours],
  ['the root of another domain', 'customer.com', theirs],
  ['a root project that has left the domain', 'moved.com', ours],
  ['another project at the address that a root project had', 'taken.com', theirs],
  ['a name that nobody has', 'nobody.customer.com', ours],
  ['the host of the app', '', null],
  ['the host of the app, through a domain', '', ours],
])('not %s', async (_, host, domainId) => {
  expect((await find(host, domainId)).site).toBeUndefined();
});

test('the host of a version says which one, and belongs to the tenant of its project', async () => {
  expect((await find('a--v3.sites.test', null)).site).toMatchObject({ shows: 3 });
  expect((await find('a--pr-42.sites.test', null)).site).toMatchObject({
    shows: 'pr-42',
    projectId: records[0]?.projectId,
  });
  expect((await find('blog--pr.customer.com', ours)).site).toMatchObject({ shows: 'pr' });
  expect((await find('a.sites.test', null)).site).not.toHaveProperty('shows');
  for (const [host, domainId] of [
    ['a--v3.sites.test', ours],
    ['blog--v3.customer.com', theirs],
    ['nobody--v3.sites.test', null],
    ['a--v0.sites.test', null],
    ['a--v3--v4.sites.test', null],
    ['a--v007.sites.test', null],
    ['a---pr.sites.test', null],
    ['blog--pr-42.customer.com', theirs],
    ['nobody--pr-42.sites.test', null],
    [`a--${'x'.repeat(31)}.sites.test`, null],
  ] as const) {
    expect((await find(host, domainId)).site).toBeUndefined();
  }
});

// Node 20's `URL.canParse` refuses such addresses once it has been called some thousand times.
test('an address with letters beyond ASCII has a host, however often it is read', () => {
  const hosts = Array.from({ length: 50_000 }, () => readHost('https://www.bücher.example/a?b'));
  expect(new Set(hosts)).toEqual(new Set(['www.xn--bcher-kva.example']));
});
