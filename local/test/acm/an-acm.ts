import { ACMClient } from '@aws-sdk/client-acm';
import { afterEach } from '@jest/globals';
import { startAcm } from '../../acm/acm.ts';
import { certificateStore } from '../../acm/certificate-store.ts';
import { lookUp, type Zones } from '../../dns/lookup.ts';
import type { ZoneRecord } from '../../dns/zone-records.ts';
import { orderedFailures } from '../../operator/failures.ts';
import { movableClock } from '../../time/clock.ts';
import { anIam } from '../an-iam.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const ALL = [
  'acm:RequestCertificate',
  'acm:AddTagsToCertificate',
  'acm:DescribeCertificate',
  'acm:DeleteCertificate',
];

export const SECOND = 1000;
export const DAY = 86_400 * SECOND;

/** A running ACM whose clock moves a second with each call, and a zone that tests change. */
export async function anAcm({ actions = ALL, conditions = {}, resource = '*' } = {}) {
  const { iam, credentials } = anIam(actions, conditions, resource);
  const clock = movableClock();
  const records: ZoneRecord[] = [];
  const zones: Zones = {
    'customer.com': { negativeTtlSeconds: 60, dnssec: 'unsigned', records },
    'other.com': { negativeTtlSeconds: 60, dnssec: 'unsigned', records: [] },
  };
  const users: string[] = [];
  const stateDir = temporaryFolder('acm');
  const storeOptions = {
    stateDir,
    clock,
    lookUp: (name: string, type: string) => lookUp(zones, name, type),
    issueDelayMs: 30 * SECOND,
    usersOf: () => users,
  };
  const failures = orderedFailures();
  const store = certificateStore(storeOptions);
  const calls: string[] = [];
  const server = await startAcm({
    clock,
    iam,
    store,
    failures,
    recordDelayMs: 5 * SECOND,
    onCall: (action) => calls.push(action),
  });
  const client = new ACMClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials,
    maxAttempts: 1,
    systemClockOffset: 0,
  });
  ends.push(async () => {
    client.destroy();
    await server.close();
  });
  const add = (name: string, type: ZoneRecord['type'], value: string) =>
    records.push({ name, type, value, ttlSeconds: 60 });
  const advance = (ms: number) => {
    clock.advance(ms);
    client.config.systemClockOffset = clock.offsetMs;
  };
  const reopened = () => certificateStore(storeOptions);
  return {
    client,
    credentials,
    url: server.url,
    advance,
    add,
    records,
    users,
    failures,
    calls,
    reopened,
  };
}
