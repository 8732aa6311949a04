import {
  ACMClient,
  type CertificateDetail,
  DeleteCertificateCommand,
  DescribeCertificateCommand,
  LimitExceededException,
  RequestCertificateCommand,
  RequestInProgressException,
  ResourceInUseException,
  ResourceNotFoundException,
  ThrottlingException,
} from '@aws-sdk/client-acm';
import { createHash } from 'node:crypto';
import type { CertificateState, Certificates } from '../../core/domains/ports.ts';
import { instant } from '../../core/instants.ts';
import { awsDeadlines } from '../failures/service-failure.ts';
import { domainTags } from '../../contract/domain.ts';

/** Certificates of a stage's custom domains in ACM. */
export function certificates(stage: string, client = new ACMClient(awsDeadlines)): Certificates {
  return {
    async request({ id, name, certificateRound }) {
      const command = new RequestCertificateCommand({
        DomainName: `*.${name}`,
        SubjectAlternativeNames: [name],
        ValidationMethod: 'DNS',
        KeyAlgorithm: 'RSA_2048',
        // At most 32 word characters; ACM remembers a token for an hour.
        IdempotencyToken: createHash('sha256')
          .update(`${id}#${certificateRound}`)
          .digest('hex')
          .slice(0, 32),
        Tags: [
          { Key: domainTags.domain, Value: id },
          { Key: domainTags.stage, Value: stage },
        ],
      });
      const requested = await unlessBusy(() => client.send(command));
      if (requested === 'busy') return undefined;
      if (requested.CertificateArn === undefined) throw new Error('ACM returned no ARN');
      return requested.CertificateArn;
    },
    describe: (arn) => describe(client, arn),
    remove: (CertificateArn) =>
      unlessBusy(async () => {
        try {
          await client.send(new DeleteCertificateCommand({ CertificateArn }));
          return 'removed';
        } catch (error) {
          if (error instanceof ResourceNotFoundException) return 'removed';
          if (error instanceof ResourceInUseException) return 'in-use';
          throw error;
        }
      }),
  };
}

async function describe(client: ACMClient, CertificateArn: string): Promise<CertificateState> {
  try {
    const { Certificate } = await client.send(new DescribeCertificateCommand({ CertificateArn }));
    return Certificate === undefined ? { kind: 'unknown' } : stateOf(Certificate);
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return { kind: 'none' };
    if (isBusy(error)) return { kind: 'unknown' };
    throw error;
  }
}

function stateOf(found: CertificateDetail): CertificateState {
  const validation = validationOf(found);
  if (found.Status === 'PENDING_VALIDATION') return { kind: 'pending', validation };
  if (found.Status !== 'ISSUED')
    return { kind: 'failed', reason: found.FailureReason ?? found.Status ?? 'unknown' };
  const expiresAt = found.NotAfter === undefined ? null : instant(found.NotAfter);
  return { kind: 'issued', validation, expiresAt };
}

/** The same record validates the wildcard and the bare name. It appears moments after the request. */
function validationOf({ DomainValidationOptions = [] }: CertificateDetail) {
  const record = DomainValidationOptions.find(({ ResourceRecord }) => ResourceRecord !== undefined);
  const { Name, Value } = record?.ResourceRecord ?? {};
  if (Name === undefined || Value === undefined) return null;
  return { name: withoutDot(Name), value: withoutDot(Value) };
}

function withoutDot(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** Returns `busy` after a quota or throttling error; maintenance then tries again. */
async function unlessBusy<T>(call: () => Promise<T>): Promise<T | 'busy'> {
  try {
    return await call();
  } catch (error) {
    if (isBusy(error)) return 'busy';
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof LimitExceededException ||
    error instanceof RequestInProgressException ||
    error instanceof ThrottlingException
  );
}
