import * as z from 'zod';
import { isNamed, jsonCall } from './account-state.ts';
import type { OperatorReach } from './operator-client.ts';
import { signedReads } from './signed-reads.ts';

/** A certificate of ACM. */
export interface CertificateState {
  /** `ISSUED`, `PENDING_VALIDATION`, `EXPIRED`, … */
  status: string;
  /** All its names, including wildcards. */
  names: string[];
  expiresAt: Date | undefined;
  /**
   * ACM's status of the renewal: `PENDING_AUTO_RENEWAL`, `PENDING_VALIDATION`, `SUCCESS`, `FAILED`;
   * undefined before the first.
   */
  renewal: string | undefined;
  /** CNAME records that ACM still waits for, and needs again at each renewal. */
  records: { name: string; value: string }[];
}

const Answer = z.object({
  Certificate: z.object({
    Status: z.string(),
    DomainName: z.string(),
    SubjectAlternativeNames: z.array(z.string()).default([]),
    /** Epoch seconds. */
    NotAfter: z.number().optional(),
    RenewalSummary: z.object({ RenewalStatus: z.string() }).optional(),
    DomainValidationOptions: z
      .array(
        z.object({
          ValidationStatus: z.string().optional(),
          ResourceRecord: z.object({ Name: z.string(), Value: z.string() }).optional(),
        }),
      )
      .default([]),
  }),
});

/** Reads certificates by their ARN; undefined for one that does not exist. */
export function certificateReader(reach: OperatorReach) {
  const read = signedReads(reach);
  return async (arn: string): Promise<CertificateState | undefined> => {
    try {
      const call = jsonCall('CertificateManager.DescribeCertificate', { CertificateArn: arn });
      return stateOf(JSON.parse(await read('acm', call)));
    } catch (error) {
      if (isNamed(error, 'ResourceNotFoundException')) return undefined;
      throw error;
    }
  };
}

function stateOf(answer: unknown): CertificateState {
  const { Certificate: found } = Answer.parse(answer);
  return {
    status: found.Status,
    names: [...new Set([found.DomainName, ...found.SubjectAlternativeNames])],
    expiresAt: found.NotAfter === undefined ? undefined : new Date(found.NotAfter * 1000),
    renewal: found.RenewalSummary?.RenewalStatus,
    records: found.DomainValidationOptions.flatMap(
      ({ ResourceRecord: record, ValidationStatus: status }) =>
        record === undefined || status === 'SUCCESS'
          ? []
          : [{ name: record.Name, value: record.Value }],
    ),
  };
}
