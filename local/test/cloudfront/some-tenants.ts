import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { afterEach } from '@jest/globals';
import { type Certificate, requestedCertificate } from '../../acm/certificate.ts';
import { startCloudFrontApi } from '../../cloudfront/cloudfront-api.ts';
import { tenantStore } from '../../cloudfront/tenant-store.ts';
import { orderedFailures } from '../../operator/failures.ts';
import { movableClock } from '../../time/clock.ts';
import { anIam } from '../an-iam.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** An issued certificate for a domain and its wildcard. */
function issuedFor(domain: string): Certificate {
  const names = [`*.${domain}`, domain];
  const requested = requestedCertificate({ names, keyAlgorithm: 'RSA_2048', tags: [] }, 0);
  return { ...requested, status: 'ISSUED', notAfter: Number.POSITIVE_INFINITY };
}

/** A running control plane: distribution `D`, connection group `G`, and changes that take 30 seconds. */
export async function someTenants({
  actions = ['cloudfront:*'],
  conditions = {},
  resource = '*',
} = {}) {
  const { iam, credentials } = anIam(actions, conditions, resource);
  const clock = movableClock();
  const stateDir = temporaryFolder('tenants');
  const store = tenantStore(stateDir);
  const certificates = ['customer.com', 'other.com'].map(issuedFor);
  const failures = orderedFailures();
  const invalidations: unknown[] = [];
  const server = await startCloudFrontApi({
    clock,
    iam,
    invalidate: (id, items) => invalidations.push([id, items]),
    distributions: { read: () => undefined, write: () => undefined },
    tenants: {
      store,
      edge: {
        tenantParameters: (id) => (id === 'D' ? ['domainId'] : undefined),
        connectionGroup: (id) =>
          id === 'G'
            ? { name: 'group', routingEndpoint: 'g.cloudfront.net', enabled: true }
            : undefined,
        hasDomain: (domain) => domain === '*.sites.example',
      },
      certificate: (arn) => certificates.find((one) => one.arn === arn),
      deployMs: 30_000,
    },
    failures,
    onCall: () => undefined,
  });
  const client = new CloudFrontClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials,
    maxAttempts: 1,
  });
  ends.push(async () => {
    client.destroy();
    await server.close();
  });
  const advance = (seconds: number) => {
    clock.advance(seconds * 1000);
    client.config.systemClockOffset = clock.offsetMs;
  };
  const now = () => clock.now().getTime();
  return { client, store, certificates, failures, invalidations, advance, now, stateDir };
}
