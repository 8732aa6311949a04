import { setTimeout } from 'node:timers/promises';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { noToken } from '../../core/visit/access/viewer.ts';
import {
  askForCode,
  type AskOutcome,
  enterCode,
  type EnterOutcome,
} from '../../core/visit/access/prove-address.ts';
import { readLongCode } from '../../core/accounts/sign-in/code-secrets.ts';
import { codeSeconds } from '../../core/visit/access/visitor-code.ts';
import type { VisitorLimit } from '../../core/visit/access/visitor-limits.ts';
import {
  lockedPage,
  type VisitorCodeForm,
  visitorCodePage,
} from '../../web/pages/visitor/access-pages.ts';
import { formatWait } from '../../web/pages/parts/format.ts';
import { notListedMail, visitorCodeMail } from '../../web/mail/visitor-mail.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { Binding } from '../http/bind.ts';
import { isPlainForm, readPlainForm } from '../http/request-body.ts';
import { seeOther } from '../http/page-response.ts';
import { accountMail } from '../shared/account-mail.ts';
import { lazy } from '../shared/lazy.ts';
import { logger } from '../shared/logger.ts';
import { refusalPage } from '../visits/refusal-page.ts';
import {
  accessCookie,
  isFromOtherSite,
  localPath,
  siteAddress,
  visitorPage,
  visitorServices,
} from './visitor-services.ts';
import { withRetryAfter } from '../http/with-headers.ts';

/** How a visitor proves an e-mail address: the form that asks for it, and the form for the digits of the mail. */
export const addressBindings: Binding[] = [
  { method: 'POST', route: '/_slipway/address', serve: ask },
  { method: 'POST', route: '/_slipway/code', serve: enter },
];

const purpose = 'so nobody can confirm an address';

/** SES answers within a fraction of it. */
const pauseMs = 1000;

/** Further dependencies of the two forms. */
const proofServices = lazy(() => {
  const mail = accountMail();
  const minutes = codeSeconds / 60;
  return {
    ...visitorServices(),
    pause: () => setTimeout(pauseMs),
    visitorMailer: {
      sendCode: (email: string, code: { digits: string; longCode: string; host: string }) =>
        mail.send(email, purpose, visitorCodeMail, { ...code, minutes }),
      sendNotListed: (email: string, { host }: { host: string }) =>
        mail.send(email, purpose, notListedMail, { host }),
    },
    onFailure: (item: unknown, error: unknown) =>
      logger.warn('a mail to a visitor was refused', {
        item,
        // The cause may have the visitor's address.
        error: String(error),
      }),
  };
});

/** The fields of a form, the path to open afterwards, and what the browser sent. */
function readForm(request: ApiRequest) {
  const fields = isPlainForm(request) ? readPlainForm(request.body) : {};
  const { email = '', token = '', code: digits = '' } = fields;
  const access = request.headers['x-slipway-access'] ?? noToken;
  const proof = { ...siteAddress(request), access, email, token, digits };
  return { proof, returnTo: localPath(fields['to']) };
}

async function ask(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const { proof, returnTo } = readForm(request);
  // The site asks for the address itself, if it wants one.
  if (isFromOtherSite(request)) return seeOther(request, returnTo);
  const outcome = await askForCode(proofServices(), request.caller, proof);
  switch (outcome.kind) {
    case 'sent': {
      const { email, token, busySeconds } = outcome;
      const notice = busySeconds === undefined ? undefined : busyNotice(busySeconds);
      return codePage(request, { status: 200, email, token, returnTo, notice });
    }
    case 'not-an-address':
      return addressPage(request, { status: 400, returnTo, error: notAnAddress });
    case 'too-many': {
      const { by, email } = outcome;
      // Strangers may have caused those mails, and each of them has a long code.
      return by === 'address'
        ? longCodePage(request, { email, token: '', returnTo }, outcome)
        : withRetryAfter(
            addressPage(request, { status: 429, returnTo, error: waitText(outcome) }),
            outcome.retryAfterSeconds,
          );
    }
    case 'open':
    case 'refused':
      return otherResponse(request, returnTo, outcome);
  }
}

const notAnAddress = 'This is not an e-mail address. Check it for typing errors.';

async function enter(request: ApiRequest): Promise<APIGatewayProxyResult> {
  const { proof, returnTo } = readForm(request);
  if (isFromOtherSite(request)) return seeOther(request, returnTo);
  const outcome = await enterCode(proofServices(), request.caller, proof);
  switch (outcome.kind) {
    case 'admitted':
      return seeOther(request, returnTo, [accessCookie(outcome.token, outcome.seconds)]);
    case 'wrong': {
      const { email, token } = proof;
      const needsLongCode = readLongCode(proof.digits) !== undefined;
      const error = 'This is not the code from the latest e-mail. Try again.';
      return codePage(request, { status: 401, email, token, returnTo, error, needsLongCode });
    }
    case 'ended':
      return addressPage(request, { status: 401, returnTo, error: codeEnded });
    case 'not-listed':
      return addressPage(request, { status: 401, returnTo, error: notListed });
    case 'too-many':
      return longCodePage(request, { email: proof.email, token: proof.token, returnTo }, outcome);
    case 'open':
    case 'refused':
      return otherResponse(request, returnTo, outcome);
  }
}

const codeEnded =
  'This code works no longer: ten minutes have passed, or there were five tries. Ask for another one.';
const notListed =
  'This address does not open the page any more. Ask the owner of the page, or use another address.';

const limitTexts: Record<VisitorLimit, string> = {
  caller: 'Too many attempts came from your connection.',
  network: 'Too many attempts came from your network.',
  address: 'Too many codes were asked for with this address.',
  project: 'Too many wrong codes were entered for this page today.',
};

type Full = Pick<Extract<EnterOutcome, { kind: 'too-many' }>, 'by' | 'retryAfterSeconds'>;

const waitText = ({ by, retryAfterSeconds }: Full) =>
  `${limitTexts[by]} Wait ${formatWait(retryAfterSeconds)}, then try again.`;

/** Said to everybody, so that it says nothing about one address. */
const busyNotice = (seconds: number) =>
  `Very many codes are asked for at the moment. If the owner has listed your address by name, or you opened this page with it in the last 30 days, your code is on its way. If not, none is sent now: wait ${formatWait(seconds)}, then ask again.`;

function otherResponse(
  request: ApiRequest,
  returnTo: string,
  outcome: Extract<AskOutcome | EnterOutcome, { kind: 'open' | 'refused' }>,
): APIGatewayProxyResult {
  switch (outcome.kind) {
    case 'open':
      return seeOther(request, returnTo);
    case 'refused': {
      const at = { brand: visitorServices().brand, domainId: siteAddress(request).domainId };
      return visitorPage(request, refusalPage(at, outcome.refusal, returnTo));
    }
  }
}

/** The page on which a visitor whom a limit stops can go on with the long code of a mail. */
function longCodePage(
  request: ApiRequest,
  form: { email: string; token: string; returnTo: string },
  full: Full,
): APIGatewayProxyResult {
  const error = `${limitTexts[full.by]} Enter the long code from an e-mail of today, or wait ${formatWait(full.retryAfterSeconds)} and ask for another code.`;
  const page = codePage(request, { ...form, status: 429, error, needsLongCode: true });
  return withRetryAfter(page, full.retryAfterSeconds);
}

function codePage(
  request: ApiRequest,
  { status, ...form }: { status: number } & Omit<VisitorCodeForm, 'brand'>,
): APIGatewayProxyResult {
  const { brand } = visitorServices();
  return visitorPage(request, { status, page: visitorCodePage({ brand, ...form }) });
}

/** The form that asks for an address, with an error. */
function addressPage(
  request: ApiRequest,
  { status, ...content }: { status: number; returnTo: string; error: string },
): APIGatewayProxyResult {
  const { brand } = visitorServices();
  return visitorPage(request, { status, page: lockedPage({ brand, ask: 'address', ...content }) });
}
