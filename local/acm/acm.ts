import { tagContext } from '../iam/policy.ts';
import type { ServiceServer } from '../http/service-server.ts';
import { ServiceError } from '../errors.ts';
import {
  awsJson,
  jsonAnswer,
  jsonBody,
  type ServiceDeps,
  startSignedService,
  targetOf,
} from '../signatures/signed-service.ts';
import type { Failures } from '../operator/failures.ts';
import type { Clock } from '../time/clock.ts';
import { acmCalls } from './acm-operations.ts';
import type { CertificateStore } from './certificate-store.ts';

export interface AcmOptions extends ServiceDeps {
  store: CertificateStore;
  recordDelayMs: number;
  failures: Pick<Failures, 'take'>;
  onCall(action: string): void;
}

/** Calls a second that ACM takes of an account ("Quotas", API rate quotas). */
const CALLS_A_SECOND: Record<string, number> = {
  DeleteCertificate: 10,
  DescribeCertificate: 10,
  RequestCertificate: 5,
};

/** Counts the calls of the last second; throws for one too many. */
function rateLimit(clock: Pick<Clock, 'now'>): (action: string) => void {
  const recent = new Map<string, number[]>();
  return (action) => {
    const now = clock.now().getTime();
    const calls = (recent.get(action) ?? []).filter((at) => at > now - 1000);
    if (calls.length >= (CALLS_A_SECOND[action] ?? 1)) {
      throw new ServiceError('ThrottlingException', 'Rate exceeded');
    }
    recent.set(action, [...calls, now]);
  };
}

/** Starts ACM (JSON 1.1): public certificates that are validated by DNS. */
export function startAcm(options: AcmOptions): Promise<ServiceServer> {
  const { store, recordDelayMs, clock, failures } = options;
  const countCall = rateLimit(clock);
  const deps = { store, recordDelayMs, now: () => clock.now().getTime() };
  return startSignedService(options, { service: 'acm', protocol: awsJson }, (call) => {
    const name = targetOf(call);
    const operation = Object.hasOwn(acmCalls, name) ? acmCalls[name] : undefined;
    if (operation === undefined) {
      throw new ServiceError('UnknownOperationException', `The local ACM does not know '${name}'.`);
    }
    options.onCall(name);
    failures.take('acm', name);
    countCall(name);
    const { actions, run } = operation(deps, jsonBody(call));
    for (const { action, resource, tags, requestTags } of actions) {
      const tagged = tagContext({ request: requestTags, resource: tags });
      call.requirePermission(`acm:${action}`, resource, tagged);
    }
    return jsonAnswer(run());
  });
}
