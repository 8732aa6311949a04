import type { APIGatewayProxyResult } from 'aws-lambda';
import { instant } from '../../core/instants.ts';
import { rememberedFor } from '../../core/visit/access/access-token.ts';
import {
  inspectOwnerLink,
  type OwnerLinkOutcome,
  redeemOwnerLink,
} from '../../core/visit/access/owner-link.ts';
import { isOpenedByItsHolder } from '../../core/visit/access/opened-by-holder.ts';
import { type TooManyTries, unlockSite } from '../../core/visit/access/unlock-site.ts';
import { lockedPage } from '../../web/pages/visitor/locked-page.ts';
import { spellMoment, spellWait } from '../../web/pages/parts/moments.ts';
import { errorPage } from '../../web/pages/visitor/error-page.ts';
import { notFoundPage } from '../../web/pages/visitor/not-found-page.ts';
import type { Page } from '../../web/pages/parts/page.ts';
import { ownerLinkPage } from '../../web/pages/visitor/owner-link-page.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { deployedAlertQueue } from '../shared/deployed-hit-queue.ts';
import { logger } from '../shared/logger.ts';
import { once } from '../shared/once.ts';
import { isPlainForm, readPlainForm } from '../http/plain-form.ts';
import { refusalPage } from '../visits/refusal-page.ts';
import { seeOther } from '../http/see-other.ts';
import { siteHost, visitorPage, visitorServices } from './visitor-services.ts';

/** How visitors become more than everybody: with the password, or with the owner's link. */
export const accessBindings: Binding[] = [
  { method: 'POST', route: '/_slipway/unlock', serve: unlock },
  { method: 'GET', route: '/_slipway/owner/{token}', serve: openOwnerLink },
  { method: 'POST', route: '/_slipway/owner', serve: letOwnerIn },
];

/** What letting in by a password needs beside what every form does. */
const unlockServices = once(() => ({
  ...visitorServices(),
  alerts: deployedAlertQueue(),
  quietUntil: new Map(),
  onFailure: (item: unknown, error: unknown) =>
    logger.error('a try of a password was not noted', {
      item,
      error: error instanceof Error ? error : String(error),
    }),
}));

/** Never readable by the site's own scripts, nor sent to any other host. */
const cookie = (value: string, maxAgeSeconds: number) =>
  `__Host-slipway-access=${value}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`;

async function unlock(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const services = unlockServices();
  const fields = isPlainForm(request) ? readPlainForm(request.body) : {};
  const { password = '' } = fields;
  const returnTo = ownPath(fields['to']);
  const access = request.headers['x-slipway-access'] ?? '-';
  const input = { host: siteHost(request), password, access };
  const outcome = await unlockSite(services, request.caller, input);
  switch (outcome.kind) {
    case 'open':
      return seeOther(request, returnTo);
    case 'unlocked':
      return seeOther(request, returnTo, [
        // Kept longer than it opens the page: it tells a visitor who was let in from a stranger.
        cookie(outcome.token, rememberedFor(outcome.seconds)),
      ]);
    case 'refused':
      return visitorPage(request, refusalPage(services.brand, outcome.decision, returnTo));
    case 'wrong':
      return askAgain(request, { status: 401, returnTo, error: 'That is not the password.' });
    case 'too-many':
      return tooMany(request, returnTo, outcome);
  }
}

function tooMany(
  request: ApiRequest,
  returnTo: string,
  outcome: TooManyTries,
): APIGatewayProxyResult {
  const usedUp = outcome.by === 'project';
  const error = tooManyText(outcome);
  const answer = askAgain(request, { status: 429, returnTo, error, usedUp });
  const seconds = String(outcome.retryAfterSeconds);
  return { ...answer, headers: { ...answer.headers, 'retry-after': seconds } };
}

function tooManyText({ by, freeAt, retryAfterSeconds }: TooManyTries): string {
  const wait = spellWait(retryAfterSeconds);
  if (by === 'visitor') return `Too many tries. Wait ${wait}, then try again.`;
  const at = spellMoment(instant(nextMinute(freeAt)));
  return `Too many wrong passwords were entered for this page, by you or by others. Wait ${wait}: you can try again at ${at}.`;
}

/** Moments are told to the minute; the one before would be too early. */
function nextMinute(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / 60_000) * 60_000);
}

interface AskedAgain {
  status: number;
  returnTo: string;
  error: string;
  usedUp?: boolean;
}

function askAgain(request: ApiRequest, { status, ...asked }: AskedAgain): APIGatewayProxyResult {
  const { brand } = visitorServices();
  const page = lockedPage({ brand, ask: 'password', ...asked });
  return visitorPage(request, { status, page });
}

/**
 * Uses a link that a person or their program opens. Previews of chats, mail scanners, AI fetchers and
 * prefetches open links too: they get a page with a button and use nothing up.
 */
async function openOwnerLink(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const token = request.pathParameters['token'] ?? '';
  const opened = { host: siteHost(request), token };
  const outcome = isOpenedByItsHolder(request.headers)
    ? await redeemOwnerLink(visitorServices(), opened)
    : await inspectOwnerLink(visitorServices(), opened);
  return answerOwner(request, token, outcome);
}

async function letOwnerIn(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const { token = '' } = isPlainForm(request) ? readPlainForm(request.body) : {};
  const outcome = await redeemOwnerLink(visitorServices(), { host: siteHost(request), token });
  return answerOwner(request, token, outcome);
}

function answerOwner(
  request: ApiRequest,
  token: string,
  outcome: OwnerLinkOutcome,
): APIGatewayProxyResult {
  const { brand } = visitorServices();
  switch (outcome.kind) {
    case 'redeemed':
      return seeOther(request, '/', [cookie(outcome.token, outcome.seconds)]);
    case 'valid':
      return visitorPage(request, { status: 200, page: ownerLinkPage({ brand, token }) });
    case 'refused':
      return visitorPage(request, refusalPage(brand, outcome.decision, '/'));
    case 'used':
      return visitorPage(request, { status: 410, page: usedLinkPage(brand) });
    case 'unknown':
      return visitorPage(request, {
        status: 404,
        page: notFoundPage({ brand, kind: outcome.what }),
      });
  }
}

function usedLinkPage(brand: string): Page {
  return errorPage({
    brand,
    status: 410,
    title: 'This link has been used',
    text: 'A view link works once. Get a new one for this project with your key, and open that.',
  });
}

/** A path of this site: a browser takes `//` and `/\\` for another host. */
function ownPath(to = '/'): string {
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,2000}$/.test(to) ? to : '/';
}
