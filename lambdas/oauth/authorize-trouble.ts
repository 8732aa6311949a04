import type { APIGatewayProxyResult } from 'aws-lambda';
import type { CodedError } from '../../core/errors.ts';
import {
  type AuthorizationTrouble,
  authorizationProblemPage,
} from '../../web/pages/oauth/authorization-problem-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { authorizePage } from './authorize-page.ts';
import { authorizeServices } from './authorize-services.ts';

const troubles: Partial<Record<CodedError['code'], AuthorizationTrouble>> = {
  ORIGIN_REFUSED: 'begin-again',
  ACCOUNT_SUSPENDED: 'suspended',
  RATE_LIMITED: 'rate-limited',
  UNAVAILABLE: 'unavailable',
};

/** The page for a refusal that a person may meet; another error goes on. */
export function refusal(request: ApiRequest, error: CodedError): APIGatewayProxyResult {
  const kind = troubles[error.code];
  if (kind === undefined) throw error;
  const detail = kind === 'begin-again' || kind === 'suspended' ? undefined : error.message;
  const answer = trouble(request, error.status, kind, detail);
  const wait = error.body['retryAfterSeconds'];
  if (typeof wait !== 'number') return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(wait) } };
}

/** A page that says why a person cannot go on. */
export function trouble(
  request: ApiRequest,
  status: number,
  kind: AuthorizationTrouble,
  detail: string | undefined,
): APIGatewayProxyResult {
  const { brand } = authorizeServices();
  return authorizePage(request, {
    status,
    page: authorizationProblemPage({ brand, kind, detail }),
  });
}
