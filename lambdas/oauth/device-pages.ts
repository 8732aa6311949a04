import { oauthPaths } from '../../contract/oauth/oauth-paths.ts';
import { endWebSession, openWebSession } from '../../core/accounts/sessions/web-session.ts';
import { areInOneNetwork } from '../../core/limits/address-limits.ts';
import { countRequest } from '../../core/limits/counters.ts';
import { consentProof, isConsentProof } from '../../core/oauth/authorization/consent-proof.ts';
import {
  decideDevice,
  findWaitingDevice,
  spellUserCode,
} from '../../core/oauth/device/device-authorization.ts';
import type { DeviceAuthorization } from '../../core/oauth/device/waiting-device.ts';
import {
  deviceCodePage,
  deviceConsentPage,
  deviceDonePage,
  deviceMailCodePage,
  deviceSignInPage,
} from '../../web/pages/oauth/device-pages.ts';
import { findSignedInUser, type SignedInUser } from '../accounts/signed-in-user.ts';
import { signInStep } from '../accounts/sign-in-steps.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { seeOther } from '../http/page-response.ts';
import { formFields } from '../http/request-body.ts';
import { endedSessionCookies, sessionCookies } from '../http/session-cookie.ts';
import { oauthPageResponse, pageBindings, problemPageResponse } from './oauth-pages.ts';
import { authorizeServices } from './oauth-services.ts';

/** The page on which a person allows a program in a terminal (RFC 8628 §3.3), and the forms on it. */
export const devicePageBindings: Binding[] = pageBindings(oauthPaths.device, showPage, submitForm);

async function showPage(request: ApiRequest) {
  const user = await findSignedInUser(authorizeServices(), request);
  if (user === undefined) return emailPage(request, 200);
  const typed = typedCode(request);
  const { brand } = authorizeServices();
  if (typed === '') {
    return oauthPageResponse(request, { status: 200, page: deviceCodePage({ brand }) });
  }
  const device = await waitingDevice(request, user, typed);
  return device === undefined ? unknownCode(request) : showConsent(request, user, device);
}

async function submitForm(request: ApiRequest) {
  const form = formFields(request);
  if (form.has('email')) return signIn(request);
  const services = authorizeServices();
  const { accessSecret, brand, now } = services;
  const user = await findSignedInUser(services, request);
  const context = { sessionHash: user?.tokenHash ?? '', query: codeQuery(request) };
  const isProven = isConsentProof(accessSecret, form.get('proof') ?? '', context, now());
  if (user === undefined || !isProven) {
    return problemPageResponse(request, 403, 'begin-again', undefined);
  }
  if (form.get('account') === 'other') {
    await endWebSession(services, user.token);
    return seeOther(request, pageAddress(request), endedSessionCookies);
  }
  const isAllowed = form.get('decision') === 'allow';
  const device = await waitingDevice(request, user, typedCode(request));
  const decision = isAllowed ? 'allowed' : 'denied';
  const person = { ...request.caller, account: user.account, sessionHash: user.tokenHash };
  if (device === undefined || !(await decideDevice(services, person, device, decision))) {
    return unknownCode(request);
  }
  return oauthPageResponse(request, { status: 200, page: deviceDonePage({ brand, isAllowed }) });
}

async function waitingDevice(request: ApiRequest, { account }: SignedInUser, typed: string) {
  await countRequest(authorizeServices(), { ...request.caller, account });
  return findWaitingDevice(authorizeServices(), request.caller, typed);
}

function showConsent(
  request: ApiRequest,
  { account, tokenHash }: SignedInUser,
  { userCode, scopes, address, country, createdAt }: DeviceAuthorization,
) {
  const { brand, accessSecret, now } = authorizeServices();
  const context = { sessionHash: tokenHash, query: codeQuery(request) };
  const page = deviceConsentPage({
    brand,
    userCode: spellUserCode(userCode),
    scopes,
    address,
    country: countryName(country),
    isInOwnNetwork: areInOneNetwork(address, request.caller.address),
    createdAt,
    email: account.email,
    proof: consentProof(accessSecret, context, now()),
  });
  return oauthPageResponse(request, { status: 200, page });
}

function unknownCode(request: ApiRequest) {
  const { brand } = authorizeServices();
  const error = 'No program waits with this code. Check it, or begin again in the terminal.';
  return oauthPageResponse(request, { status: 404, page: deviceCodePage({ brand, error }) });
}

async function signIn(request: ApiRequest) {
  const services = authorizeServices();
  const step = await signInStep(services, request, (proof) =>
    openWebSession(services, request.caller, proof),
  );
  switch (step.kind) {
    case 'address':
      return emailPage(request, step.status, step);
    case 'code': {
      const page = deviceMailCodePage({ brand: services.brand, ...step.form });
      return oauthPageResponse(request, { status: step.status, page }, step.cookies);
    }
    case 'done':
      return seeOther(request, pageAddress(request), sessionCookies(step.value));
  }
}

function emailPage(
  request: ApiRequest,
  status: number,
  { email, error }: { email?: string; error?: string } = {},
) {
  const { brand, signUpPolicy } = authorizeServices();
  const signUpOpen = signUpPolicy === 'open';
  const page = deviceSignInPage({ brand, signUpOpen, email, error });
  return oauthPageResponse(request, { status, page });
}

/** The code in the address; nothing else of the address is used or repeated. */
function typedCode({ queryParameters }: ApiRequest): string {
  return (queryParameters.get('user_code') ?? '').slice(0, 20);
}

function codeQuery(request: ApiRequest): URLSearchParams {
  return new URLSearchParams({ user_code: typedCode(request) });
}

function pageAddress(request: ApiRequest): string {
  return `${oauthPaths.device}?${codeQuery(request).toString()}`;
}

/** The name of a country; undefined where the edge named none. */
function countryName(code: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code)) return undefined;
  return new Intl.DisplayNames('en', { type: 'region', fallback: 'code' }).of(code);
}
