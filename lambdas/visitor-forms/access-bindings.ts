import type { APIGatewayProxyResult } from 'aws-lambda';
import { cookieSecondsFor } from '../../core/visit/access/access-token.ts';
import {
  inspectOwnerLink,
  type OwnerLinkOutcome,
  redeemOwnerLink,
} from '../../core/visit/access/owner-link.ts';
import { isOpenedByPerson } from '../../core/visit/access/opened-by-person.ts';
import { noToken } from '../../core/visit/access/viewer.ts';
import { type TooManyTries, unlockSite } from '../../core/visit/access/unlock-site.ts';
import { lockedPage, ownerLinkPage } from '../../web/pages/visitor/access-pages.ts';
import { errorPage } from '../../web/pages/visitor/refusal-pages.ts';
import type { Page } from '../../web/pages/parts/page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { deployedHitQueue } from '../shared/deployed-hit-queue.ts';
import { logError } from '../shared/logger.ts';
import { lazy } from '../shared/lazy.ts';
import { isPlainForm, readPlainForm } from '../http/request-body.ts';
import { missingPage, refusalPage } from '../visits/refusal-page.ts';
import { seeOther } from '../http/page-response.ts';
import {
  accessCookie,
  isFromOtherSite,
  localPath,
  siteAddress,
  tooManyTriesText,
  visitorPage,
  visitorServices,
} from './visitor-services.ts';
import { withRetryAfter } from '../http/with-headers.ts';

/** How a visitor gets access to a protected site: with its password, or with an owner link. */
export const accessBindings: Binding[] = [
  { method: 'POST', route: '/_slipway/unlock', serve: unlock },
  { method: 'GET', route: '/_slipway/owner/{token}', serve: openOwnerLink },
  { method: 'POST', route: '/_slipway/owner', serve: redeemFromForm },
];

/** Further dependencies of the password form. */
const unlockServices = lazy(() => ({
  ...visitorServices(),
  alerts: deployedHitQueue(),
  quietUntil: new Map(),
  onFailure: (item: unknown, error: unknown) =>
    logError('a password attempt was not recorded', error, { item }),
}));

async function unlock(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const services = unlockServices();
  const fields = isPlainForm(request) ? readPlainForm(request.body) : {};
  const { password = '' } = fields;
  const returnTo = localPath(fields['to']);
  // The site asks for the password itself, if it has one.
  if (isFromOtherSite(request)) return seeOther(request, returnTo);
  const access = request.headers['x-slipway-access'] ?? noToken;
  const address = siteAddress(request);
  const at = { brand: services.brand, domainId: address.domainId };
  const input = { ...address, password, access };
  const outcome = await unlockSite(services, request.caller, input);
  switch (outcome.kind) {
    case 'open':
      return seeOther(request, returnTo);
    case 'unlocked':
      return seeOther(request, returnTo, [
        // Stored longer than it gives access, to distinguish an earlier visitor from a stranger.
        accessCookie(outcome.token, cookieSecondsFor(outcome.seconds)),
      ]);
    case 'refused':
      return visitorPage(request, refusalPage(at, outcome.refusal, returnTo));
    case 'wrong':
      return passwordFormResponse(request, {
        status: 401,
        returnTo,
        error: 'The password is wrong. Try again.',
      });
    case 'too-many':
      return tooManyTriesResponse(request, returnTo, outcome);
  }
}

function tooManyTriesResponse(
  request: ApiRequest,
  returnTo: string,
  outcome: TooManyTries,
): APIGatewayProxyResult {
  const usedUp = outcome.by === 'project';
  const error = tooManyTriesText(outcome);
  const response = passwordFormResponse(request, { status: 429, returnTo, error, usedUp });
  return withRetryAfter(response, outcome.retryAfterSeconds);
}

interface PasswordFormContent {
  status: number;
  returnTo: string;
  error: string;
  usedUp?: boolean;
}

function passwordFormResponse(
  request: ApiRequest,
  { status, ...content }: PasswordFormContent,
): APIGatewayProxyResult {
  const { brand } = visitorServices();
  const page = lockedPage({ brand, ask: 'password', ...content });
  return visitorPage(request, { status, page });
}

/**
 * Redeems an owner link at once when a person opens it. Link previews, mail scanners, AI fetchers
 * and prefetches get a page with a button instead, so that they do not use the link up. A HEAD does
 * not use them up either.
 */
async function openOwnerLink(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const token = request.pathParameters['token'] ?? '';
  const link = { ...siteAddress(request), token };
  const isOpened = request.method === 'GET' && isOpenedByPerson(request.headers);
  const outcome = isOpened
    ? await redeemOwnerLink(visitorServices(), link)
    : await inspectOwnerLink(visitorServices(), link);
  return ownerLinkResponse(request, { token, to: localPath(request.query['to']) }, outcome);
}

async function redeemFromForm(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const { token = '', to } = isPlainForm(request) ? readPlainForm(request.body) : {};
  const link = { ...siteAddress(request), token };
  const outcome = isFromOtherSite(request)
    ? await inspectOwnerLink(visitorServices(), link)
    : await redeemOwnerLink(visitorServices(), link);
  return ownerLinkResponse(request, { token, to: localPath(to) }, outcome);
}

function ownerLinkResponse(
  request: ApiRequest,
  link: { token: string; to: string },
  outcome: OwnerLinkOutcome,
): APIGatewayProxyResult {
  const { brand } = visitorServices();
  const at = { brand, domainId: siteAddress(request).domainId };
  switch (outcome.kind) {
    case 'redeemed':
      return seeOther(request, link.to, [accessCookie(outcome.token, outcome.seconds)]);
    case 'valid':
      return visitorPage(request, { status: 200, page: ownerLinkPage({ brand, ...link }) });
    case 'refused':
      return visitorPage(request, refusalPage(at, outcome.refusal, '/'));
    case 'used':
      return visitorPage(request, { status: 410, page: usedLinkPage(brand) });
    case 'unknown':
      return visitorPage(request, {
        status: 404,
        page: missingPage(at, outcome.what),
      });
  }
}

function usedLinkPage(brand: string): Page {
  return errorPage({
    brand,
    status: 410,
    title: 'This link has been used',
    text: 'An owner link works once. Press “Open as owner” in your project again.',
  });
}
