import { codeLifeSeconds } from '../../core/accounts/sign-in/sign-in-code.ts';
import { hostCookie } from '../http/host-cookie.ts';

/**
 * The attempt token of the code that this browser requested last, so that its forms are known by it
 * when the browser changes networks. Strict: the forms are of our own host.
 */
export const attemptCookie = hostCookie('__Host-slipway-attempt', 'Strict', codeLifeSeconds);
