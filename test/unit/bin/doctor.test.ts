import { expect, test } from '@jest/globals';
import { marshall } from '@aws-sdk/util-dynamodb';
import { siteRow } from '../../../adapters/dynamodb/projects/project-rows.ts';
import { contentDiagnoses } from '../../../bin/doctor/content-diagnoses.ts';
import { doctorHelp, parseDoctorCommand } from '../../../bin/doctor/doctor-command.ts';
import { doctorDeps, examine, runDoctor } from '../../../bin/doctor/run-doctor.ts';
import { parseSettings } from '../../../lib/settings.ts';
import { runCommand } from '../../fixtures/clouds/programs.ts';
import {
  bootstrap,
  certificate,
  concurrency,
  distributions,
  identity,
  ledger,
  issued,
  mailAccount,
  mailDomain,
  readyAccount,
  readyZone,
  settings,
  sites,
  stack,
} from '../../fixtures/clouds/recorded-account.ts';
import { ManifestHash, manifestKey } from '../../../core/content/content-keys.ts';
import { encodeContent, encodeManifest } from '../../../core/visit/manifest.ts';
import type { ServingRecord } from '../../../core/visit/serving-record.ts';
import { aSite } from '../../fixtures/visits/a-site.ts';
import {
  type Recording,
  startNameServer,
  startRecordedAws,
  type Zone,
} from '../../fixtures/clouds/recorded-aws.ts';

interface Change {
  account?: Recording;
  zone?: Zone;
  settings?: Record<string, unknown>;
}

/** What the doctor finds, as `state name: fact → advice`. */
async function findings(change: Change = {}): Promise<string[]> {
  const aws = await startRecordedAws({ ...readyAccount, ...change.account });
  const names = await startNameServer(change.zone ?? readyZone);
  try {
    const own = parseSettings({ ...settings, ...change.settings });
    const found = await examine(
      doctorDeps(aws.reach, { name: 'prod', settings: own }, [names.server]),
    );
    return found.map(
      ({ state, name, fact, advice = '' }) => `${state} ${name}: ${fact} → ${advice}`,
    );
  } finally {
    names.close();
    await aws.close();
  }
}

/** A manifest with these files. */
const manifestOf = (...paths: string[]) =>
  encodeManifest(new Map(paths.map((path) => [path, { size: 1, hash: 'a'.repeat(24) }])));

/** The addresses in the database. */
const stored = (...found: ServingRecord[]): Recording => ({
  [sites]: answer({
    Items: found.map((site) => {
      const row = marshall(siteRow(site), { removeUndefinedValues: true });
      const bytes = Buffer.from(site.manifest ?? []).toString('base64');
      return { ...row, manifest: { B: bytes } };
    }),
  }),
});

const answer = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) });

test('an account that is ready has no problem', async () => {
  const found = await findings();
  expect(found.filter((one) => !one.startsWith('ok '))).toEqual([]);
  expect(found.map((one) => /^ok (\w+)/.exec(one)?.[1])).toEqual(
    expect.arrayContaining([
      'credentials',
      'bootstrap',
      'cloudfront',
      'concurrency',
      'certificates',
      'mail',
      'dns',
    ]),
  );
});

/** The ledger with so many requests yesterday. */
const requested = (count: number): Recording => {
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const days = { M: { [day]: { N: String(count) } } };
  return { [ledger]: answer({ Item: { revision: { N: '1' }, days } }) };
};

/** A certificate with so many days left, and ACM's word for its renewal. */
const ending = (days: number, RenewalStatus?: string): Recording => ({
  [certificate]: answer({
    Certificate: {
      ...issued,
      NotAfter: Date.now() / 1000 + (days + 0.5) * 86_400,
      ...(RenewalStatus !== undefined && { RenewalSummary: { RenewalStatus } }),
    },
  }),
});

test.each<[string, Recording, RegExp]>([
  ['that is being renewed', ending(40, 'PENDING_AUTO_RENEWAL'), /^ok certificates: .*is issued/],
  ['whose renewal waits', ending(40, 'PENDING_VALIDATION'), /^problem certificates: .*in 40 days/],
  ['whose renewal failed', ending(30, 'FAILED'), /^problem certificates: .*validation records/],
  ['that nobody renews', ending(14), /^problem certificates: .*in 14 days and is not renewed/],
])('a certificate %s', async (_, account, expected) => {
  const found = await findings({ account });
  expect(found.filter((one) => one.includes(' certificates: '))).toEqual([
    expect.stringMatching(expected),
    expect.stringMatching(expected),
  ]);
});

test('certificates of custom domains are counted', async () => {
  const change = { account: requested(3199) };
  expect(await findings(change)).toContainEqual(
    expect.stringMatching(/^ok certificate-budget: .* 3199 of 4000 certificates/),
  );
});

test.each<[string, Change, RegExp]>([
  [
    'most certificates of the year',
    { account: requested(3200) },
    /warning certificate-budget: .* 3200 of 4000 certificates .*raise certificatesPerYear/,
  ],
  [
    'a live project with private files',
    {
      account: stored(
        aSite({ host: 'open.sites.test', manifest: manifestOf('index.html', '.env') }),
        aSite({ host: 'tidy.sites.test', manifest: manifestOf('index.html') }),
      ),
    },
    /warning private-files: 1 of 2 live projects show .*: open\.sites\.test\. .*takedown open\.sites\.test/,
  ],
  [
    'no bootstrap',
    { account: { [bootstrap]: answer({ __type: 'ParameterNotFound' }, 400) } },
    /problem bootstrap: .*npx cdk bootstrap/,
  ],
  [
    'an old bootstrap',
    { account: { [bootstrap]: answer({ Parameter: { Value: '4' } }) } },
    /problem bootstrap: .*version 4; 6 is needed/,
  ],
  [
    'the quota of a new account',
    {
      account: {
        [concurrency]: answer({
          AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 },
        }),
      },
    },
    /problem concurrency: At most 10 .*L-B99A9384/,
  ],
  [
    'downloads without a reservation',
    { settings: { streamsConcurrency: undefined } },
    /warning concurrency: Downloads .*may take all of them.*Set streamsConcurrency to .*such as 200/,
  ],
  [
    'no distribution yet',
    {
      account: {
        [distributions]: {
          body: '<DistributionList xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><IsTruncated>false</IsTruncated><Quantity>0</Quantity></DistributionList>',
        },
      },
    },
    /unknown cloudfront: .*Your account must be verified/,
  ],
  [
    'a certificate that waits for its records',
    {
      account: {
        [certificate]: answer({
          Certificate: {
            ...issued,
            Status: 'PENDING_VALIDATION',
            DomainValidationOptions: [
              { ResourceRecord: { Name: '_a.example.org.', Value: '_b.acm.' } },
            ],
          },
        }),
      },
    },
    /problem certificates: .*PENDING_VALIDATION.*_a\.example\.org\. CNAME _b\.acm\./,
  ],
  [
    'a certificate for the domain without its wildcard',
    {
      account: {
        [certificate]: answer({
          Certificate: { ...issued, SubjectAlternativeNames: ['sites.example.net'] },
        }),
      },
    },
    /problem certificates: .*not for \*\.sites\.example\.net/,
  ],
  [
    'a certificate that does not exist',
    { account: { [certificate]: answer({ __type: 'ResourceNotFoundException' }, 400) } },
    /problem certificates: .*does not exist/,
  ],
  [
    'a certificate that the deployment makes',
    {
      settings: {
        sitesCertificateArn: undefined,
        sitesZone: { id: 'Z0123456789ABCDEFGHIJ', name: 'sites.example.net' },
      },
    },
    /ok certificates: The deployment makes the certificate of \*\.sites\.example\.net/,
  ],
  [
    'the sandbox of SES',
    { account: { [mailAccount]: answer({ SendingEnabled: true }) } },
    /problem mail: SES is in the sandbox.*production access/,
  ],
  [
    'a sender that is not verified',
    {
      account: { [mailDomain]: answer({ DkimAttributes: { Status: 'PENDING', Tokens: ['abc'] } }) },
    },
    /problem mail: .*abc\._domainkey\.example\.org CNAME abc\.dkim/,
  ],
  [
    'an existing identity that does not exist',
    {
      settings: { mailIdentity: 'existing' },
      account: {
        'GET /v2/email/identities/hello%40example.org': {
          ...answer({ message: 'none' }, 404),
          headers: { 'x-amzn-errortype': 'NotFoundException' },
        },
        [mailDomain]: {
          ...answer({ message: 'none' }, 404),
          headers: { 'x-amzn-errortype': 'NotFoundException' },
        },
      },
    },
    /problem mail: SES in us-east-1 has no identity/,
  ],
  [
    'an identity that the first deployment could not create',
    {
      account: {
        [stack]: {
          status: 400,
          body: '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id SlipwayService-prod does not exist</Message></Error></ErrorResponse>',
        },
      },
    },
    /problem mail: SES has the identity example\.org already.*"existing"/,
  ],
  ['no sender', { settings: { mailFrom: undefined } }, /warning mail: .*nobody can sign in/],
  [
    'no DNS records',
    { zone: {} },
    /problem dns: \*\.sites\.example\.net has no DNS record.*CNAME d2/,
  ],
  [
    'a name that leads elsewhere',
    { zone: { ...readyZone, 'CNAME drop.example.org': 'old.example.org' } },
    /problem dns: drop\.example\.org leads to old\.example\.org, not to d1/,
  ],
  [
    'credentials that may not read',
    { account: { [concurrency]: answer({ __type: 'AccessDeniedException' }, 403) } },
    /unknown concurrency: .*AccessDenied.*allow lambda:GetAccountSettings/,
  ],
])('%s is found', async (_, change, expected) => {
  expect(await findings(change)).toContainEqual(expect.stringMatching(expected));
});

/** What the diagnosis of private files says about some pages of addresses. */
async function privateFiles(
  pages: ServingRecord[][],
  objects: Record<string, Uint8Array> = {},
  unreadable: string[] = [],
) {
  const deps = doctorDeps(
    { region: 'us-east-1' },
    { name: 'prod', settings: parseSettings(settings) },
    [],
  );
  async function* read() {
    for (const sites of pages) yield { sites, unreadable };
  }
  const served = { pages: read(), content: { get: async (key: string) => objects[key] } };
  const [diagnosis] = contentDiagnoses;
  return diagnosis?.run({ ...deps, servedSites: async () => served });
}

test('private files are looked for in what visitors see, in rows and in storage', async () => {
  const manifest = manifestOf('keys/server.pem');
  const { projectId, store } = aSite();
  const manifestHash = ManifestHash.parse('h'.repeat(43));
  const large = aSite({ host: 'large.sites.test', manifestHash });
  const unseen: ServingRecord[] = [
    aSite({ manifest, takenDown: true }),
    aSite({ manifest, archivedAt: '2026-03-01T11:00:00.000Z' }),
    aSite({ manifest, expiresAt: '2026-03-01T11:00:00.000Z' }),
    aSite({ manifest, status: 'private' }),
  ];
  const key = manifestKey(projectId, store, manifestHash);
  const object = encodeContent(manifestOf('.git/config'), undefined);
  const locked = aSite({ host: 'locked.sites.test', manifest, access: 'password' });
  const pages = [[...unseen, large], [], [locked, aSite({ manifest: manifestOf('a.txt') })]];
  expect(await privateFiles(pages, { [key]: object })).toEqual([
    expect.objectContaining({
      state: 'warning',
      fact: expect.stringMatching(/^2 of 3 live .*: large\.sites\.test, locked\.sites\.test\.$/),
    }),
  ]);
  expect(await privateFiles([unseen])).toEqual([expect.objectContaining({ state: 'ok' })]);
  expect(await privateFiles([[aSite({ manifest })]], {}, ['torn.sites.test'])).toEqual([
    expect.objectContaining({ state: 'warning' }),
    expect.objectContaining({
      state: 'problem',
      fact: expect.stringMatching(/^1 addresses cannot be served.*: torn\.sites\.test\.$/),
    }),
  ]);
});

test('twenty projects with private files are named, the others counted; the look has an end', async () => {
  const site = (index: number) =>
    aSite({ host: `s${index}.sites.test`, manifest: manifestOf('.env') });
  const pages = [Array.from({ length: 25 }, (_, index) => site(index))];
  const [finding] = (await privateFiles(pages)) ?? [];
  expect(finding?.fact).toMatch(/s0\.sites\.test, .*s19\.sites\.test and 5 more\.$/);
  const tidy = aSite({ manifest: manifestOf('a.txt') });
  const page = Array.from({ length: 50_000 }, () => tidy);
  expect(await privateFiles([page, [site(1)]])).toEqual([
    expect.objectContaining({ state: 'ok' }),
    expect.objectContaining({ state: 'unknown', fact: expect.stringContaining('Only 50000') }),
  ]);
});

test('an alias record has addresses of CloudFront and no CNAME', async () => {
  const zone: Zone = {
    ...readyZone,
    'A drop.example.org': '192.0.2.7',
    'A d1.cloudfront.net': '192.0.2.7',
  };
  const { 'CNAME drop.example.org': _, ...alias } = zone;
  expect(await findings({ zone: alias })).toContainEqual(
    expect.stringContaining('ok dns: drop.example.org leads to d1.cloudfront.net.'),
  );
});

test('without credentials nothing else is asked', async () => {
  const denied = {
    status: 403,
    body: '<Error><Code>ExpiredToken</Code><Message>old</Message></Error>',
  };
  const found = await findings({ account: { [identity]: denied } });
  expect(found).toEqual([
    expect.stringMatching(/^problem credentials: .*ExpiredToken.*aws sso login/),
  ]);
});

test('--help names the actions; a stage must be named and have a file', async () => {
  expect(doctorHelp).toContain('  acm:DescribeCertificate\n');
  expect(() => parseDoctorCommand(['--json'])).toThrow('Name the stage');
  const { code, stderr } = await runCommand(runDoctor, ['--stage', 'nosuchstage']);
  expect(code).toBe(1);
  expect(stderr).toContain('stages/nosuchstage.json does not exist');
});
