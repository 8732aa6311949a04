import * as z from 'zod';
import { isDnsName } from '../dns/zone-records.ts';
import { ServiceError } from '../errors.ts';
import { type Certificate, requestedCertificate, Tag, validationRecord } from './certificate.ts';
import type { CertificateStore } from './certificate-store.ts';

/** Quotas of an account in a region. */
const MAX_CERTIFICATES = 2500;
const MAX_REQUESTS_A_YEAR = 5000;
const MAX_NAMES = 10;
const MAX_TAGS = 50;
const MAX_COMMON_NAME = 64;
const TOKEN_MS = 3_600_000;

const DomainName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^(\*\.)?(((?!-)[A-Za-z0-9-]{0,62}[A-Za-z0-9])\.)+((?!-)[A-Za-z0-9-]{1,62}[A-Za-z0-9])$/);

const RequestInput = z.strictObject({
  DomainName,
  SubjectAlternativeNames: z.array(DomainName).min(1).max(100).optional(),
  ValidationMethod: z.enum(['DNS', 'EMAIL', 'HTTP']).optional(),
  IdempotencyToken: z.string().min(1).max(32).regex(/^\w+$/).optional(),
  KeyAlgorithm: z.literal('RSA_2048').default('RSA_2048'),
  Tags: z.array(Tag).min(1).max(MAX_TAGS).optional(),
});

const ArnInput = z.strictObject({ CertificateArn: z.string().min(20).max(2048) });

/** One call: what IAM must allow, and the answer. */
export interface AcmCall {
  /** Actions that the caller needs; the first is the call's own. */
  actions: {
    action: string;
    resource: string;
    tags: readonly Tag[];
    requestTags: readonly Tag[];
  }[];
  run: () => unknown;
}

export interface AcmDeps {
  store: CertificateStore;
  now: () => number;
  /** How long ACM takes until it shows the validation record. */
  recordDelayMs: number;
}

function parse<T>(schema: z.ZodType<T>, input: unknown): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new ServiceError('ValidationException', z.prettifyError(parsed.error));
}

const CERTIFICATE_ARN = /^arn:aws:acm:us-east-1:\d{12}:certificate\/[0-9a-f-]{36}$/;

function certificateCall(
  deps: AcmDeps,
  action: string,
  arn: string,
  run: (certificate: Certificate) => unknown,
): AcmCall {
  if (!CERTIFICATE_ARN.test(arn)) {
    throw new ServiceError('InvalidArnException', `${arn} is not a valid certificate ARN.`);
  }
  const found = deps.store.find(arn);
  return {
    actions: [{ action, resource: arn, tags: found?.tags ?? [], requestTags: [] }],
    run() {
      // Found again, because the state may have changed while permissions were checked.
      const certificate = deps.store.find(arn);
      if (certificate !== undefined) return run(certificate);
      throw new ServiceError('ResourceNotFoundException', `Could not find certificate ${arn}.`);
    },
  };
}

function requestCall(deps: AcmDeps, body: unknown): AcmCall {
  const input = parse(RequestInput, body);
  const tags = input.Tags ?? [];
  const others = (input.SubjectAlternativeNames ?? []).map((name) => name.toLowerCase());
  const names = [...new Set([input.DomainName.toLowerCase(), ...others])];
  return {
    actions: [
      // This action knows no resource: only `*` allows it.
      { action: 'RequestCertificate', resource: '*', tags: [], requestTags: tags },
      ...(tags.length > 0
        ? [{ action: 'AddTagsToCertificate', resource: NEW_CERTIFICATE, tags, requestTags: tags }]
        : []),
    ],
    run: () => ({ CertificateArn: request(deps, { ...input, names, tags }).arn }),
  };
}

/** The ARN of a certificate that does not exist yet matches `certificate/*` only. */
const NEW_CERTIFICATE = 'arn:aws:acm:us-east-1:000000000000:certificate/new';

function requireQuota(store: CertificateStore, names: string[]): void {
  const limits: [number, number, string][] = [
    [names.length, MAX_NAMES + 1, `${MAX_NAMES} domain names in a certificate`],
    [store.list().length, MAX_CERTIFICATES, `${MAX_CERTIFICATES} certificates`],
    [store.requestsOfTheYear(), MAX_REQUESTS_A_YEAR, `${MAX_REQUESTS_A_YEAR} requests in a year`],
  ];
  const reached = limits.find(([count, limit]) => count >= limit);
  if (reached === undefined) return;
  throw new ServiceError(
    'LimitExceededException',
    `Error: you have reached your limit of ${reached[2]}.`,
  );
}

function request(
  { store, now }: AcmDeps,
  input: z.output<typeof RequestInput> & { names: string[]; tags: Tag[] },
): Certificate {
  const { IdempotencyToken: idempotencyToken, names, tags, KeyAlgorithm: keyAlgorithm } = input;
  if (input.ValidationMethod !== 'DNS') {
    throw new ServiceError('InvalidParameterException', 'The local ACM validates by DNS only.');
  }
  const repeated = store
    .list()
    .find((one) => one.idempotencyToken === idempotencyToken && now() < one.requestedAt + TOKEN_MS);
  if (idempotencyToken !== undefined && repeated !== undefined) return repeated;
  if ((names[0] ?? '').length > MAX_COMMON_NAME) {
    throw new ServiceError(
      'InvalidDomainValidationOptionsException',
      `The first domain name can be no longer than ${MAX_COMMON_NAME} characters.`,
    );
  }
  if (!names.every(isDnsName)) {
    throw new ServiceError(
      'InvalidDomainValidationOptionsException',
      'A domain name is not valid.',
    );
  }
  requireQuota(store, names);
  const certificate = requestedCertificate({ names, keyAlgorithm, idempotencyToken, tags }, now());
  store.add(certificate);
  return certificate;
}

function deleteCertificate({ store }: AcmDeps, { arn }: Certificate): object {
  if (store.usersOf(arn).length > 0) {
    throw new ServiceError('ResourceInUseException', `Certificate ${arn} is in use.`);
  }
  store.delete(arn);
  return {};
}

/** The calls that the local ACM knows. */
export const acmCalls: Record<string, (deps: AcmDeps, body: unknown) => AcmCall> = {
  RequestCertificate: requestCall,
  DescribeCertificate: (deps, body) =>
    certificateCall(deps, 'DescribeCertificate', parse(ArnInput, body).CertificateArn, (one) => ({
      Certificate: describeCertificate(one, deps.store.usersOf(one.arn), {
        showsRecords: deps.now() >= one.requestedAt + deps.recordDelayMs,
      }),
    })),
  DeleteCertificate: (deps, body) =>
    certificateCall(deps, 'DeleteCertificate', parse(ArnInput, body).CertificateArn, (one) =>
      deleteCertificate(deps, one),
    ),
};

/** The JSON protocol writes instants in seconds. */
function seconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

function validationStatus({ status, validatedAt }: Certificate): string {
  if (status === 'FAILED' || status === 'VALIDATION_TIMED_OUT') return 'FAILED';
  return validatedAt === undefined ? 'PENDING_VALIDATION' : 'SUCCESS';
}

function validationOptions(certificate: Certificate, status: string, showsRecords: boolean) {
  return certificate.names.map((DomainName) => {
    const { name, value } = validationRecord(DomainName);
    const ResourceRecord = { Name: `${name}.`, Type: 'CNAME', Value: `${value}.` };
    return {
      DomainName,
      ValidationDomain: DomainName,
      ValidationStatus: status,
      ValidationMethod: 'DNS',
      ...(showsRecords && { ResourceRecord }),
    };
  });
}

/** `CertificateDetail`. ACM shows the validation records some seconds after the request. */
function describeCertificate(
  certificate: Certificate,
  usedBy: string[],
  { showsRecords }: { showsRecords: boolean },
) {
  const { status, renewal, failureReason } = certificate;
  const options = (state: string) => validationOptions(certificate, state, showsRecords);
  return {
    CertificateArn: certificate.arn,
    DomainName: certificate.names[0],
    SubjectAlternativeNames: certificate.names,
    DomainValidationOptions: options(validationStatus(certificate)),
    Status: status,
    Type: 'AMAZON_ISSUED',
    KeyAlgorithm: certificate.keyAlgorithm,
    InUseBy: usedBy,
    CreatedAt: seconds(certificate.requestedAt),
    IssuedAt: seconds(certificate.issuedAt),
    NotBefore: seconds(certificate.issuedAt),
    NotAfter: seconds(certificate.notAfter),
    RenewalEligibility: status === 'ISSUED' && usedBy.length > 0 ? 'ELIGIBLE' : 'INELIGIBLE',
    Options: { CertificateTransparencyLoggingPreference: 'ENABLED' },
    ...(failureReason !== undefined && { FailureReason: failureReason }),
    ...(renewal !== undefined && {
      RenewalSummary: {
        RenewalStatus: renewal.status,
        DomainValidationOptions: options(renewal.status),
        UpdatedAt: seconds(renewal.updatedAt),
      },
    }),
  };
}
