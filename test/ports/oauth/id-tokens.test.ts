import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportSPKI, UnsecuredJWT } from 'jose';
import { publisherTable } from '../../../adapters/dynamodb/accounts/publisher-table.ts';
import { usedTokenTable } from '../../../adapters/dynamodb/oauth/used-token-table.ts';
import { KeyId, ProjectId } from '../../../contract/fields.ts';
import { tokenExchangeGrant } from '../../../contract/oauth/oauth-paths.ts';
import type { Account } from '../../../core/accounts/account.ts';
import { hashKey } from '../../../core/accounts/keys/api-key.ts';
import { authenticateKey } from '../../../core/accounts/keys/authenticate.ts';
import {
  addTrustedPublisher,
  listTrustedPublishers,
} from '../../../core/accounts/publishers/manage-publishers.ts';
import type { TrustedPublisher } from '../../../core/accounts/publishers/trusted-publisher.ts';
import { exchangeIdToken } from '../../../core/oauth/id-tokens/exchange-id-token.ts';
import {
  CiService,
  githubClaims,
  gitlabClaims,
  localKeySets,
  ofPullRequest,
} from '../../fixtures/agents/ci-tokens.ts';
import { aStranger, type OAuthStores, oauthStores } from '../../fixtures/agents/oauth-stores.ts';
import { aProject } from '../../fixtures/projects/a-project.ts';
import { tables } from '../../fixtures/clouds/local-stores.ts';

type Claims = Record<string, unknown>;

const issuers = {
  github: 'https://token.actions.githubusercontent.com',
  gitlab: 'https://gitlab.com',
};
let stores: OAuthStores;
let deps: Parameters<typeof exchangeIdToken>[0] & { publishers: ReturnType<typeof publisherTable> };
let github: CiService;
let gitlab: CiService;
let account: Account;

beforeAll(async () => {
  stores = await oauthStores();
  github = await CiService.create(issuers.github);
  gitlab = await CiService.create(issuers.gitlab, 'ES256');
  const keySets = await localKeySets({
    [`${issuers.github}/.well-known/jwks`]: github,
    [`${issuers.gitlab}/oauth/discovery/keys`]: gitlab,
  });
  const publishers = publisherTable(stores.client, tables.accounts);
  const usedTokens = usedTokenTable(stores.client, tables.oauth);
  deps = { ...stores.deps, keySets, issuers, publishers, usedTokens };
});
beforeEach(async () => {
  account = await stores.anAccount();
  stores.pass(61);
});
afterAll(() => stores.close());

const projectId = ProjectId.parse(randomUUID());
type Trusted = Parameters<typeof addTrustedPublisher>[2];
const main: Trusted = { provider: 'github', repository: 'octo/site', branch: 'main' };

/** A publisher of the account. Its projects are not looked at here. */
function trust(trusted: Trusted = main): Promise<TrustedPublisher> {
  const projects = { get: async () => aProject({ ownerId: account.id }) };
  return addTrustedPublisher({ ...deps, projects }, { ...aStranger(), account }, trusted);
}

const meant = () => ({ audience: deps.baseUrl as unknown, now: deps.now() });
const ofGithub = (more: Claims = {}) => github.sign(meant(), githubClaims(more));
const ofGitlab = (more: Claims = {}) => gitlab.sign(meant(), gitlabClaims(more));

function exchange(id: string, token: string, more: Record<string, string> = {}) {
  const form = new URLSearchParams({
    grant_type: tokenExchangeGrant,
    client_id: id,
    subject_token: token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    ...more,
  });
  return exchangeIdToken(deps, aStranger(), { form, authorization: undefined });
}

const expectReason = (answer: Promise<unknown>, reason: string) =>
  expect(answer).rejects.toMatchObject({ name: 'OAuthError', code: 'invalid_request', reason });

test('the token of a job gives a key of ten minutes with the permissions and projects of its publisher', async () => {
  const { id } = await trust({ ...main, permissions: ['projects:read'], projectIds: [projectId] });
  const { access_token: key, ...rest } = await exchange(id, await ofGithub());
  expect(rest).toEqual({
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    token_type: 'Bearer',
    expires_in: 600,
    scope: 'projects:read',
  });
  const found = await authenticateKey({ ...deps, keys: stores.keys }, `Bearer ${key}`);
  expect(found).toMatchObject({
    account: { id: account.id },
    key: { id, name: 'octo/site', permissions: ['projects:read'], projectIds: [projectId] },
  });
  // It fills neither the list of keys nor their number.
  expect(await stores.keys.list(account.id)).toEqual([]);
  expect(await deps.accounts.get(account.id)).not.toHaveProperty('keyCount');
  const { publishers } = await listTrustedPublishers(deps, { ...aStranger(), account });
  expect(publishers).toMatchObject([{ id, repositoryId: '74', lastUsedAt: expect.any(String) }]);
  stores.pass(600);
  await expect(
    authenticateKey({ ...deps, keys: stores.keys }, `Bearer ${key}`),
  ).rejects.toMatchObject({ code: 'API_KEY_EXPIRED' });
});

test.each<[string, Trusted, () => Promise<string>]>([
  ['a branch at GitHub', main, () => ofGithub()],
  [
    'a branch of a repository whose subjects have numbers',
    main,
    () => ofGithub({ sub: 'repo:octo@65/site@74:ref:refs/heads/main' }),
  ],
  [
    'an environment',
    { provider: 'github', repository: 'octo/site', environment: 'prod: eu' },
    () => ofGithub({ sub: 'repo:octo/site:environment:prod%3A eu', environment: 'prod: eu' }),
  ],
  [
    'a pull request',
    { provider: 'github', repository: 'octo/site', pullRequests: true },
    () => ofGithub(ofPullRequest),
  ],
  [
    'a branch at GitLab, signed with ES256 an hour ago',
    { provider: 'gitlab', repository: 'octo/web/site', branch: 'main' },
    () => {
      const at = Math.floor(deps.now().getTime() / 1000);
      return ofGitlab({ iat: at - 3600, nbf: at - 3605, exp: at + 3600, environment: 'prod' });
    },
  ],
  [
    'a merge request at GitLab',
    { provider: 'gitlab', repository: 'octo/web/site', pullRequests: true },
    () =>
      ofGitlab({
        pipeline_source: 'merge_request_event',
        ref: 'feature',
        sub: 'project_path:octo/web/site:ref_type:branch:ref:feature',
      }),
  ],
])('%s is trusted', async (_, trusted, token) => {
  const { id } = await trust(trusted);
  expect(await exchange(id, await token())).toMatchObject({ expires_in: 600 });
});

const at = (seconds: number) => Math.floor(deps.now().getTime() / 1000) + seconds;
const other = 'https://token.actions.githubusercontent.com.example.net';
const place = (sub: string, more: Claims = {}) => ofGithub({ sub: `repo:octo/${sub}`, ...more });

const forged: [name: string, reason: string, token: () => Promise<string>][] = [
  ['for another audience', 'audience_differs', () => signed({}, 'https://other.example.com')],
  ['for the audience with a slash', 'audience_differs', () => signed({}, `${deps.baseUrl}/`)],
  ['for two audiences', 'audience_differs', () => signed({}, [deps.baseUrl, 'https://a.example'])],
  ['for no audience', 'claim_missing', () => signed({ aud: undefined })],
  ['of another issuer', 'issuer_unknown', () => signed({ iss: other })],
  ['of the issuer with a slash', 'issuer_unknown', () => signed({ iss: `${issuers.github}/` })],
  ['of no issuer', 'issuer_unknown', () => signed({ iss: undefined })],
  [
    'that says it is of GitLab, signed by GitHub',
    'key_unknown',
    () => signed({ ...gitlabClaims(), iss: issuers.gitlab }),
  ],
  ['with alg none', 'algorithm_refused', unsecured],
  ['signed with HS256 and the public key', 'algorithm_refused', withPublicKeyAsSecret],
  ['signed with PS256', 'algorithm_refused', async () => withHeader({ alg: 'PS256' })],
  ['with a key that is not in the set', 'key_unknown', async () => withHeader({ kid: 'other' })],
  ['without the name of a key', 'key_unknown', async () => withHeader({ kid: undefined })],
  ['signed by somebody else, with our key’s name', 'signature_invalid', signedByStranger],
  ['with other claims than were signed', 'signature_invalid', changedAfterwards],
  ['that has expired', 'token_expired', () => signed({ exp: at(-31) })],
  ['that does not expire', 'claim_missing', () => signed({ exp: undefined })],
  ['of the future, by nbf', 'token_not_yet_valid', () => signed({ nbf: at(60) })],
  ['of the future, by iat', 'token_not_yet_valid', () => signed({ iat: at(60) })],
  ['that is too old', 'token_too_old', () => signed({ iat: at(-631), exp: at(3600) })],
  ['with a time in words', 'claim_missing', () => signed({ exp: 'tomorrow' })],
  ['without jti', 'claim_missing', () => signed({ jti: undefined })],
  ['with an empty jti', 'claim_missing', () => signed({ jti: '' })],
  [
    'without the number of its repository',
    'claim_missing',
    () => signed({ repository_id: undefined }),
  ],
  ['that is huge', 'token_too_large', () => signed({ workflow: 'x'.repeat(7000) })],
  ['that is no token', 'token_malformed', async () => 'aaaa.bbbb.cccc'],
  [
    'of another repository',
    'repository_differs',
    () => place('other:ref:refs/heads/main', { repository: 'octo/other', repository_id: '75' }),
  ],
  [
    'of a repository whose name begins so',
    'repository_differs',
    () => place('site-2:ref:refs/heads/main', { repository: 'octo/site-2', repository_id: '75' }),
  ],
  [
    'of another owner with the same numbers',
    'repository_differs',
    () =>
      ofGithub({
        sub: 'repo:evil/site:ref:refs/heads/main',
        repository: 'evil/site',
        repository_owner: 'evil',
      }),
  ],
  [
    'with other upper case in the name',
    'repository_differs',
    () => ofGithub({ sub: 'repo:Octo/site:ref:refs/heads/main', repository: 'Octo/site' }),
  ],
  [
    'of another branch',
    'branch_differs',
    () => place('site:ref:refs/heads/main2', { ref: 'refs/heads/main2' }),
  ],
  [
    'of a branch with other upper case',
    'branch_differs',
    () => place('site:ref:refs/heads/Main', { ref: 'refs/heads/Main' }),
  ],
  [
    'of a tag with the name of the branch',
    'event_differs',
    () => place('site:ref:refs/tags/main', { ref: 'refs/tags/main', ref_type: 'tag' }),
  ],
  [
    'of an environment, for a branch',
    'environment_differs',
    () => place('site:environment:prod', { environment: 'prod' }),
  ],
  ['of a pull request, for a branch', 'event_differs', () => ofGithub(ofPullRequest)],
  [
    'of a pull request from a branch of a fork with this name',
    'event_differs',
    () => ofGithub({ ...ofPullRequest, head_ref: 'main' }),
  ],
  [
    'of pull_request_target, which strangers start on the branch',
    'event_differs',
    () => ofGithub({ event_name: 'pull_request_target' }),
  ],
  [
    'whose subject names another branch than its claims',
    'subject_differs',
    () => place('site:ref:refs/heads/other'),
  ],
  [
    'whose subject has other numbers than its claims',
    'subject_differs',
    () => ofGithub({ sub: 'repo:octo@65/site@75:ref:refs/heads/main' }),
  ],
  ['of GitLab, for a repository at GitHub', 'provider_differs', () => ofGitlab()],
];

/** A token of GitHub's key with these claims. */
function signed(more: Claims, audience: unknown = deps.baseUrl): Promise<string> {
  return github.sign({ audience, now: deps.now() }, githubClaims(more));
}

async function unsecured(): Promise<string> {
  const times = { iss: issuers.github, aud: deps.baseUrl, iat: at(0), exp: at(300) };
  const token = new UnsecuredJWT({ ...githubClaims(), ...times }).encode();
  const header = Buffer.from(JSON.stringify({ alg: 'none', kid: github.kid })).toString(
    'base64url',
  );
  return `${header}.${token.split('.')[1]}.`;
}

async function withPublicKeyAsSecret(): Promise<string> {
  const secret = new TextEncoder().encode(await exportSPKI(github.publicKey));
  return github.sign(meant(), githubClaims(), { alg: 'HS256' }, secret);
}

/** A signed token with another header; only then is its signature looked at. */
async function withHeader(header: object): Promise<string> {
  const [, claims, signature] = (await ofGithub()).split('.');
  const all = { alg: 'RS256', kid: github.kid, typ: 'JWT', ...header };
  return `${Buffer.from(JSON.stringify(all)).toString('base64url')}.${claims}.${signature}`;
}

async function signedByStranger(): Promise<string> {
  const stranger = await CiService.create(issuers.github);
  return stranger.sign(meant(), githubClaims(), { kid: github.kid });
}

async function changedAfterwards(): Promise<string> {
  const [header, claims = '', signature] = (await signed({ actor: 'eve' })).split('.');
  const changed = Buffer.from(claims, 'base64url').toString().replace('"eve"', '"ada"');
  return `${header}.${Buffer.from(changed).toString('base64url')}.${signature}`;
}

describe('a token gives no key', () => {
  test.each(forged)('%s: %s', async (_, reason, token) => {
    const { id } = await trust();
    await expectReason(exchange(id, await token()), reason);
    expect(await deps.publishers.find(id)).toMatchObject({ lastUsedAt: null, repositoryId: null });
  });

  test.each<[string, string, Claims]>([
    [
      'a tag',
      'event_differs',
      { ref_type: 'tag', sub: 'project_path:octo/web/site:ref_type:tag:ref:main' },
    ],
    [
      'a merge request of a branch with this name',
      'event_differs',
      { pipeline_source: 'merge_request_event' },
    ],
    ['a pipeline within another one', 'event_differs', { pipeline_source: 'parent_pipeline' }],
    ['a fork', 'repository_differs', { project_path: 'eve/site', project_id: '21' }],
    ['a group above', 'repository_differs', { project_path: 'octo/web' }],
    ['a changed subject', 'subject_differs', { sub: 'project_path:octo/web/site' }],
  ])('of GitLab, for a branch, of %s: %s', async (_, reason, claims) => {
    const { id } = await trust({ provider: 'gitlab', repository: 'octo/web/site', branch: 'main' });
    await expectReason(exchange(id, await ofGitlab(claims)), reason);
  });

  test('a second time, also when both come at once', async () => {
    const { id } = await trust();
    const token = await ofGithub();
    const answers = await Promise.allSettled([1, 2, 3, 4].map(() => exchange(id, token)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expectReason(exchange(id, token), 'token_used');
    // Another publisher of the same repository makes no difference.
    await expectReason(exchange((await trust()).id, token), 'token_used');
  });

  test('a used token, however often, does not fill the limit of its publisher', async () => {
    const { id } = await trust();
    const token = await ofGithub();
    await exchange(id, token);
    // Of the 600 of an hour one is left.
    await deps.counters.count(`publisher#${id}`, 3600, deps.now(), 598);
    await Promise.all(
      Array.from({ length: 5 }, () => expectReason(exchange(id, token), 'token_used')),
    );
    expect(await exchange(id, await ofGithub())).toMatchObject({ expires_in: 600 });
    await expect(exchange(id, await ofGithub())).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  test('for a publisher that does not exist', async () => {
    await expectReason(exchange(randomUUID(), await ofGithub()), 'publisher_unknown');
    await expectReason(exchange('nonsense', await ofGithub()), 'publisher_unknown');
  });

  test('for a repository that took the name over', async () => {
    const { id } = await trust();
    await exchange(id, await ofGithub());
    await expectReason(
      exchange(id, await ofGithub({ repository_id: '75' })),
      'repository_id_differs',
    );
    expect(await exchange(id, await ofGithub())).toMatchObject({ expires_in: 600 });
  });

  test('for two repositories of one name that come first at once', async () => {
    const { id } = await trust();
    const tokens = await Promise.all(
      ['74', '75'].map((repository_id) => ofGithub({ repository_id })),
    );
    const answers = await Promise.allSettled(tokens.map((token) => exchange(id, token)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test.each([
    [{ subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' }],
    [{ requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }],
    [{ actor_token: 'x' }],
    [{ client_id: '' }],
    [{ subject_token: '' }],
  ])('with a form that has %j', async (more) => {
    const { id } = await trust();
    await expect(exchange(id, await ofGithub(), more)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

test('a publisher that is removed ends its keys with it, and gives none', async () => {
  const { id } = await trust();
  const { access_token: key } = await exchange(id, await ofGithub());
  expect(await stores.keys.find(hashKey(key))).toBeDefined();
  expect(await deps.publishers.remove(account.id, id)).toBe(true);
  expect(await stores.keys.find(hashKey(key))).toBeUndefined();
  await expectReason(exchange(id, await ofGithub()), 'publisher_unknown');
  expect(await deps.publishers.remove(account.id, id)).toBe(false);
});

test('nobody removes the publisher of another account', async () => {
  const { id } = await trust();
  const stranger = await stores.anAccount();
  expect(await deps.publishers.remove(stranger.id, id)).toBe(false);
  expect(await deps.publishers.find(id)).toBeDefined();
});

test('an account trusts at most twenty, also at once', async () => {
  const added = await Promise.allSettled(Array.from({ length: 25 }, () => trust()));
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  const [first] = (await deps.publishers.list(account.id)) as [TrustedPublisher];
  await deps.publishers.remove(account.id, first.id);
  await trust();
  await expect(trust()).rejects.toMatchObject({ code: 'KEY_LIMIT_REACHED' });
});

test('one address exchanges at most 120 tokens a minute, valid or not', async () => {
  const caller = { address: '198.51.100.7', requestId: randomUUID() };
  const form = new URLSearchParams({ client_id: KeyId.parse(randomUUID()) });
  const turns = Array.from({ length: 121 }, () =>
    exchangeIdToken(deps, caller, { form, authorization: undefined }),
  );
  const answers = await Promise.allSettled(turns);
  const limited = answers.filter(
    (answer) => answer.status === 'rejected' && answer.reason.code === 'RATE_LIMITED',
  );
  expect(limited).toHaveLength(1);
});
