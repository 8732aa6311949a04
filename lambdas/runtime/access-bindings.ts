import type { APIGatewayProxyResult } from 'aws-lambda';
import { epochSeconds, instant } from '../../core/instants.ts';
import { accessToken, readAccessToken, rememberedFor } from '../../core/visit/access-token.ts';
import { type TooManyTries, unlockSite } from '../../core/visit/unlock-site.ts';
import { lockedPage } from '../../web/pages/locked-page.ts';
import { spellMoment, spellWait } from '../../web/pages/moments.ts';
import { notFoundPage } from '../../web/pages/not-found-page.ts';
import type { ApiRequest } from './api-request.ts';
import type { Binding } from './bind.ts';
import { deployedAlertQueue } from './deployed-hit-queue.ts';
import { logger } from './logger.ts';
import { once } from './once.ts';
import { isPlainForm, readPlainForm } from './plain-form.ts';
import { refusalPage } from './refusal-page.ts';
import { seeOther } from './see-other.ts';
import { siteHost, visitedSite, visitorPage, visitorServices } from './visitor-services.ts';

/** How visitors become more than everybody: with the password, or with the owner's link. */
export const accessBindings: Binding[] = [
  { method: 'POST', route: '/_slipway/unlock', serve: unlock },
  { method: 'GET', route: '/_slipway/owner/{token}', serve: welcomeOwner },
];

const ownerSeconds = 7 * 24 * 3600;

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

async function welcomeOwner(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const { brand, accessSecret, now } = visitorServices();
  const site = await visitedSite(request);
  const at = now();
  const token = request.pathParameters['token'] ?? '';
  const link = site && readAccessToken(accessSecret, token, site.projectId, at);
  if (site === undefined || link?.role !== 'owner-link') {
    const page = notFoundPage({ brand, kind: site === undefined ? 'site' : 'file' });
    return visitorPage(request, { status: 404, page });
  }
  const { projectId } = site;
  const expires = epochSeconds(at) + ownerSeconds;
  const owner = accessToken(accessSecret, { projectId, role: 'owner', stamp: '-', expires });
  return seeOther(request, '/', [cookie(owner, ownerSeconds)]);
}

/** A path of this site: a browser takes `//` and `/\\` for another host. */
function ownPath(to = '/'): string {
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,2000}$/.test(to) ? to : '/';
}
