import { wrongMethodPage } from '../../web/pages/documentation/missing-page.ts';
import { setting } from '../shared/settings.ts';
import { pageResponse } from './page-response.ts';
import type { RouteOptions } from './serve-route.ts';
import { unavailableResponse } from './unavailable-response.ts';

/** What a browser gets of functions with pages on the app's host, where programs get JSON. */
export const appPages = {
  wrongMethodPage: (request) =>
    pageResponse(request, { status: 405, page: wrongMethodPage(setting('BRAND')) }),
  unavailablePage: unavailableResponse,
} satisfies RouteOptions;
