import * as z from 'zod';
import type { Check } from '../check.ts';
import { expectHeader, expectJson, expectStatus, expectText, expectThat } from '../expectations.ts';
import { cookieOf, formOf, type SmokeResponse } from '../http-client.ts';
import { password, siteFiles, type SmokeStage } from '../smoke-stage.ts';

/** A form of a page, as browsers send it. */
function formBody(fields: Record<string, string>, headers: Record<string, string> = {}) {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(fields).toString();
  return { method: 'POST', headers: { ...type, ...headers }, body };
}

function unlock(stage: SmokeStage, site: string, given: string, headers?: Record<string, string>) {
  return stage.send(`${site}/_slipway/unlock`, formBody({ password: given, to: '/' }, headers));
}

function accessCookieOf(answer: SmokeResponse): string {
  expectHeader(expectStatus(answer, 303), 'set-cookie', /^__Host-slipway-access=/);
  return cookieOf(answer);
}

async function expectOpens(stage: SmokeStage, site: string, cookie: string): Promise<void> {
  const page = await stage.send(`${site}/`, { headers: { cookie } });
  expectText(expectStatus(page, 200), '<h1>Smoke test</h1>');
}

const passwordAccess: Check = {
  name: 'password',
  why: 'Nobody can open a site with a password.',
  needs: 'key',
  async run(stage) {
    const { url } = await stage.lockedSite();
    expectStatus(await stage.send(`${url}/`), 401);
    await expectOpens(stage, url, accessCookieOf(await unlock(stage, url, password)));
    // A former cookie must not keep the visitor from entering the password again.
    const cookie = '__Host-slipway-access=expired';
    await expectOpens(stage, url, accessCookieOf(await unlock(stage, url, password, { cookie })));
  },
};

const ownerLink: Check = {
  name: 'owner-link',
  why: 'Owners cannot see their private sites, or a link preview uses the link up.',
  needs: 'key',
  async run(stage) {
    const { projectId, url } = await stage.lockedSite();
    const path = `/v1/projects/${projectId}/view-link`;
    const made = expectStatus(await stage.sendWithKey(path, { method: 'POST' }), 200);
    const link = expectJson(made, z.object({ data: z.object({ url: z.url() }) })).data.url;
    const preview = { 'user-agent': 'Slackbot-LinkExpanding 1.0' };
    const previewed = expectStatus(await stage.send(link, { headers: preview }), 200);
    expectHeader(previewed, 'set-cookie', undefined);
    const token = new URL(link).pathname.split('/').at(-1) ?? '';
    const press = () => stage.send(`${url}/_slipway/owner`, formBody({ token }));
    await expectOpens(stage, url, accessCookieOf(await press()));
    expectStatus(await press(), 410);
  },
};

const manyCookies: Check = {
  name: 'many-cookies',
  why: 'Pages of other sites can lock visitors out with cookies for the whole domain.',
  needs: 'key',
  async run(stage) {
    const { url } = await stage.lockedSite();
    const cookie = `neighbour=${'n'.repeat(15_000)}`;
    accessCookieOf(await unlock(stage, url, password, { cookie }));
  },
};

const doubleCookie: Check = {
  name: 'double-cookie',
  why: 'A page of another site can lock visitors out with a cookie of the same name.',
  needs: 'key',
  async run(stage) {
    const { url } = await stage.lockedSite();
    const cookie = accessCookieOf(await unlock(stage, url, password));
    await expectOpens(stage, url, `__Host-slipway-access=junk; ${cookie}`);
  },
};

const mostTries = 20;

const retryAfter: Check = {
  name: 'retry-after',
  why: 'Clients that are refused do not know when to come back, and try again at once.',
  needs: 'key',
  async run(stage) {
    const { url } = await stage.publish(siteFiles, { access: 'password', password });
    for (let tries = 1; tries <= mostTries; tries += 1) {
      const answer = await unlock(stage, url, 'a wrong password');
      if (answer.status === 401) continue;
      expectHeader(expectStatus(answer, 429), 'retry-after', /^[1-9]\d*$/);
      return;
    }
    expectThat(false, `${mostTries} wrong passwords of one visitor were all checked`);
  },
};

const previewLink: Check = {
  name: 'preview-link',
  why: 'Owners cannot look at an earlier version, or visitors see it instead of the live one.',
  needs: 'key',
  async run(stage) {
    const { projectId, url } = await stage.publish({ 'index.html': 'version one' });
    const push = await formOf({}, { 'index.html': 'version two' });
    const pushed = await stage.sendWithKey(`/v1/projects/${projectId}`, { method: 'PUT', ...push });
    expectStatus(pushed, 200);
    const path = `/v1/projects/${projectId}/versions/1/preview`;
    const made = expectStatus(await stage.sendWithKey(path, { method: 'POST' }), 200);
    const link = expectJson(made, z.object({ data: z.object({ url: z.url() }) })).data.url;
    const opened = expectStatus(await stage.send(link), 302);
    expectHeader(opened, 'set-cookie', /^__Host-slipway-preview=/);
    const headers = { cookie: cookieOf(opened) };
    expectText(expectStatus(await stage.send(`${url}/`, { headers }), 200), 'version one');
    expectText(expectStatus(await stage.send(`${url}/`), 200), 'version two');
    const off = expectStatus(await stage.send(`${url}/_slipway/preview/off`, { headers }), 302);
    expectHeader(off, 'set-cookie', /^__Host-slipway-preview=;.* Max-Age=0/);
  },
};

/** Sites that not everybody sees. */
export const accessChecks: readonly Check[] = [
  passwordAccess,
  ownerLink,
  manyCookies,
  doubleCookie,
  retryAfter,
  previewLink,
];
