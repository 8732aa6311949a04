import { join } from 'node:path';
import * as z from 'zod';
import type { LookUpResult } from '../dns/lookup.ts';
import { stateFile } from '../state/state-file.ts';
import type { Clock } from '../time/clock.ts';
import { Certificate, observedCertificate } from './certificate.ts';

/** The file in the state folder that stores certificates. */
export const CERTIFICATES_FILE = 'certificates.json';

export interface CertificateStoreOptions {
  stateDir: string;
  clock: Pick<Clock, 'now'>;
  lookUp: (name: string, type: string) => LookUpResult;
  issueDelayMs: number;
  /** The ARNs of what uses a certificate. */
  usersOf: (arn: string) => string[];
}

const Stored = z.strictObject({
  certificates: z.array(Certificate),
  /** Instants of the requests of the last year, for the quota. */
  requests: z.array(z.number()),
});

const YEAR_MS = 365 * 86_400_000;

/** The certificates of the account, each in its state of now. */
export type CertificateStore = ReturnType<typeof certificateStore>;

/** Opens the store. A state that changed by itself is written when somebody asks for it. */
export function certificateStore(options: CertificateStoreOptions) {
  const { stateDir, clock, lookUp, issueDelayMs, usersOf } = options;
  const file = stateFile(join(stateDir, CERTIFICATES_FILE), Stored, {
    certificates: [],
    requests: [],
  });
  const stored = file.read();
  const certificates = new Map(stored.certificates.map((one) => [one.arn, one]));
  let requests = stored.requests;
  const save = () => file.write({ certificates: [...certificates.values()], requests });
  const observe = (certificate: Certificate): Certificate => {
    const seen = { now: clock.now().getTime(), lookUp, issueDelayMs };
    const isInUse = usersOf(certificate.arn).length > 0;
    const observed = observedCertificate(certificate, { ...seen, isInUse });
    if (JSON.stringify(observed) !== JSON.stringify(certificate)) {
      certificates.set(observed.arn, observed);
      save();
    }
    return observed;
  };
  return {
    list: () => [...certificates.values()].map(observe),
    find(arn: string) {
      const found = certificates.get(arn);
      return found === undefined ? undefined : observe(found);
    },
    put(certificate: Certificate) {
      certificates.set(certificate.arn, certificate);
      save();
    },
    /** Adds a requested certificate, which counts for a year. */
    add(certificate: Certificate) {
      certificates.set(certificate.arn, certificate);
      requests = [...requests.filter(isOfTheYear(clock)), clock.now().getTime()];
      save();
    },
    delete(arn: string) {
      certificates.delete(arn);
      save();
    },
    requestsOfTheYear: () => requests.filter(isOfTheYear(clock)).length,
    usersOf: (arn: string) => usersOf(arn),
  };
}

function isOfTheYear(clock: Pick<Clock, 'now'>): (at: number) => boolean {
  return (at) => at > clock.now().getTime() - YEAR_MS;
}
