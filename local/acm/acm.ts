import { randomUUID } from 'node:crypto';
import type { Iam } from '../iam/iam.ts';
import { tagContext } from '../iam/policy.ts';
import {
  type ServiceAnswer,
  type ServiceRequest,
  type ServiceServer,
  startServiceServer,
} from '../http/service-server.ts';
import { jsonRefusalCode, signerOf } from '../signatures/signed-call.ts';
import type { Failures } from '../operator/failures.ts';
import type { Clock } from '../time/clock.ts';
import { type AcmCall, acmCalls, type AcmDeps, AcmError } from './acm-operations.ts';
import type { CertificateStore } from './certificate-store.ts';

export interface AcmOptions {
  clock: Pick<Clock, 'now'>;
  iam: Pick<Iam, 'allows' | 'callerArn' | 'secretFor'>;
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

function json(status: number, body: unknown): ServiceAnswer {
  return {
    status,
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID() },
    body: JSON.stringify(body),
  };
}

function requirePermission(options: AcmOptions, accessKeyId: string, call: AcmCall): void {
  const { iam } = options;
  for (const { action, resource, tags, requestTags } of call.actions) {
    const context = { ...call.context, ...tagContext({ request: requestTags, resource: tags }) };
    if (iam.allows({ accessKeyId, action: `acm:${action}`, resource, context })) continue;
    throw new AcmError(
      'AccessDeniedException',
      `User: ${iam.callerArn(accessKeyId)} is not authorized to perform: acm:${action} on resource: ${resource} because no identity-based policy allows the acm:${action} action`,
    );
  }
}

/** Counts the calls of the last second; throws for one too many. */
function rateLimit(clock: Pick<Clock, 'now'>): (action: string) => void {
  const recent = new Map<string, number[]>();
  return (action) => {
    const now = clock.now().getTime();
    const calls = (recent.get(action) ?? []).filter((at) => at > now - 1000);
    if (calls.length >= (CALLS_A_SECOND[action] ?? 1)) {
      throw new AcmError('ThrottlingException', 'Rate exceeded');
    }
    recent.set(action, [...calls, now]);
  };
}

function bodyOf(request: ServiceRequest): unknown {
  try {
    return JSON.parse(request.body.toString('utf8'));
  } catch {
    throw new AcmError('ValidationException', 'The body is not JSON.');
  }
}

function answer(
  options: AcmOptions,
  countCall: (action: string) => void,
  request: ServiceRequest,
): unknown {
  const accessKeyId = signerOf(
    request,
    { ...options, service: 'acm' },
    (reason, message) => new AcmError(jsonRefusalCode(reason), message),
  );
  const target = request.headers['x-amz-target'] ?? '';
  const action = /^CertificateManager\.(\w+)$/.exec(target)?.[1] ?? '';
  const operation = Object.hasOwn(acmCalls, action) ? acmCalls[action] : undefined;
  if (operation === undefined) {
    throw new AcmError('UnknownOperationException', `The local ACM does not know '${target}'.`);
  }
  options.onCall(action);
  const ordered = options.failures.take('acm', action);
  if (ordered !== undefined) throw new OrderedFailure(ordered);
  countCall(action);
  const { store, recordDelayMs } = options;
  const deps: AcmDeps = { store, recordDelayMs, now: () => options.clock.now().getTime() };
  const call = operation(deps, bodyOf(request));
  requirePermission(options, accessKeyId, call);
  return call.run();
}

/** A failure that a person or a test ordered. The message is AWS's name of the error. */
class OrderedFailure extends Error {}

/** Starts ACM (JSON 1.1): public certificates that are validated by DNS. */
export function startAcm(options: AcmOptions): Promise<ServiceServer> {
  const countCall = rateLimit(options.clock);
  return startServiceServer(options.clock, async (request) => {
    try {
      return json(200, answer(options, countCall, request));
    } catch (error) {
      if (error instanceof OrderedFailure) {
        return json(400, { __type: error.message, message: 'This failure was ordered.' });
      }
      if (!(error instanceof AcmError)) throw error;
      return json(400, { __type: error.code, message: error.message });
    }
  });
}
