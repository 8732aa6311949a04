import type { Page } from '../parts/page.ts';
import { errorPage } from './refusal-pages.ts';

const texts = {
  throttled: {
    title: 'This page is very busy',
    text: () => 'Too many requests reached it at once. Please try again in a few seconds.',
  },
  unavailable: {
    title: 'This page is not available at the moment',
    text: (requestId: string) =>
      `Our storage gives no answer. Please try again in a few seconds. If it happens again, report it with the request id ${requestId}.`,
  },
} as const;

/** 503: a service behind this page had too many requests, or gave no answer. */
export function unavailablePage(problem: {
  brand: string;
  failure: keyof typeof texts;
  requestId: string;
}): Page {
  const { brand, failure, requestId } = problem;
  const { title, text } = texts[failure];
  return errorPage({ brand, status: 503, title, text: text(requestId) });
}
