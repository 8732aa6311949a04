import {
  type ACMClient,
  type CertificateDetail,
  DeleteCertificateCommand,
  DescribeCertificateCommand,
  ListCertificatesCommand,
  RequestCertificateCommand,
  type RequestCertificateCommandInput,
} from '@aws-sdk/client-acm';
import { describe, expect, test } from '@jest/globals';
import { anAcm, DAY, SECOND } from './an-acm.ts';

const NAMES = { DomainName: '*.customer.com', SubjectAlternativeNames: ['customer.com'] };
const TAGS = [{ Key: 'slipway:domain', Value: 'd1' }];

async function requested(client: ACMClient, input: Partial<RequestCertificateCommandInput> = {}) {
  const command = new RequestCertificateCommand({ ...NAMES, ValidationMethod: 'DNS', ...input });
  return (await client.send(command)).CertificateArn ?? '';
}

async function described(client: ACMClient, CertificateArn: string): Promise<CertificateDetail> {
  const { Certificate } = await client.send(new DescribeCertificateCommand({ CertificateArn }));
  return Certificate ?? {};
}

type Acm = Awaited<ReturnType<typeof anAcm>>;

/** Adds the validation record that ACM names. */
async function proved({ client, add, advance }: Acm, arn: string): Promise<void> {
  advance(5 * SECOND);
  const record = (await described(client, arn)).DomainValidationOptions?.[0]?.ResourceRecord;
  add(record?.Name?.replace(/\.$/, '') ?? '', 'CNAME', record?.Value ?? '');
}

/** A certificate that is issued. */
async function issued(acm: Acm): Promise<string> {
  const arn = await requested(acm.client);
  await proved(acm, arn);
  await described(acm.client, arn);
  acm.advance(30 * SECOND);
  await described(acm.client, arn);
  return arn;
}

test('a certificate is pending, shows its record after some seconds, and is issued when the record is found', async () => {
  const acm = await anAcm();
  const { client, advance } = acm;
  const arn = await requested(client);
  const first = await described(client, arn);
  expect(first.Status).toBe('PENDING_VALIDATION');
  expect(first.DomainValidationOptions?.map((one) => one.ResourceRecord)).toEqual([
    undefined,
    undefined,
  ]);
  await proved(acm, arn);
  expect((await described(client, arn)).Status).toBe('PENDING_VALIDATION');
  advance(30 * SECOND);
  const after = await described(client, arn);
  expect(after).toMatchObject({
    Status: 'ISSUED',
    InUseBy: [],
    SubjectAlternativeNames: ['*.customer.com', 'customer.com'],
  });
  expect((Number(after.NotAfter) - Number(after.NotBefore)) / DAY).toBe(198);
  const [wildcard, bare] = after.DomainValidationOptions ?? [];
  expect(wildcard?.ResourceRecord).toEqual(bare?.ResourceRecord);
  expect(wildcard?.ResourceRecord?.Name).toMatch(/^_[0-9a-f]{32}\.customer\.com\.$/);
});

test('another account’s proof is of no use, and without one the request times out after 72 hours', async () => {
  const { client, add, advance } = await anAcm();
  const arn = await requested(client);
  add('_00000000000000000000000000000000.customer.com', 'CNAME', '_1.acm-validations.aws');
  advance(3 * DAY - SECOND);
  expect((await described(client, arn)).Status).toBe('PENDING_VALIDATION');
  advance(SECOND);
  const late = await described(client, arn);
  expect(late.Status).toBe('VALIDATION_TIMED_OUT');
  expect(late.DomainValidationOptions?.[0]?.ValidationStatus).toBe('FAILED');
});

test.each([
  ['0 issue "letsencrypt.org"', 'FAILED'],
  ['0 issue ";"', 'FAILED'],
  ['0 issuewild "letsencrypt.org"', 'FAILED'],
  ['0 issue "amazon.com"', 'ISSUED'],
  ['0 issue "AmazonTrust.com; policy=ev"', 'ISSUED'],
  ['0 iodef "mailto:a@customer.com"', 'ISSUED'],
])('a CAA record %s: %s', async (caa, status) => {
  const acm = await anAcm();
  acm.add('customer.com', 'CAA', caa);
  const arn = await issued(acm);
  expect(await described(acm.client, arn)).toMatchObject({
    Status: status,
    ...(status === 'FAILED' && { FailureReason: 'CAA_ERROR' }),
  });
});

describe('renewal', () => {
  test('a certificate in use whose record stayed lives on', async () => {
    const acm = await anAcm();
    const arn = await issued(acm);
    acm.users.push('arn:aws:cloudfront::000000000000:distribution-tenant/dt_1');
    acm.advance(153 * DAY);
    const renewed = await described(acm.client, arn);
    expect(renewed).toMatchObject({
      Status: 'ISSUED',
      RenewalEligibility: 'ELIGIBLE',
      RenewalSummary: { RenewalStatus: 'SUCCESS' },
    });
    acm.advance(300 * DAY);
    expect((await described(acm.client, arn)).Status).toBe('ISSUED');
  });

  test('a missing record is waited for, and then the certificate expires', async () => {
    const acm = await anAcm();
    const arn = await issued(acm);
    acm.users.push('user');
    acm.records.length = 0;
    acm.advance(153 * DAY);
    const waiting = await described(acm.client, arn);
    expect(waiting).toMatchObject({
      Status: 'ISSUED',
      RenewalSummary: { RenewalStatus: 'PENDING_VALIDATION' },
    });
    expect(waiting.RenewalSummary?.DomainValidationOptions?.[0]?.ResourceRecord?.Type).toBe(
      'CNAME',
    );
    acm.advance(45 * DAY);
    expect((await described(acm.client, arn)).Status).toBe('EXPIRED');
  });
});

test('one token is one certificate for an hour', async () => {
  const { client, advance } = await anAcm();
  const token = { IdempotencyToken: 'domain_1' };
  const arn = await requested(client, token);
  expect(await requested(client, token)).toBe(arn);
  advance(3600 * SECOND);
  expect(await requested(client, token)).not.toBe(arn);
});

test('a certificate in use cannot be deleted', async () => {
  const { client, users } = await anAcm();
  const CertificateArn = await requested(client);
  users.push('user');
  const remove = () => client.send(new DeleteCertificateCommand({ CertificateArn }));
  await expect(remove()).rejects.toMatchObject({ name: 'ResourceInUseException' });
  users.length = 0;
  await remove();
  await expect(remove()).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('a certificate keeps its tags after a restart', async () => {
  const { client, reopened } = await anAcm();
  const arn = await requested(client, { Tags: TAGS });
  expect(reopened().find(arn)?.tags).toEqual(TAGS);
});

test('another operation is refused', async () => {
  const { client } = await anAcm({ actions: ['acm:*'] });
  const list = client.send(new ListCertificatesCommand({}));
  await expect(list).rejects.toMatchObject({ name: 'UnknownOperationException' });
});

test.each([
  ['a token with a hyphen', { IdempotencyToken: 'a-b' }, 'ValidationException'],
  ['a token of 33 characters', { IdempotencyToken: 'x'.repeat(33) }, 'ValidationException'],
  [
    'a long first name',
    { DomainName: `${'x'.repeat(60)}.customer.com` },
    'InvalidDomainValidationOptionsException',
  ],
  [
    'eleven names',
    { SubjectAlternativeNames: Array.from({ length: 10 }, (_, index) => `a${index}.customer.com`) },
    'LimitExceededException',
  ],
] as const)('refuses %s', async (_, input, name) => {
  const { client } = await anAcm();
  await expect(requested(client, { ...input } as never)).rejects.toMatchObject({ name });
});

describe('permissions', () => {
  test('a request needs the resource *', async () => {
    const { client } = await anAcm({
      resource: 'arn:aws:acm:us-east-1:000000000000:certificate/*',
    });
    await expect(requested(client)).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  test('a request with tags needs the permission to add tags', async () => {
    const { client } = await anAcm({ actions: ['acm:RequestCertificate'] });
    await requested(client);
    await expect(requested(client, { Tags: TAGS })).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
  });

  test('conditions see the tags of the request and of the certificate', async () => {
    const conditions = { StringLike: { 'aws:ResourceTag/slipway:domain': '*' } };
    const { client } = await anAcm({ actions: ['acm:DescribeCertificate'], conditions });
    await expect(
      described(
        client,
        'arn:aws:acm:us-east-1:000000000000:certificate/00000000-0000-0000-0000-000000000000',
      ),
    ).rejects.toMatchObject({ name: 'AccessDeniedException' });
    const tagged = await anAcm({
      actions: ['acm:RequestCertificate', 'acm:AddTagsToCertificate'],
      conditions: { StringEquals: { 'aws:RequestTag/slipway:domain': 'd1' } },
    });
    await requested(tagged.client, { Tags: TAGS });
    await expect(requested(tagged.client)).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  test('a wrong signature is refused', async () => {
    const { client, credentials } = await anAcm();
    client.config.credentials = async () => ({ ...credentials, secretAccessKey: 'wrong' });
    await expect(requested(client)).rejects.toMatchObject({ name: 'InvalidSignatureException' });
  });
});

test('too many calls in a second are throttled, and so are ordered ones', async () => {
  const { client, advance, failures } = await anAcm();
  for (let calls = 0; calls < 5; calls++) await requested(client);
  await expect(requested(client)).rejects.toMatchObject({ name: 'ThrottlingException' });
  advance(SECOND);
  failures.add({
    service: 'acm',
    action: 'RequestCertificate',
    error: 'LimitExceededException',
    times: 1,
  });
  await expect(requested(client)).rejects.toMatchObject({ name: 'LimitExceededException' });
  await requested(client);
});
