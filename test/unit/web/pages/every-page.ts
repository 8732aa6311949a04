import { temporaryLifetimeSeconds } from '../../../../contract/limits.ts';
import { claimCodePage, claimPage } from '../../../../web/pages/claim-pages.ts';
import { type ClaimProblem, claimProblemPage } from '../../../../web/pages/claim-problem-page.ts';
import {
  errorPage,
  endedLinkPage,
  gonePage,
  notFoundPage,
  withheldPage,
} from '../../../../web/pages/visitor/refusal-pages.ts';
import {
  accountKeptPage,
  keepAccountPage,
  keepNothingPage,
  keepTooOftenPage,
} from '../../../../web/pages/keep-account-pages.ts';
import {
  mailsStoppedPage,
  stopMailsPage,
  stopNothingPage,
} from '../../../../web/pages/stop-mails-pages.ts';
import { connectPage } from '../../../../web/pages/connect-page.ts';
import { landingPage } from '../../../../web/pages/landing-page.ts';
import { listingPage, type Listing } from '../../../../web/pages/visitor/listing-page.ts';
import {
  lockedPage,
  visitorCodePage,
  ownerLinkPage,
  shareLinkPage,
} from '../../../../web/pages/visitor/access-pages.ts';
import {
  type AuthorizationProblem,
  authorizationProblemPage,
} from '../../../../web/pages/oauth/authorization-problem-page.ts';
import { clientMistakePage } from '../../../../web/pages/oauth/client-mistake-page.ts';
import { type ConsentRequest, consentPage } from '../../../../web/pages/oauth/consent-page.ts';
import { signInCodePage, signInPage } from '../../../../web/pages/oauth/sign-in-page.ts';
import { offerPage } from '../../../../web/pages/visitor/offer-page.ts';
import type { Page } from '../../../../web/pages/parts/page.ts';
import { reportPage, reportSentPage } from '../../../../web/pages/visitor/report-page.ts';
import { uploadedPage, uploadPage, type UploadPage } from '../../../../web/pages/upload-page.ts';
import {
  type UploadProblem,
  uploadProblemPage,
} from '../../../../web/pages/upload-problem-page.ts';

/** A hostile name: markup, both quotes, an override and a line separator. */
export const hostile = `"'><img src=x onerror=alert(1)></title></style></script>\u202E\u2028`;

export const brand = 'Slip & Way';
const aDay = '2026-03-31T12:00:00.000Z';

export function aListing(over: Partial<Listing> = {}): Listing {
  return {
    brand,
    title: 'Harbour survey',
    folder: '',
    folders: [{ name: 'drawings', files: 2, bytes: 3072 }],
    files: [{ name: 'b.pdf', href: './b.pdf', bytes: 10, type: 'pdf' }],
    totals: { files: 3, bytes: 3082 },
    origin: 'https://survey.sites.example',
    assets: {
      gallery: '/_slipway/assets/gallery-1A2B3C4D.js',
      diagrams: '/_slipway/assets/diagrams-1A2B3C4D.js',
      'diagram-frame': '/_slipway/assets/diagram-frame-1A2B3C4D.html',
    },
    ...over,
  };
}

export function anOffer(over: Partial<Parameters<typeof offerPage>[0]> = {}): Page {
  const file = { name: 'a.xlsx', href: 'a.xlsx', bytes: 2048, type: 'document' } as const;
  return offerPage({ brand, title: 'Figures', file, isSavable: true, ...over });
}

export function aClaim(over: Partial<Parameters<typeof claimPage>[0]> = {}) {
  return {
    brand,
    project: {
      title: 'Harbour survey',
      url: 'https://calm-harbour-k7m2.sites.example',
      files: 3,
      bytes: 3082,
      type: 'files',
      expiresAt: '2030-01-02T03:04:05.000Z',
    },
    keeping: { freeDays: 7, defaultPlan: 'free', trialDays: 7, signUpOpen: true },
    now: new Date('2030-01-02T02:51:30.000Z'),
    ...over,
  } as const;
}

export function aCodeClaim(over: Partial<Parameters<typeof claimCodePage>[0]> = {}) {
  const { project, now } = aClaim();
  return { brand, project, now, email: 'ann@example.org', resendAvailableInSeconds: 42, ...over };
}

export function aConsent(over: Partial<ConsentRequest> = {}): ConsentRequest {
  return {
    brand,
    client: { id: 'client-1', name: 'Claude', host: null },
    scopes: ['projects:read', 'projects:write', 'account:read'],
    target: { kind: 'site', host: 'claude.ai' },
    email: 'ann@example.org',
    proof: '1893459845.c2lnbmF0dXJl',
    unusedDays: 60,
    ...over,
  };
}

const hostileConsent = aConsent({
  brand: hostile,
  client: { id: hostile, name: hostile, host: hostile },
  target: { kind: 'app', scheme: hostile },
  email: hostile,
  proof: hostile,
});

export const authorizationTroubles: readonly AuthorizationProblem[] = [
  'unknown-client',
  'unknown-redirect',
  'refused-redirect',
  'unreadable',
  'begin-again',
  'rate-limited',
  'unavailable',
];

export const claimProblems: readonly ClaimProblem[] = [
  'unknown',
  'already-claimed',
  'project-limit',
  'storage-limit',
  'rate-limited',
  'unavailable',
];

const hostileProject = { ...aClaim().project, title: hostile };

export const landing = {
  brand,
  baseUrl: 'https://app.example',
  sitesDomain: 'sites.example',
  limits: {
    accountBytes: 25_000_000,
    maxParts: 5,
    maxBytes: 2 * 1024 * 1024,
    maxArchiveEntries: 500,
    lifetimeSeconds: temporaryLifetimeSeconds,
    uploads: [
      { limit: 3, windowSeconds: 60 },
      { limit: 5, windowSeconds: 3600 },
    ],
  },
};

export function anUpload(over: Partial<UploadPage> = {}): UploadPage {
  return {
    brand,
    token: 'mJ4x8Zq1Vt0c3Rk7Yb2Hn5Lw9Pd6Sf8AmJ4x8Zq1Vt',
    title: 'Harbour survey',
    replaces: false,
    asker: 'you@example.org',
    expiresAt: '2030-01-02T03:04:05.000Z',
    limits: {
      maxInline: 4_500_000,
      maxParts: 100,
      maxUrls: 2000,
      maxEntries: 5000,
      maxBytes: 25 * 1024 * 1024,
    },
    storageOrigin: 'https://bucket.storage.example',
    ...over,
  };
}

export const uploadProblems: readonly UploadProblem[] = ['unusable', 'not-in-plan', 'rate-limited'];

/** Every page there is, with hostile data wherever a page takes data. */
export const everyPage: readonly (readonly [string, Page])[] = [
  ['a missing site', notFoundPage({ brand, kind: 'site' })],
  ['a missing file', notFoundPage({ brand, kind: 'file' })],
  ['an expired link', gonePage({ brand })],
  ['an error', errorPage({ brand, status: 503, title: hostile, text: hostile })],
  ['a listing', listingPage(aListing())],
  [
    'a hostile listing',
    listingPage(
      aListing({
        brand: hostile,
        title: hostile,
        folder: `a/${hostile}/b/`,
        folders: [{ name: hostile, files: 1, bytes: 1 }],
        files: [{ name: hostile, href: hostile, bytes: 1, type: 'image' }],
        temporary: { expiresAt: '2030-01-02T03:04:05.000Z' },
      }),
    ),
  ],
  ['an offer', anOffer()],
  [
    'a hostile offer',
    anOffer({
      title: hostile,
      file: { name: hostile, href: hostile, bytes: 1, type: 'files' },
    }),
  ],
  ['a report', reportPage({ brand, host: 'demo.sites.example' })],
  [
    'a hostile report',
    reportPage({
      brand: hostile,
      host: hostile,
      fields: { reason: hostile, message: hostile, url: hostile, email: hostile },
      error: hostile,
    }),
  ],
  ['thanks for a report', reportSentPage({ brand })],
  ['a page that is withheld', withheldPage({ brand })],
  ['a page with a password', lockedPage({ brand, ask: 'password', returnTo: '/' })],
  [
    'a page whose tries are used up',
    lockedPage({
      brand: hostile,
      ask: 'password',
      returnTo: hostile,
      error: hostile,
      usedUp: true,
    }),
  ],
  ['an owner link', ownerLinkPage({ brand: hostile, token: hostile, to: hostile })],
  [
    'a share link',
    shareLinkPage({
      brand: hostile,
      token: hostile,
      page: hostile,
      returnTo: hostile,
      needsPassword: false,
    }),
  ],
  [
    'a share link with a password',
    shareLinkPage({
      brand: hostile,
      token: undefined,
      page: hostile,
      returnTo: '/',
      needsPassword: true,
      error: hostile,
    }),
  ],
  ['a share link that has expired', endedLinkPage({ brand, state: 'expired' })],
  ['a share link that is used up', endedLinkPage({ brand, state: 'used-up' })],
  ['a private page', lockedPage({ brand, ask: 'owner', returnTo: '/' })],
  ['a page that asks for an address', lockedPage({ brand, ask: 'address', returnTo: '/' })],
  [
    'a page that asks for a visitor’s code',
    visitorCodePage({
      brand,
      email: 'anna@example.org',
      token: 'a-token',
      returnTo: '/',
      error: 'x',
    }),
  ],
  [
    'a page that sends no code now',
    visitorCodePage({ brand, email: hostile, token: 'a', returnTo: '/', notice: hostile }),
  ],
  [
    'a page that asks for a visitor’s long code',
    visitorCodePage({
      brand,
      email: hostile,
      token: '',
      returnTo: '/',
      error: hostile,
      needsLongCode: true,
    }),
  ],
  ['the landing page', landingPage(landing)],
  [
    'a hostile page about connecting',
    connectPage({
      brand: hostile,
      endpoint: 'https://app.example/mcp',
      sections: [
        {
          name: hostile,
          blocks: [
            { kind: 'text', text: hostile },
            { kind: 'code', text: hostile },
          ],
        },
      ],
    }),
  ],
  ['the claim page', claimPage(aClaim())],
  [
    'a hostile claim page',
    claimPage(aClaim({ brand: hostile, project: hostileProject, email: hostile, error: hostile })),
  ],
  ['the code page', claimCodePage(aCodeClaim())],
  ['the code page that asks for the long code', claimCodePage(aCodeClaim({ needsLongCode: true }))],
  [
    'a hostile code page',
    claimCodePage(
      aCodeClaim({ project: hostileProject, email: hostile, notice: hostile, error: hostile }),
    ),
  ],
  [
    'the claim page for somebody who is signed in',
    claimPage(aClaim({ signedInAs: 'ann@example.org' })),
  ],
  [
    'a hostile claim page for somebody who is signed in',
    claimPage(aClaim({ project: hostileProject, signedInAs: hostile })),
  ],
  ['the page that keeps an account', keepAccountPage({ brand: hostile, until: aDay })],
  ['the page of a kept account', accountKeptPage({ brand: hostile })],
  ['the page of a link that keeps nothing', keepNothingPage({ brand: hostile })],
  [
    'the page that stops mails',
    stopMailsPage({ brand: hostile, title: hostile, linkName: hostile }),
  ],
  [
    'the page of stopped mails',
    mailsStoppedPage({ brand: hostile, title: hostile, linkName: null }),
  ],
  ['the page of a link that stops nothing', stopNothingPage({ brand: hostile })],
  ['the page of too many such links', keepTooOftenPage({ brand, detail: hostile })],
  ['the upload page', uploadPage(anUpload())],
  [
    'a hostile upload page',
    uploadPage(
      anUpload({ brand: hostile, title: hostile, problem: { error: hostile, nextStep: hostile } }),
    ),
  ],
  [
    'a hostile uploaded page',
    uploadedPage({ brand: hostile, title: hostile, url: aClaim().project.url }),
  ],
  ['the consent page', consentPage(aConsent())],
  ['a consent page of few rights', consentPage(aConsent({ scopes: ['projects:read'] }))],
  ['a hostile consent page', consentPage(hostileConsent)],
  [
    'the sign-in page',
    signInPage({
      brand,
      clientName: 'Claude',
      target: { kind: 'site', host: 'claude.ai' },
      signUpOpen: true,
    }),
  ],
  [
    'a hostile sign-in page',
    signInPage({
      brand: hostile,
      clientName: hostile,
      target: { kind: 'site', host: hostile },
      signUpOpen: true,
      email: hostile,
      error: hostile,
    }),
  ],
  [
    'a hostile page for the code',
    signInCodePage({
      brand: hostile,
      clientName: hostile,
      target: { kind: 'site', host: hostile },
      email: hostile,
      resendAvailableInSeconds: 1,
      notice: hostile,
      error: hostile,
    }),
  ],
  ...authorizationTroubles.map(
    (kind) =>
      [
        `the authorization problem ${kind}`,
        authorizationProblemPage({ brand, kind, detail: hostile }),
      ] as const,
  ),
  [
    'a mistake in an app’s request',
    clientMistakePage({
      brand,
      client: { id: hostile, name: hostile, host: hostile },
      detail: hostile,
      target: { kind: 'app', scheme: hostile },
      location: `https://app.example/?state=${hostile}`,
    }),
  ],
  ...uploadProblems.map(
    (kind) =>
      [`the upload problem ${kind}`, uploadProblemPage({ brand, kind, detail: hostile })] as const,
  ),
  ...claimProblems.map(
    (kind) =>
      [`the claim problem ${kind}`, claimProblemPage({ brand, kind, detail: hostile })] as const,
  ),
];
