import { errorPage } from '../../web/pages/visitor/error-page.ts';
import { refusal, type VisitAnswer } from './visit-answer.ts';

/** What a visitor gets when we failed: what to do, and the id under which the log tells why. */
export function broken(brand: string, { requestId }: { requestId: string }): VisitAnswer {
  return refusal(
    500,
    errorPage({
      brand,
      status: 500,
      title: 'Something went wrong on our side',
      text: `Please try again in a minute. If it goes on, quote ${requestId}.`,
    }),
  );
}
