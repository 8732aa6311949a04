import {
  ListCachePoliciesCommand,
  ListResponseHeadersPoliciesCommand,
  paginateListDistributionTenants,
} from '@aws-sdk/client-cloudfront';
import * as z from 'zod';
import { jsonCall } from './account-state.ts';
import { operatorCloudFront, type OperatorReach } from './operator-client.ts';
import { signedReads } from './signed-reads.ts';

/** What an AWS account has of something that its stages share, and how much it may have. */
export interface SharedQuota {
  name: string;
  used: number;
  quota: number;
}

/** What stages share, with the quota's name in Service Quotas and AWS's default. */
const shared = {
  'cache policies': ['cloudfront', 'Cache policies per AWS account', 20],
  'response headers policies': ['cloudfront', 'Response headers policies per AWS account', 20],
  'distribution tenants': [
    'cloudfront',
    'Maximum number of distribution tenants per AWS account',
    10_000,
  ],
  certificates: ['acm', 'ACM certificates', 2500],
} as const;

type SharedName = keyof typeof shared;

const Quotas = z.object({
  Quotas: z.array(z.object({ QuotaName: z.string(), Value: z.number() })).default([]),
  NextToken: z.string().optional(),
});
const Certificates = z.object({
  CertificateSummaryList: z.array(z.unknown()).default([]),
  NextToken: z.string().optional(),
});

/** Counts what the stages of an account share in CloudFront and ACM. Only reads. */
export function sharedQuotas(reach: OperatorReach): () => Promise<SharedQuota[]> {
  const used = usedOf(reach);
  const quotaOf = quotaReader(reach);
  return async () => {
    const names: SharedName[] = [
      'cache policies',
      'response headers policies',
      'distribution tenants',
      'certificates',
    ];
    const found: SharedQuota[] = [];
    for (const name of names) {
      const [service, quotaName, usual] = shared[name];
      const quota = (await quotaOf(service)).get(quotaName) ?? usual;
      found.push({ name, used: await used[name](), quota });
    }
    return found;
  };
}

function usedOf(reach: OperatorReach): Record<SharedName, () => Promise<number>> {
  const client = operatorCloudFront(reach);
  const read = signedReads(reach);
  return {
    'cache policies': async () => {
      const { CachePolicyList: list } = await client.send(
        new ListCachePoliciesCommand({ Type: 'custom' }),
      );
      return list?.Quantity ?? 0;
    },
    'response headers policies': async () => {
      const { ResponseHeadersPolicyList: list } = await client.send(
        new ListResponseHeadersPoliciesCommand({ Type: 'custom' }),
      );
      return list?.Quantity ?? 0;
    },
    'distribution tenants': async () => {
      let count = 0;
      for await (const page of paginateListDistributionTenants({ client }, {}))
        count += page.DistributionTenantList?.length ?? 0;
      return count;
    },
    certificates: async () =>
      countPages(async (NextToken) => {
        const call = jsonCall('CertificateManager.ListCertificates', { MaxItems: 1000, NextToken });
        const page = Certificates.parse(JSON.parse(await read('acm', call)));
        return { count: page.CertificateSummaryList.length, next: page.NextToken };
      }),
  };
}

async function countPages(
  read: (next: string | undefined) => Promise<{ count: number; next: string | undefined }>,
): Promise<number> {
  let total = 0;
  let next: string | undefined;
  do {
    const page = await read(next);
    total += page.count;
    next = page.next;
  } while (next !== undefined);
  return total;
}

/** The quotas of a service that differ by account, by name. A service is asked once. */
function quotaReader(reach: OperatorReach) {
  const read = signedReads(reach);
  const known = new Map<string, Map<string, number>>();
  return async (ServiceCode: string): Promise<Map<string, number>> => {
    const before = known.get(ServiceCode);
    if (before !== undefined) return before;
    const values = new Map<string, number>();
    await countPages(async (NextToken) => {
      const call = jsonCall('ServiceQuotasV20190624.ListServiceQuotas', {
        ServiceCode,
        MaxResults: 100,
        NextToken,
      });
      const page = Quotas.parse(JSON.parse(await read('servicequotas', call)));
      for (const { QuotaName, Value } of page.Quotas) values.set(QuotaName, Value);
      return { count: page.Quotas.length, next: page.NextToken };
    });
    known.set(ServiceCode, values);
    return values;
  };
}
