import type { APIGatewayProxyResult } from 'aws-lambda';
import { deviceGrant, oauthPaths, tokenExchangeGrant } from '../../contract/oauth/oauth-paths.ts';
import { CodedError } from '../../core/errors.ts';
import { beginDeviceAuthorization } from '../../core/oauth/device/device-authorization.ts';
import { exchangeDeviceCode } from '../../core/oauth/device/exchange-device-code.ts';
import { exchangeIdToken } from '../../core/oauth/id-tokens/exchange-id-token.ts';
import { exchangeToken } from '../../core/oauth/tokens/exchange-token.ts';
import type { ClientForm } from '../../core/oauth/tokens/token-endpoint.ts';
import { OAuthError } from '../../core/oauth/oauth-error.ts';
import { registerClient } from '../../core/oauth/clients/register-client.ts';
import { revokeToken } from '../../core/oauth/tokens/revoke-token.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { allowAnyOrigin } from '../http/endpoint.ts';
import { isPlainForm, readJson } from '../http/request-body.ts';
import { oauthErrorResponse, oauthSuccess } from './oauth-response.ts';
import { oauthServices } from './oauth-services.ts';

const maxFormBytes = 16 * 1024;
const maxMetadataBytes = 64 * 1024;

/** The endpoints that apps call directly: registration, token, device authorization and revocation. */
export const endpointBindings: Binding[] = [
  post(oauthPaths.register, async (request) => {
    const metadata = readMetadata(request);
    const client = await registerClient(oauthServices(), request.caller, metadata);
    return oauthSuccess(request, 201, client);
  }),
  post(oauthPaths.token, async (request) => {
    const posted = readClientForm(request);
    const tokens = await exchangeOf(posted)(oauthServices(), request.caller, posted);
    return oauthSuccess(request, 200, tokens);
  }),
  post(oauthPaths.deviceAuthorization, async (request) => {
    const form = readClientForm(request);
    const waiting = await beginDeviceAuthorization(oauthServices(), request.caller, form);
    return oauthSuccess(request, 200, waiting);
  }),
  post(oauthPaths.revoke, async (request) => {
    await revokeToken(oauthServices(), request.caller, readClientForm(request));
    return oauthSuccess(request, 200, {});
  }),
];

/** The exchange of a grant; the one that all apps use refuses unknown grants. */
function exchangeOf({ form }: ClientForm) {
  const grant = form.get('grant_type');
  if (grant === deviceGrant) return exchangeDeviceCode;
  return grant === tokenExchangeGrant ? exchangeIdToken : exchangeToken;
}

function post(
  route: string,
  serve: (request: ApiRequest) => Promise<APIGatewayProxyResult>,
): Binding {
  return allowAnyOrigin({
    method: 'POST',
    route,
    serve: (request) =>
      serve(request).catch((error: unknown) => oauthErrorResponse(request, error)),
  });
}

/**
 * The form of a request to the token or revocation endpoint (RFC 6749 Appendix B).
 * @throws OAuthError invalid_request
 */
function readClientForm(request: ApiRequest): ClientForm {
  if (!isPlainForm(request)) {
    throw new OAuthError(
      'invalid_request',
      'The body must be application/x-www-form-urlencoded, not JSON.',
    );
  }
  if (request.body.length > maxFormBytes) {
    throw new OAuthError('invalid_request', `The body must be at most ${maxFormBytes} bytes.`);
  }
  const form = new URLSearchParams(request.body.toString('utf8'));
  return { form, authorization: request.headers['authorization'] };
}

/** @throws OAuthError invalid_client_metadata */
function readMetadata({ body, headers }: ApiRequest): object {
  try {
    return readJson(body, headers['content-type'], { maxJsonBytes: maxMetadataBytes });
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw new OAuthError('invalid_client_metadata', error.message);
  }
}
