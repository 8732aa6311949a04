import { expect, test } from '@jest/globals';
import { marshall } from '@aws-sdk/util-dynamodb';
import { siteRow } from '../../../adapters/dynamodb/projects/project-rows.ts';
import { contentDiagnoses } from '../../../bin/doctor/content-diagnoses.ts';
import { diagnoses, doctorHelp, parseDoctorCommand } from '../../../bin/doctor/doctor-command.ts';
import { doctorDeps, examine, runDoctor } from '../../../bin/doctor/run-doctor.ts';
import { parseSettings } from '../../../lib/settings.ts';
import { runCommand } from '../../fixtures/clouds/programs.ts';
import {
  bootstrap,
  cachePolicies,
  certificate,
  concurrency,
  countOf,
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
  nodeVersion?: string;
}

/** What the doctor finds, as `state name: fact → advice`; of the diagnosis `only`, if one is named. */
async function findings(change: Change = {}, only?: string): Promise<string[]> {
  const aws = await startRecordedAws({ ...readyAccount, ...change.account });
  const names = await startNameServer(change.zone ?? readyZone);
  try {
    const own = parseSettings({ ...settings, ...change.settings });
    const deps = doctorDeps(aws.reach, { name: 'prod', settings: own }, [names.server]);
    const all = { ...deps, nodeVersion: change.nodeVersion ?? '24.1.0' };
    const diagnosis = diagnoses.find(({ name }) => name === only);
    const found =
      diagnosis === undefined
        ? await examine(all)
        : (await diagnosis.run(all)).map((finding) => ({ name: diagnosis.name, ...finding }));
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
      'node',
      'quotas',
      'aliases',
      'caa',
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

/** CloudFormation's answer for a stack that does not exist. */
const noStack = {
  status: 400,
  body: '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id SlipwayService-prod does not exist</Message></Error></ErrorResponse>',
};

const zoneId = 'Z0123456789ABCDEFGHIJ';
const inZone = { settings: { appZone: { id: zoneId, name: 'example.org' } } };
/** Route 53's answers about a zone. */
const hostedZone = (name: string, isPrivate = false): Recording => ({
  [`GET /2013-04-01/hostedzone/${zoneId}`]: {
    body: `<GetHostedZoneResponse><HostedZone><Id>/hostedzone/${zoneId}</Id><Name>${name}.</Name><Config><PrivateZone>${isPrivate}</PrivateZone></Config></HostedZone><DelegationSet><NameServers><NameServer>ns-1.awsdns-01.org</NameServer></NameServers></DelegationSet></GetHostedZoneResponse>`,
  },
});
const holding = (records: [name: string, type: string][], isTruncated = false): Recording => ({
  [stack]: noStack,
  [mailDomain]: noIdentity,
  ...hostedZone('example.org'),
  [`GET /2013-04-01/hostedzone/${zoneId}/rrset`]: {
    body: `<ListResourceRecordSetsResponse><ResourceRecordSets>${records.map(([name, type]) => `<ResourceRecordSet><Name>${name}.</Name><Type>${type}</Type></ResourceRecordSet>`).join('')}</ResourceRecordSets><IsTruncated>${isTruncated}</IsTruncated></ListResourceRecordSetsResponse>`,
  },
});
const noZone = {
  status: 404,
  body: '<ErrorResponse><Error><Code>NoSuchHostedZone</Code><Message>none</Message></Error></ErrorResponse>',
};
const noIdentity = {
  ...answer({ message: 'none' }, 404),
  headers: { 'x-amzn-errortype': 'NotFoundException' },
};

/** CloudFront knows no distribution of this account with the name; another account's has it. */
const aliasElsewhere: Recording = {
  [distributions]: {
    body: '<DistributionList xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><IsTruncated>false</IsTruncated><Quantity>1</Quantity><Items><DistributionSummary><Id>E1</Id><DomainName>d1.cloudfront.net</DomainName></DistributionSummary></Items></DistributionList>',
  },
  'GET /2020-05-31/conflicting-alias?Alias=drop.example.org&DistributionId=E1': {
    body: '<ConflictingAliasesList xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><Quantity>1</Quantity><Items><ConflictingAlias><Alias>drop.example.org</Alias><DistributionId>*****Y7ZQ</DistributionId><AccountId>******789012</AccountId></ConflictingAlias></Items></ConflictingAliasesList>',
  },
};

test.each<[string, Change, RegExp]>([
  [
    'a Node that is too old to deploy',
    { nodeVersion: '20.19.0' },
    /problem node: This is Node 20\.19\.0.*22 or newer/,
  ],
  [
    'a quota that stages have nearly used up',
    { account: { [cachePolicies]: countOf('CachePolicyList', 18) } },
    /warning quotas: The account has 18 of 20 cache policies/,
  ],
  [
    'a quota without room for another stage',
    {
      account: {
        [stack]: noStack,
        [mailDomain]: noIdentity,
        [cachePolicies]: countOf('CachePolicyList', 16),
      },
    },
    /problem quotas: The account has 16 of 20 cache policies/,
  ],
  [
    'a name that another account has',
    { account: aliasElsewhere },
    /problem aliases: drop\.example\.org belongs to .*Y7ZQ of the account .*789012/,
  ],
  [
    'a name that leads to an unknown distribution',
    {
      account: {
        [distributions]: {
          body: '<DistributionList xmlns="http://cloudfront.amazonaws.com/doc/2020-05-31/"><IsTruncated>false</IsTruncated><Quantity>0</Quantity></DistributionList>',
        },
      },
    },
    /warning aliases: drop\.example\.org leads to d1\.cloudfront\.net, .*not this stage's/,
  ],
  [
    'a zone that does not exist',
    { ...inZone, account: { [`GET /2013-04-01/hostedzone/${zoneId}`]: noZone } },
    /problem zones: appZone: this account has no hosted zone Z0123/,
  ],
  [
    'a zone of another name',
    { ...inZone, account: hostedZone('other.org') },
    /problem zones: appZone: .* is that of other\.org, not of example\.org/,
  ],
  [
    'a private zone',
    { ...inZone, account: hostedZone('example.org', true) },
    /problem zones: .*is private/,
  ],
  [
    'a zone without a delegation',
    { ...inZone, account: hostedZone('example.org') },
    /problem zones: example\.org is delegated to no servers.*ns-1\.awsdns-01\.org/,
  ],
  [
    'a zone that is delegated elsewhere',
    {
      ...inZone,
      account: hostedZone('example.org'),
      zone: { ...readyZone, 'NS example.org': 'ns.registrar.example' },
    },
    /problem zones: example\.org is delegated to ns\.registrar\.example/,
  ],
  [
    'a zone that is right',
    {
      ...inZone,
      account: hostedZone('example.org'),
      zone: { ...readyZone, 'NS example.org': 'ns-1.awsdns-01.org' },
    },
    /ok zones: example\.org is delegated to its hosted zone/,
  ],
  [
    'a record in the place of the app',
    { ...inZone, account: holding([['drop.example.org', 'CNAME']]) },
    /problem records: drop\.example\.org has a record CNAME already/,
  ],
  [
    'a wildcard in the place of the sites',
    {
      settings: { sitesZone: { id: zoneId, name: 'example.net' } },
      account: holding([['\\052.sites.example.net', 'A']]),
    },
    /problem records: \*\.sites\.example\.net has a record A already/,
  ],
  [
    'a DMARC record',
    { ...inZone, account: holding([['_dmarc.example.org', 'TXT']]) },
    /problem records: _dmarc\.example\.org has a record TXT.*mailIdentity/,
  ],
  [
    'a zone of more records than one answer has',
    { ...inZone, account: holding([], true) },
    /unknown records: Only the first 300/,
  ],
  [
    'CAA records of another authority',
    { zone: { ...readyZone, 'CAA example.org': 'issue letsencrypt.org' } },
    /problem caa: .*drop\.example\.org only from letsencrypt\.org/,
  ],
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
    /problem certificates: .*not for \*\.sites\.example\.net and sites\.example\.net/,
  ],
  [
    'a certificate for the wildcard without its domain',
    {
      account: {
        [certificate]: answer({
          Certificate: { ...issued, SubjectAlternativeNames: ['*.sites.example.net'] },
        }),
      },
    },
    /problem certificates: .*not for \*\.sites\.example\.net and sites\.example\.net/,
  ],
  [
    'a bare sites domain without a record',
    { zone: { ...readyZone, 'A sites.example.net': undefined } },
    /warning dns: sites\.example\.net has no DNS record.*ALIAS/,
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
        [stack]: noStack,
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
])('%s is found', async (_, change, expected) => {
  const [, name] = /^\w+ ([\w-]+): /.exec(expected.source) ?? [];
  expect(await findings(change, name)).toContainEqual(expect.stringMatching(expected));
});

test('credentials that may not read are told what to allow, and the other questions are asked', async () => {
  const denied = { [concurrency]: answer({ __type: 'AccessDeniedException' }, 403) };
  const found = await findings({ account: denied });
  expect(found).toContainEqual(
    expect.stringMatching(/unknown concurrency: .*AccessDenied.*allow lambda:GetAccountSettings/),
  );
  expect(found.length).toBeGreaterThan(5);
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

test('records that are not in the way, and those of the stage itself, are no problem', async () => {
  const others = holding([
    ['drop.example.org', 'TXT'],
    ['www.example.org', 'A'],
  ]);
  expect(await findings({ ...inZone, account: others })).toContainEqual(
    expect.stringMatching(/^ok records: No record is in the way/),
  );
  const { [stack]: _, ...deployed } = holding([['drop.example.org', 'A']]);
  const found = await findings({ ...inZone, account: deployed });
  expect(found.filter((one) => /^\w+ records:/.test(one))).toEqual([]);
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
