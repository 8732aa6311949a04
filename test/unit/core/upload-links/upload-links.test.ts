import { describe, expect, test } from '@jest/globals';
import { AccountId, ProjectId } from '../../../../contract/fields.ts';
import { inlineUploadBytes } from '../../../../contract/operations/upload-links.ts';
import { defaultPlans } from '../../../../contract/plans.ts';
import { CodedError } from '../../../../core/errors.ts';
import { addresses } from '../../../../core/projects/addresses/addresses.ts';
import { createUploadLink } from '../../../../core/upload-links/manage-upload-links.ts';
import { findUsableLink, redactForGuest } from '../../../../core/upload-links/find-usable-link.ts';
import { FreePlanRefusal } from '../../../../core/accounts/account.ts';
import { publishByLink } from '../../../../core/upload-links/publish-by-link.ts';
import { newUploadLinkId, type UploadLink } from '../../../../core/upload-links/upload-link.ts';
import { UploadId } from '../../../../core/uploads/upload.ts';
import type { StoredDomain } from '../../../../core/domains/domain.ts';
import { aDomain, domainId } from '../../../fixtures/domains/a-domain.ts';
import { aCaller, aProject, ownerId } from '../../../fixtures/projects/a-project.ts';
import { now } from '../../../fixtures/visits/a-site.ts';
import { MemoryUploadLinks } from '../../../fixtures/uploads/memory-upload-links.ts';
import { hashSecretText } from '../../../../core/secret-text.ts';

const uploadId = UploadId.parse('5f60c399-0b7e-4c1a-8d0e-2f1a6f0c9a12');
const projectId = ProjectId.parse('0b7e4c1a-5f60-4c39-9d0e-2f1a6f0c9a11');
const guest = { address: '192.0.2.9', requestId: 'guest' };
const aPage = {
  name: 'a.html',
  contentType: 'text/html',
  bytes: Buffer.from('<h1>Brought</h1>'),
};

function aLink(changes: Partial<UploadLink> = {}): UploadLink {
  return {
    id: newUploadLinkId(now),
    accountId: ownerId,
    madeWith: { kind: 'key', keyHash: 'k1' },
    title: null,
    projectId: null,
    domainId: null,
    createdAt: new Date(now.getTime() - 1000).toISOString(),
    expiresAt: new Date(now.getTime() + 1).toISOString(),
    state: 'waiting',
    uploadId: null,
    ...changes,
  };
}

/** A store that holds `link` under the token `token`, and what use cases need around it. */
function around(link: UploadLink, { project = aProject(), account = {}, upload = 'waiting' } = {}) {
  const links = new MemoryUploadLinks();
  links.rows.set(hashSecretText('token'), link);
  const deps: any = {
    links,
    accounts: { get: async () => (account === null ? undefined : aCaller(account).account) },
    keys: { find: async () => ({ accountId: ownerId, name: 'CI', expiresAt: null }) },
    projects: { get: async () => project, createIntent: async () => undefined },
    uploads: { get: async () => ({ state: upload }) },
    now: () => now,
  };
  return { deps, state: () => links.rows.get(hashSecretText('token'))?.state };
}

describe('openLink', () => {
  const codeOf = async (work: Promise<unknown>) => {
    const error = await work.catch((caught: unknown) => caught);
    return error instanceof CodedError ? error.code : error;
  };

  test.each<[string, Partial<UploadLink>, object, string]>([
    ['that ends now', { expiresAt: now.toISOString() }, {}, 'UPLOAD_LINK_NOT_FOUND'],
    ['that is being used', { state: 'locked' }, {}, 'UPLOAD_LINK_NOT_FOUND'],
    ['that is used', { state: 'used' }, {}, 'UPLOAD_LINK_NOT_FOUND'],
    [
      'that is used by an upload that is not over',
      { state: 'used', uploadId },
      { upload: 'publishing' },
      'UPLOAD_LINK_NOT_FOUND',
    ],
    ['whose account is gone', {}, { account: null }, 'UPLOAD_LINK_NOT_FOUND'],
    [
      'whose project is somebody else’s now',
      { projectId },
      { project: aProject({ ownerId: null }) },
      'UPLOAD_LINK_NOT_FOUND',
    ],
    [
      'whose project is being removed',
      { projectId },
      { project: aProject({ removingAt: now.toISOString() }) },
      'UPLOAD_LINK_NOT_FOUND',
    ],
    [
      'for a version, of an account that is on the free plan now',
      { projectId },
      { account: { tier: 'free', trialEndsAt: now.toISOString() } },
      'FREE_TIER_RESTRICTED',
    ],
  ])('refuses a link %s', async (_, link, world, code) => {
    const { deps, state } = around(aLink(link), world);
    expect(await codeOf(findUsableLink(deps, guest, { token: 'token' }))).toBe(code);
    expect(state()).toBe(link.state ?? 'waiting');
  });

  test('refuses an invalid token without a read', async () => {
    const { deps } = around(aLink());
    expect(await codeOf(findUsableLink(deps, guest, { token: 'another' }))).toBe(
      'UPLOAD_LINK_NOT_FOUND',
    );
  });

  test('opens one whose upload failed, and it may be used again', async () => {
    const { deps, state } = around(aLink({ state: 'used', uploadId }), { upload: 'failed' });
    const { guest: caller } = await findUsableLink(deps, guest, { token: 'token' });
    expect(caller).toMatchObject({ requestId: 'guest', account: { id: ownerId } });
    expect(state()).toBe('waiting');
  });
});

describe('publishByLink', () => {
  const publish = (deps: any, files = [aPage]) =>
    publishByLink(deps, guest, { token: 'token', files });
  const able = (change: () => Promise<unknown>) => ({
    owned: { change },
    content: { put: async () => undefined, deletePrefix: async () => undefined },
    addresses: addresses('https://app.test', 'sites.test'),
    plans: defaultPlans,
    counters: { count: async () => 1 },
    brand: 'Slipway',
    onFailure: () => undefined,
  });

  test('uses the link up when its project exists', async () => {
    const { deps, state } = around(aLink({ title: 'Tides' }));
    Object.assign(
      deps,
      able(async () => 'changed'),
    );
    expect(await publish(deps)).toMatchObject({ title: 'Tides', slug: 'tides' });
    expect(state()).toBe('used');
  });

  test('reopens the link when the upload is refused', async () => {
    const { deps, state } = around(aLink());
    Object.assign(
      deps,
      able(async () => 'changed'),
    );
    const zip = { ...aPage, name: 'a.zip' };
    await expect(publish(deps, [zip])).rejects.toMatchObject({ code: 'ARCHIVE_INVALID' });
    expect(state()).toBe('waiting');
  });

  test('reveals nothing about the account to the holder of the link', async () => {
    const { deps, state } = around(aLink(), { account: { projectCount: 25 } });
    Object.assign(
      deps,
      able(async () => 'changed'),
    );
    const error: any = await publish(deps).catch((caught: unknown) => caught);
    expect(error.body).toMatchObject({ code: 'PROJECT_LIMIT_REACHED' });
    expect(JSON.stringify(error.body)).not.toContain('25');
    expect(state()).toBe('waiting');
  });

  test('keeps the link locked if it is unknown whether something was published', async () => {
    const { deps, state } = around(aLink());
    Object.assign(
      deps,
      able(async () => 'changed'),
    );
    // After the publication.
    deps.addresses = {
      ...deps.addresses,
      siteUrl: () => {
        throw new Error('no answer');
      },
    };
    await expect(publish(deps)).rejects.toThrow('no answer');
    expect(state()).toBe('locked');
    await expect(publish(deps)).rejects.toMatchObject({ code: 'UPLOAD_LINK_NOT_FOUND' });
  });

  test('has published, although the totals of the account cannot be read afterwards', async () => {
    const { deps, state } = around(aLink());
    Object.assign(
      deps,
      able(async () => 'changed'),
    );
    const { get } = deps.accounts;
    let calls = 0;
    // Once for the link, then for the quota after the publication.
    deps.accounts.get = async () => {
      calls += 1;
      if (calls === 2) throw new Error('no answer');
      return get();
    };
    await expect(publish(deps)).resolves.toMatchObject({ slug: 'a', version: 1 });
    expect(calls).toBe(2);
    expect(state()).toBe('used');
  });

  test('returns the refusal, even if the link cannot be reopened', async () => {
    const { deps } = around(aLink());
    const failures: unknown[] = [];
    Object.assign(
      deps,
      able(async () => 'changed'),
    );
    deps.onFailure = (item: unknown) => failures.push(item);
    deps.links.release = async () => {
      throw new Error('no answer');
    };
    const zip = { ...aPage, name: 'a.zip' };
    await expect(publish(deps, [zip])).rejects.toMatchObject({ code: 'ARCHIVE_INVALID' });
    expect(failures).toEqual([{ kind: 'upload link' }]);
  });
});

test.each([
  [defaultPlans, inlineUploadBytes],
  [{ ...defaultPlans, pro: { ...defaultPlans.pro, maxUploadBytes: 1000 } }, 1000],
  [{ ...defaultPlans, pro: { ...defaultPlans.pro, maxUploadBytes: -1 } }, inlineUploadBytes],
])('a link shows the limits of one request, or of the plan if they are smaller', async (...row) => {
  const [plans, maxBytes] = row;
  const links = new MemoryUploadLinks();
  const deps = {
    links,
    projects: { get: async () => undefined },
    domains: { get: async () => undefined },
    addresses: addresses('https://app.test', 'sites.test'),
    plans,
    now: () => now,
  };
  const made = await createUploadLink(deps, aCaller(), {});
  expect(made.maxBytes).toBe(maxBytes);
  const token = made.uploadUrl.split('/').at(-1) ?? '';
  expect(made.pageUrl).toBe(`https://app.test/upload/${token}`);
  expect([...links.rows.keys()]).toEqual([hashSecretText(token)]);
});

describe('a link for a custom domain', () => {
  const stranger = AccountId.parse('7f1b7a52-9d0e-4f1a-8f60-4c3911aa2233');
  const ended = { tier: 'free', trialEndsAt: now.toISOString() } as const;
  const someDeps = (domain: StoredDomain | undefined) => ({
    ...around(aLink()).deps,
    links: new MemoryUploadLinks(),
    domains: { get: async () => domain },
    addresses: addresses('https://app.test', 'sites.test'),
    plans: defaultPlans,
  });

  test('remembers it', async () => {
    const deps = someDeps(aDomain());
    await createUploadLink(deps, aCaller(), { domainId });
    expect([...deps.links.rows.values()]).toMatchObject([{ domainId, projectId: null }]);
  });

  test.each([
    ['an unknown one', undefined, {}, 'NOT_FOUND'],
    ['another account’s', aDomain({ accountId: stranger }), {}, 'NOT_FOUND'],
    ['one that is being removed', aDomain({ removingAt: now.toISOString() }), {}, 'NOT_FOUND'],
    ['one that is not ready', aDomain({ status: 'ssl_pending' }), {}, 'DOMAIN_NOT_READY'],
    ['one of a plan that ended', aDomain(), ended, 'FREE_TIER_RESTRICTED'],
  ])('is refused for %s', async (_, domain, account, code) => {
    const deps = someDeps(domain);
    const refused = createUploadLink(deps, aCaller(account), { domainId });
    await expect(refused).rejects.toMatchObject({ code });
    expect(deps.links.rows.size).toBe(0);
  });

  test('tells a guest nothing of the account whose plan ended', async () => {
    const refusal = redactForGuest(new FreePlanRefusal({ ...aCaller().account, ...ended }));
    expect(refusal).not.toBeInstanceOf(FreePlanRefusal);
    expect(refusal.body).toMatchObject({
      code: 'FREE_TIER_RESTRICTED',
      nextStep: expect.stringContaining('the person who gave you this link'),
    });
  });

  test.each([
    ['gone', undefined],
    ['out of order', aDomain({ status: 'error_dns' })],
  ])(
    'works again once a domain that is %s is back, and its guest is told whom to ask',
    async (_, domain) => {
      const { deps, state } = around(aLink({ domainId }));
      deps.domains = { get: async () => domain };
      const publishing = publishByLink(deps, guest, { token: 'token', files: [aPage] });
      await expect(publishing).rejects.toMatchObject({
        code: 'DOMAIN_NOT_READY',
        fields: { nextStep: expect.stringContaining('the person who gave you this link') },
      });
      expect(state()).toBe('waiting');
    },
  );
});
